// Actions on an incident: acknowledge, assign, rate, comment, resolve, reopen.

import { useState } from 'react';
import { useAddress } from '../asking/address.ts';
import { ask } from '../asking/ask.ts';
import { useKeptText } from '../asking/form.ts';
import { Refused } from '../asking/operation.ts';
import { useAct } from '../asking/use-answer.ts';
import { severities } from '../incidents/filter.ts';
import { IncidentColumn } from '../incidents/page.graphql';
import { Choice } from '../parts/choosing/choice.tsx';
import { ChoosePerson } from '../parts/choosing/choose.tsx';
import { Problem } from '../parts/problem.tsx';
import { incidentWords as words } from '../words/quality.ts';
import { ChangeIncident, type ChangeIncidentVariables, IncidentPage } from './page.graphql';
import { Resolving } from './resolving.tsx';
import type { IncidentThere } from './shown.ts';

type Input = ChangeIncidentVariables['input'];

/** All that one can do; to be shown only to who may. Nothing is shown as done before it is. */
export function Doing({ incident }: { incident: IncidentThere }) {
  const { id, version, status, severity, assigneeId } = incident;
  const [comment, setComment] = useKeptText(`comment:${id}`);
  const act = useAct(
    // Anyone who saw an older state is told so, and overwrites nothing. A comment changes nothing that others set.
    (input: Input) =>
      ask(ChangeIncident, { id, version: 'comment' in input ? null : version, input }),
    [IncidentPage, IncidentColumn],
  );
  const isBusy = act.isPending;
  const send = () => act.mutate({ comment }, { onSuccess: () => setComment('') });
  // The note comes after it: a comment on what is resolved acknowledges nothing.
  const resolve = (input: Input, note: string) =>
    act.mutate(input, {
      onSuccess: () => {
        if (note !== '') act.mutate({ comment: note });
      },
    });
  return (
    <section className="doing">
      <h2>{words.act}</h2>
      {act.error && <Refusal error={act.error} />}
      <Asked status={status} isBusy={isBusy} act={(input) => act.mutate(input)} />
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
        none={words.noAssignee}
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
        <Resolving incident={incident} isBusy={isBusy} act={resolve} />
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

interface AskedProps {
  readonly status: string;
  readonly isBusy: boolean;
  readonly act: (input: Input) => void;
}

/** What a link in a message asks for: it asks once, and does nothing by itself. */
function Asked({ status, isBusy, act }: AskedProps) {
  const wanted = useAddress().one('do');
  const [isAnswered, setAnswered] = useState(false);
  const deed = wanted === 'acknowledge' || wanted === 'resolve' ? wanted : null;
  const isOpen = deed === 'resolve' ? status !== 'resolved' : status === 'active';
  if (deed === null || isAnswered || !isOpen) return null;
  return (
    <div role="alertdialog" aria-label={words.asked[deed]} className="acts">
      <p>{words.asked[deed]}</p>
      <button
        type="button"
        className="main"
        disabled={isBusy}
        onClick={() => {
          setAnswered(true);
          act(
            deed === 'resolve'
              ? { status: 'resolved', resolveReason: 'fixed' }
              : { status: 'acknowledged' },
          );
        }}
      >
        {words.yes}
      </button>
      <button type="button" onClick={() => setAnswered(true)}>
        {words.no}
      </button>
    </div>
  );
}

function Refusal({ error }: { error: Error }) {
  if (!(error instanceof Refused) || error.code !== 'CONFLICT')
    return <Problem error={error} isKept />;
  return (
    <p className="problem" role="alert">
      {words.conflict} {error.message}
    </p>
  );
}
