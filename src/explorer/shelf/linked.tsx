// What links to a text: documentation that names it.

import { useList } from '../asking/use-answer.ts';
import { ResourceLink } from '../parts/link.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { shelfWords as words } from '../words/shelf.ts';
import { ShelfBranch, type ShelfBranchData, type ShelfBranchVariables } from './shelf.graphql';

const of = ({ resources }: ShelfBranchData) => resources;

/** Those whose documentation links to it. */
export function whereLinkedTo(id: string): ShelfBranchVariables['where'] {
  return { definition: { contains: `(resource:${id})` } };
}

/** Those that are in a collection. */
export function whereInCollection(id: string): ShelfBranchVariables['where'] {
  return { collections: { some: { id: { eq: id } } } };
}

interface ListedProps {
  readonly where: ShelfBranchVariables['where'];
  /** What is said where there are none. */
  readonly none: string;
}

/** Resources that something holds for. */
export function Listed({ where, none }: ListedProps) {
  const { data, nodes, rest, error, refetch } = useList(ShelfBranch, { where }, { atOnce: 50, of });
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={4} />;
  if (nodes.length === 0) return <p className="quiet">{none}</p>;
  return (
    <>
      <ul className="rows">
        {nodes.map((one) => (
          <li key={one.id}>
            <ResourceLink to={one} />
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </>
  );
}

/** What is said where nothing links to it. */
export const noLinks = `${words.noLinks}. ${words.noLinksHow}`;
