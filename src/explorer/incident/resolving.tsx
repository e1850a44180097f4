// Resolving an incident: which of four it was, and what each teaches.

import { useId, useState } from 'react';
import { figure } from '../chart/figures.ts';
import { resolveWords } from '../words/incident-page.ts';
import { incidentWords as words } from '../words/quality.ts';
import type { ChangeIncidentVariables } from './page.graphql';
import type { IncidentThere } from './shown.ts';

type Input = ChangeIncidentVariables['input'];
const reasons = ['fixed', 'expected', 'false_positive', 'other'] as const;
const day = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short' });

interface ResolvingProps {
  readonly incident: IncidentThere;
  readonly isBusy: boolean;
  /** The change, and a note for the timeline. */
  readonly act: (input: Input, note: string) => void;
}

/** The choice; of what is expected of a given range, until when as well. */
export function Resolving({ incident, isBusy, act }: ResolvingProps) {
  const name = useId();
  const [reason, setReason] = useState<(typeof reasons)[number]>('fixed');
  const [until, setUntil] = useState('');
  const [note, setNote] = useState('');
  const { value, firstSeenAt, monitor } = incident;
  const isGiven = monitor?.conditionAutoSensitivity === null && reason === 'expected';
  const expectedUntil = isGiven && until !== '' ? { expectedUntil: `${until}T23:59:59Z` } : {};
  const said = figure(monitor?.metricType ?? '', value);
  return (
    <form
      className="doing"
      onSubmit={(event) => {
        event.preventDefault();
        act({ status: 'resolved', resolveReason: reason, ...expectedUntil }, note.trim());
      }}
    >
      <fieldset className="plain-set resolving">
        <legend>{resolveWords.title}</legend>
        {reasons.map((one) => (
          <label key={one} className="radio">
            <input
              type="radio"
              name={name}
              checked={one === reason}
              onChange={() => setReason(one)}
            />
            <span>
              <b>{resolveWords.names[one]}</b>
              <br />
              <small className="quiet">
                {one === 'expected' && monitor?.conditionAutoSensitivity === null
                  ? resolveWords.given
                  : resolveWords.teaches(one, said, day.format(new Date(firstSeenAt)))}
              </small>
            </span>
          </label>
        ))}
      </fieldset>
      {isGiven && (
        <label className="choice">
          <span>{words.until}</span>
          <input
            type="date"
            value={until}
            onChange={({ currentTarget }) => setUntil(currentTarget.value)}
          />
        </label>
      )}
      <label className="choice">
        <span>{resolveWords.note}</span>
        <input
          value={note}
          maxLength={longestNote}
          onChange={({ currentTarget }) => setNote(currentTarget.value)}
        />
      </label>
      <button type="submit" disabled={isBusy}>
        {words.resolve}
      </button>
    </form>
  );
}

const longestNote = 1_000;
