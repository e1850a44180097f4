// What came of events of OpenLineage: their namespaces, and what was refused.

import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Moment } from '../parts/moment.tsx';
import { runWords } from '../words/jobs/runs.ts';
import { ReportedEvents, type ReportedRow } from './page.graphql';

const words = runWords.events;

/** The namespaces of events; nothing where none ever came. */
export function Reported() {
  const { data } = useAnswer(ReportedEvents, {});
  const reporting = data?.openLineage;
  if (!reporting || reporting.namespaces.length + reporting.refused.length === 0) return null;
  const { waiting, namespaces, refused } = reporting;
  return (
    <section>
      <h2>{words.title}</h2>
      {waiting > 0 && <p className="quiet">{words.waiting(waiting)}</p>}
      <ul className="monitors">
        {namespaces.map((one) => (
          <li key={one.namespace}>
            <Namespace row={one} />
          </li>
        ))}
      </ul>
      {refused.length > 0 && (
        <details>
          <summary>{words.refused(refused.length)}</summary>
          <ul>
            {refused.map(({ receivedAt, message }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they have no ids, and never move
              <li key={at}>
                <Moment at={receivedAt} /> {message}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function Namespace({ row }: { row: ReportedRow }) {
  const { namespace, integration, eventsToday, eventsOfWeek, lastEventAt, isPlaced } = row;
  return (
    <>
      <span className="of">
        {integration ? <Link href={`/imports/${integration.id}`}>{namespace}</Link> : namespace}
        <small>
          {words.today(eventsToday)} · {words.week(eventsOfWeek)}
        </small>
        {integration && !isPlaced && <span className="badge warning">{words.unplaced}</span>}
      </span>
      <span className="last wide">{lastEventAt && <Moment at={lastEventAt} />}</span>
    </>
  );
}
