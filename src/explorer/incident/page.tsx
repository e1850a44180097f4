// The page of one incident: what happened and why, what it reaches, and what people do about it.

import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { useMay } from '../asking/viewer.ts';
import { Moment } from '../parts/moment.tsx';
import { Answered, useTitle } from '../parts/page.tsx';
import { Status } from '../parts/status.tsx';
import { endName, incidentWords as words } from '../words/quality.ts';
import { Cause } from './cause.tsx';
import { Doing } from './doing.tsx';
import { Failing } from './failing.tsx';
import { Lead } from './lead.tsx';
import { IncidentChanged, IncidentSeries, IncidentPage as Operation } from './page.graphql';
import { Reach } from './reach.tsx';
import type { IncidentThere } from './shown.ts';
import { Timeline } from './timeline.tsx';

/** The page; it changes by itself. */
export function IncidentPage({ id }: { id: string }) {
  const answer = useAnswer(Operation, { id });
  const isThere = answer.data?.incident != null;
  useFollow(
    IncidentChanged,
    { where: { id: { eq: id } } },
    { renewed: [Operation.name, IncidentSeries.name], isWanted: isThere },
  );
  return (
    <Answered answer={answer} of="incident" missing={words.missing} how={words.missingHow}>
      {(data) => data.incident && <Shown incident={data.incident} />}
    </Answered>
  );
}

function Shown({ incident }: { incident: IncidentThere }) {
  const { id, name, status, severity, reasons, firstSeenAt, resolvedAt, monitor } = incident;
  useTitle(name);
  const mayEdit = useMay('edit_monitors');
  return (
    <main className="page" id="main" tabIndex={-1}>
      <header className="head">
        <nav aria-label={words.on}>
          <Link href="/incidents">{words.title}</Link>
          {monitor && <Link href={`/monitors/${monitor.id}`}>{monitor.name}</Link>}
        </nav>
        <div className="name">
          <h1>{name}</h1>
          <Status of={status} />
          <Status of={severity} />
        </div>
        <p className="quiet line">
          {incident.target && (
            <Link href={`/resource/${incident.target.id}`}>{incident.target.titleFull}</Link>
          )}
          {' · '}
          {words.since} <Moment at={firstSeenAt} />
          {resolvedAt && (
            <>
              {' · '}
              {words.ended} <Moment at={resolvedAt} />
            </>
          )}
          {incident.resolveReason && ` · ${endName(incident.resolveReason)}`}
        </p>
      </header>
      <div className="halves">
        <div>
          <section className="sheet">
            <Lead incident={incident} mayEdit={mayEdit} />
            <h2>{words.why}</h2>
            {reasons.map((reason) => (
              <p key={reason}>{reason}</p>
            ))}
          </section>
          <Failing incident={incident} />
          <Cause incident={incident} />
          <Reach incident={incident} />
          <Timeline incident={incident} />
        </div>
        <aside className="sheet aside" aria-label={words.act}>
          {mayEdit ? (
            <Doing key={id} incident={incident} />
          ) : (
            <section>
              <h2>{words.assignee}</h2>
              {incident.assignee?.name ?? words.noAssignee}
            </section>
          )}
        </aside>
      </div>
    </main>
  );
}
