// In charge of the latest incidents of a monitor.

import { Link } from 'wouter';
import { Moment } from '../parts/moment.tsx';
import { Status } from '../parts/status.tsx';
import { monitorWords as words } from '../words/quality.ts';
import type { MonitorThere } from './shown.ts';

/** The latest, the newest first. */
export function Incidents({ monitor }: { monitor: MonitorThere }) {
  const { nodes } = monitor.incidents;
  return (
    <section className="sheet">
      <h2>{words.incidents}</h2>
      {nodes.length === 0 && <p className="quiet">{words.noIncidents}</p>}
      <ul className="plain">
        {nodes.map(({ id, summary, status, firstSeenAt }) => (
          <li key={id}>
            <Status of={status} /> <Link href={`/incidents/${id}`}>{summary}</Link>{' '}
            <span className="quiet">
              <Moment at={firstSeenAt} />
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
