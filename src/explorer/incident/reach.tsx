// Impact of an incident: what is made from the broken data, and whom to tell.

import { Link } from 'wouter';
import { ResourceLink } from '../parts/link.tsx';
import { incidentWords as words } from '../words/quality.ts';
import type { IncidentThere } from './shown.ts';

/** What lies downstream, and who owns it. */
export function Reach({ incident: { impact, target } }: { incident: IncidentThere }) {
  const { count, isMore, resources, owners } = impact;
  return (
    <section className="sheet">
      <h2>
        {words.downstream}{' '}
        {target && (
          <Link className="beside" href={`/lineage/${target.id}`}>
            {words.picture}
          </Link>
        )}
      </h2>
      {count === 0 ? (
        <p className="quiet">{words.nothingDownstream}</p>
      ) : (
        <p>
          {words.reaches(count, isMore)}{' '}
          {owners.length === 0 ? (
            <span className="quiet">{words.noOwners}</span>
          ) : (
            <>
              {words.owners}{' '}
              {owners.map(({ id, name }) => (
                <span key={id} className="pill">
                  {name}
                </span>
              ))}
            </>
          )}
        </p>
      )}
      <ul className="rows">
        {resources.map((one) => (
          <li key={one.id}>
            <ResourceLink to={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}
