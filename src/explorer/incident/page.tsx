// The page of one incident: what happened and why, what it reaches, and what people do about it.

import { useMemo } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { useFollow } from '../asking/use-follow.ts';
import { useMay } from '../asking/viewer.ts';
import { Measured } from '../monitor/series.tsx';
import { Moment } from '../parts/moment.tsx';
import { Answered, useTitle } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { endName, monitorWords, incidentWords as words } from '../words/quality.ts';
import { Cause } from './cause.tsx';
import { Doing } from './doing.tsx';
import { Failing } from './failing.tsx';
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
            <h2>{words.why}</h2>
            {reasons.map((reason, at) => (
              <p key={reason} className={at === 0 ? 'lead' : ''}>
                {reason}
              </p>
            ))}
            {incident.standing && <p className="lead">{incident.standing}</p>}
            {status !== 'resolved' && incident.goodRuns > 0 && (
              <p className="quiet">{words.goodRuns(incident.goodRuns)}</p>
            )}
            {monitor && <Around monitorId={monitor.id} since={firstSeenAt} mayEdit={mayEdit} />}
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
              {incident.assignee?.name ?? words.nobody}
            </section>
          )}
        </aside>
      </div>
    </main>
  );
}

const dayMs = 86_400_000;
const daysBefore = 30;

/** What was measured since some time before it began. */
function Around(props: { monitorId: string; since: string; mayEdit: boolean }) {
  const { monitorId, since, mayEdit } = props;
  const from = useMemo(
    () => new Date(Date.parse(since) - daysBefore * dayMs).toISOString(),
    [since],
  );
  const { data, error } = useAnswer(IncidentSeries, { id: monitorId, from });
  if (error) return <Problem error={error} />;
  if (!data) return <Waiting lines={8} />;
  if (!data.monitor) return <p className="quiet">{monitorWords.missing}</p>;
  return <Measured monitor={data.monitor} tried={null} mayEdit={mayEdit} />;
}
