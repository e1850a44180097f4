// Incidents in a few lines, as other pages show them.

import { Link } from 'wouter';
import { Moment } from '../parts/moment.tsx';
import { Status } from '../parts/status.tsx';

interface IncidentLine {
  readonly id: string;
  readonly summary: string;
  readonly firstSeenAt: string;
}

interface IncidentListProps<Incident extends IncidentLine> {
  readonly incidents: readonly Incident[];
  /** What the badge of each says: its status, or how severe it is. */
  readonly badge: (incident: Incident) => string;
}

/** A line for each, which leads to its page. */
export function IncidentList<Incident extends IncidentLine>(props: IncidentListProps<Incident>) {
  return (
    <ul className="plain">
      {props.incidents.map((incident) => (
        <li key={incident.id}>
          <Status of={props.badge(incident)} />{' '}
          <Link href={`/incidents/${incident.id}`}>{incident.summary}</Link>{' '}
          <span className="quiet">
            <Moment at={incident.firstSeenAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}
