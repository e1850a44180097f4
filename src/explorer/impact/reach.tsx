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
  /** Whom to tell; who owns the most of what is reached where absent. */
  readonly people?: readonly Person[];
}

/** The list. */
export function ReachList({ reach, people = ownersOf(reach) }: ReachListProps) {
  const { tables, columns, others, possible, counts, possibleCount } = reach;
  const { truncated, hiddenNodes } = reach;
  const all = [...tables, ...others, ...columns].filter(({ resource }) => resource !== null);
  const kinds = Map.groupBy(all, ({ resource }) => resource?.kind ?? '');
  return (
    <>
      {all.length === 0 && possible.length === 0 && <p className="quiet">{words.nothing}</p>}
      {all.length > 0 && (
        <p>
          {people.length === 0 ? words.noOwner : words.tell}{' '}
          {people.map(({ id, name }) => (
            <span key={id} className="pill">
              {name}
            </span>
          ))}
        </p>
      )}
      {counts.map(({ kind, count }) => (
        <Part
          key={kind}
          title={`${number(count)} ${kindName(kind, count)}`}
          nodes={kinds.get(kind) ?? []}
          count={count}
        />
      ))}
      {possible.length > 0 && (
        <Part title={words.possible} nodes={possible} count={possibleCount} />
      )}
      {(truncated || hiddenNodes > 0) && (
        <p className="quiet">
          {words.cut}
          {hiddenNodes > 0 && `: ${words.hiddenNodes(hiddenNodes)}`}
        </p>
      )}
    </>
  );
}

interface PartProps {
  readonly title: string;
  /** The nearest. */
  readonly nodes: readonly Node[];
  /** How many there are in all. */
  readonly count: number;
}

function Part({ title, nodes, count }: PartProps) {
  return (
    <details className="reached" open={nodes.length <= openUpTo}>
      <summary>{title}</summary>
      <ul className="rows">
        {nodes.map(
          ({ resource, ways }) =>
            resource && (
              <li key={resource.id}>
                <ResourceLink to={resource} />
                {ways.map(({ reason }) => (
                  <p key={reason} className="quiet reason">
                    {reason}
                  </p>
                ))}
              </li>
            ),
        )}
      </ul>
      {count > nodes.length && <p className="quiet">{words.summary.more(count - nodes.length)}</p>}
    </details>
  );
}

/** A longer list is opened by who wants to read it. */
const openUpTo = 12;

/** Whom to notify: who owns the most of what is reached, and of what may be. */
export function ownersOf({ owners }: Reach): Person[] {
  return owners.map(({ user }) => user);
}
