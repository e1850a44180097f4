// First step of lineage: what a resource is made from, and what uses it.

import { Link } from 'wouter';
import { ResourceLink } from '../parts/link.tsx';
import { words } from '../words.ts';
import type { Neighbour } from './page.graphql';

/** More would push the rest of the page out of sight; the picture has them all. */
const most = 8;

interface NeighboursProps {
  readonly resource: {
    readonly id: string;
    readonly upstream: readonly Neighbour[];
    readonly downstream: readonly Neighbour[];
  };
}

/** Both sides, with the way to the picture. */
export function Neighbours({ resource: { id, upstream, downstream } }: NeighboursProps) {
  return (
    <section className="sheet">
      <h2>
        {words.resource.lineage}{' '}
        <Link className="beside" href={`/lineage/${id}`}>
          {words.resource.picture}
        </Link>
      </h2>
      <div className="sides">
        <Side
          title={words.resource.upstream}
          nothing={words.resource.nothingUpstream}
          list={upstream}
        />
        <Side
          title={words.resource.downstream}
          nothing={words.resource.nothingDownstream}
          list={downstream}
        />
      </div>
    </section>
  );
}

interface SideProps {
  readonly title: string;
  readonly nothing: string;
  readonly list: readonly Neighbour[];
}

function Side({ title, nothing, list }: SideProps) {
  return (
    <div>
      <h3>{title}</h3>
      {list.length === 0 && <p className="quiet">{nothing}</p>}
      <ul className="rows">
        {list.slice(0, most).map((one) => (
          <li key={one.id}>
            <ResourceLink to={one} />
          </li>
        ))}
      </ul>
      {list.length > most && (
        <p className="quiet">{words.resource.moreLinks(list.length - most)}</p>
      )}
    </div>
  );
}
