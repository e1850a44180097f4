// In charge of the latest incidents of a monitor.

import { IncidentList } from '../parts/incident-list.tsx';
import { type HowMany, More } from '../parts/more.tsx';
import { monitorWords as words } from '../words/quality.ts';
import type { MonitorThere } from './shown.ts';

interface IncidentsProps {
  readonly monitor: MonitorThere;
  readonly shown: HowMany;
}

/** The latest, the newest first. */
export function Incidents({ monitor, shown }: IncidentsProps) {
  const { nodes, pageInfo } = monitor.incidents;
  return (
    <section className="sheet">
      <h2>{words.incidents}</h2>
      {nodes.length === 0 && <p className="quiet">{words.noIncidents}</p>}
      <IncidentList incidents={nodes} badge={({ status }) => status} />
      <More shown={shown} has={pageInfo.hasNextPage} />
    </section>
  );
}
