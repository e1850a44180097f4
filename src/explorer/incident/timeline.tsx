// Timeline of an incident.

import { Moment } from '../parts/moment.tsx';
import { deedName, incidentWords as words } from '../words/quality.ts';
import type { IncidentThere } from './shown.ts';

/** From its beginning on. */
export function Timeline({ incident: { actions, firstSeenAt } }: { incident: IncidentThere }) {
  return (
    <section className="sheet">
      <h2>{words.history}</h2>
      <ol className="timeline">
        <li>
          {words.opened}{' '}
          <span className="quiet">
            <Moment at={firstSeenAt} />
          </span>
        </li>
        {actions.map(({ id, type, userName, comment, createdAt }) => (
          <li key={id}>
            <b>{userName || words.system}</b> {deedName(type)}{' '}
            <span className="quiet">
              <Moment at={createdAt} />
            </span>
            {comment && <blockquote>{comment}</blockquote>}
          </li>
        ))}
      </ol>
    </section>
  );
}
