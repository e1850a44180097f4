// In charge of the latest incidents of a monitor.

import { IncidentList } from '../parts/incident-list.tsx';
import { monitorWords as words } from '../words/quality.ts';
import type { MonitorThere } from './shown.ts';

/** The latest, the newest first. */
export function Incidents({ monitor }: { monitor: MonitorThere }) {
  const { nodes } = monitor.incidents;
  return (
    <section className="sheet">
      <h2>{words.incidents}</h2>
      {nodes.length === 0 && <p className="quiet">{words.noIncidents}</p>}
      <IncidentList incidents={nodes} badge={({ status }) => status} />
    </section>
  );
}
