// Actions on an incident: acknowledge, assign, rate, comment, resolve, reopen.

import { useState } from 'react';
import { ask } from '../asking/ask.ts';
import { useKeptText } from '../asking/form.ts';
import { Refused } from '../asking/operation.ts';
import { useAct } from '../asking/use-answer.ts';
import { severities } from '../incidents/filter.ts';
import { IncidentColumn } from '../incidents/page.graphql';
import { Choice, ChoosePerson } from '../parts/choose.tsx';
import { Problem } from '../parts/problem.tsx';
import { endName, incidentWords as words } from '../words/quality.ts';
import { ChangeIncident, type ChangeIncidentVariables, IncidentPage } from './page.graphql';
import type { IncidentThere } from './shown.ts';

type Input = ChangeIncidentVariables['input'];
const reasons = ['fixed', 'expected', 'false_positive', 'other'] as const;

/** All that one can do; to be shown only to who may. Nothing is shown as done before it is. */
export function Doing({ incident }: { incident: IncidentThere }) {
  const { id, version, status, severity, assigneeId } = incident;
  const [comment, setComment] = useKeptText(`comment:${id}`);
  const [reason, setReason] = useState<(typeof reasons)[number]>('fixed');
  const act = useAct(
    // Anyone who saw an older state is told so, and overwrites nothing. A comment changes nothing that others set.
    (input: Input) =>
      ask(ChangeIncident, { id, version: 'comment' in input ? null : version, input }),
    [IncidentPage, IncidentColumn],
  );
  const isBusy = act.isPending;
  const send = () => act.mutate({ comment }, { onSuccess: () => setComment('') });
  return (
    <section className="doing">
      <h2>{words.act}</h2>
      {act.error && <Refusal error={act.error} />}
      {status === 'active' && (
        <button
          type="button"
          className="main"
          disabled={isBusy}
          onClick={() => act.mutate({ status: 'acknowledged' })}
        >
          {words.acknowledge}
        </button>
      )}
      <ChoosePerson
        label={words.assignee}
        none={words.nobody}
        me={words.me}
        value={assigneeId ?? ''}
        isBusy={isBusy}
        choose={(person) => act.mutate({ assigneeId: person === '' ? null : person })}
      />
      <Choice
        label={words.severity}
        none={null}
        value={severity}
        isBusy={isBusy}
        choices={severities.map((name) => ({ id: name, name }))}
        choose={(chosen) => {
          const next = severities.find((one) => one === chosen);
          if (next) act.mutate({ severity: next });
        }}
      />
      {status === 'resolved' ? (
        <button type="button" disabled={isBusy} onClick={() => act.mutate({ status: 'active' })}>
          {words.reopen}
        </button>
      ) : (
        <>
          <Choice
            label={words.reason}
            none={null}
            value={reason}
            choices={reasons.map((id) => ({ id, name: endName(id) }))}
            choose={(chosen) => setReason(reasons.find((one) => one === chosen) ?? 'other')}
          />
          <button
            type="button"
            disabled={isBusy}
            onClick={() => act.mutate({ status: 'resolved', resolveReason: reason })}
          >
            {words.resolve}
          </button>
        </>
      )}
      <label className="choice">
        <span>{words.comment}</span>
        <textarea
          rows={3}
          value={comment}
          onChange={({ currentTarget }) => setComment(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && comment.trim()) send();
          }}
        />
        <small className="quiet">{words.commentHint}</small>
      </label>
      <button type="button" disabled={isBusy || comment.trim() === ''} onClick={send}>
        {words.send}
      </button>
    </section>
  );
}

function Refusal({ error }: { error: Error }) {
  if (!(error instanceof Refused) || error.code !== 'CONFLICT') return <Problem error={error} />;
  return (
    <p className="problem" role="alert">
      {words.conflict} {error.message}
    </p>
  );
}
