// The latest incidents of a monitor.

import { useList } from '../asking/use-answer.ts';
import { IncidentList } from '../incident/incident-list.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { monitorWords as words } from '../words/quality.ts';
import { MonitorIncidents } from './page.graphql';

const atOnce = 10;

/** The latest, the newest first. */
export function Incidents({ id }: { id: string }) {
  const { data, nodes, rest, error, refetch } = useList(
    MonitorIncidents,
    { id },
    { atOnce, of: ({ monitor }) => monitor?.incidents },
  );
  return (
    <section className="sheet">
      <h2>{words.incidents}</h2>
      {error && !data && <Problem error={error} again={refetch} />}
      {!data && !error && <Waiting lines={1} />}
      {data && nodes.length === 0 && <p className="quiet">{words.noIncidents}</p>}
      <IncidentList incidents={nodes} badge={({ status }) => status} />
      <More rest={rest} />
    </section>
  );
}
