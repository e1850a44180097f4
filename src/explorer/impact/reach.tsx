// Reach of a change: by kind, nearest first, each with its reason; and whom to tell.

import { ResourceLink } from '../parts/link.tsx';
import { impactWords as words } from '../words/impact.ts';
import { kindName, number } from '../words.ts';
import type { Node, Reach } from './page.graphql';

interface Person {
  readonly id: string;
  readonly name: string;
}

interface ReachListProps {
  readonly reach: Reach;
  /** Whom to tell; the owners of what is reached where absent. */
  readonly people?: readonly Person[];
}

/** The list. */
export function ReachList({ reach, people = ownersOf(reach) }: ReachListProps) {
  const { tables, columns, others, possible, truncated, hiddenNodes } = reach;
  const all = [...tables, ...others, ...columns].filter(({ resource }) => resource !== null);
  const kinds = Map.groupBy(all, ({ resource }) => resource?.kind ?? '');
  return (
    <>
      {all.length === 0 && possible.length === 0 && <p className="quiet">{words.nothing}</p>}
      {all.length > 0 && (
        <p>
          {people.length === 0 ? words.nobody : words.tell}{' '}
          {people.map(({ id, name }) => (
            <span key={id} className="pill">
              {name}
            </span>
          ))}
        </p>
      )}
      {[...kinds].map(([kind, nodes]) => (
        <Part
          key={kind}
          title={`${number(nodes.length)} ${kindName(kind, nodes.length)}`}
          nodes={nodes}
        />
      ))}
      {possible.length > 0 && <Part title={words.possible} nodes={possible} />}
      {(truncated || hiddenNodes > 0) && (
        <p className="quiet">
          {truncated && words.cut} {hiddenNodes > 0 && words.hiddenNodes(hiddenNodes)}
        </p>
      )}
    </>
  );
}

function Part({ title, nodes }: { title: string; nodes: readonly Node[] }) {
  return (
    <details className="reached" open={nodes.length <= openUpTo}>
      <summary>{title}</summary>
      <ul className="rows">
        {nodes.map(
          ({ resource, reason }) =>
            resource && (
              <li key={resource.id}>
                <ResourceLink to={resource} />
                <p className="quiet reason">{reason}</p>
              </li>
            ),
        )}
      </ul>
    </details>
  );
}

/** A longer list is opened by who wants to read it. */
const openUpTo = 12;

/** Whom to notify: the owners of what is reached, and of what may be. */
export function ownersOf({ tables, others, possible }: Reach): Person[] {
  const owners = [...tables, ...others, ...possible].flatMap(
    ({ resource }) => resource?.owners ?? [],
  );
  return [...new Map(owners.map((owner) => [owner.id, owner])).values()];
}
