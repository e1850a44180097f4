// In charge of what each list of the admin's page has: waiting, what went wrong, and that there is more.

import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type HowMany, More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { adminWords as words } from '../words/admin.ts';

/** How many rows a list begins with, and how many come with each click. */
export const atOnce = 50;

interface ListProps<Node> {
  readonly answer: Pick<UseQueryResult, 'error' | 'refetch'>;
  readonly found:
    | { readonly nodes: readonly Node[]; readonly pageInfo: { readonly hasNextPage: boolean } }
    | undefined;
  readonly shown: HowMany;
  readonly children: (node: Node) => ReactNode;
}

/** The list. */
export function List<Node extends { readonly id: string }>(props: ListProps<Node>) {
  const { answer, found, shown, children } = props;
  if (answer.error && !found) {
    return <Problem error={answer.error} again={() => void answer.refetch()} />;
  }
  if (!found) return <Waiting lines={8} />;
  return (
    <>
      {found.nodes.length === 0 && <p className="quiet">{words.none}</p>}
      {found.nodes.length > 0 && (
        <ul className="monitors">
          {found.nodes.map((node) => (
            <li key={node.id}>{children(node)}</li>
          ))}
        </ul>
      )}
      <More shown={shown} has={found.pageInfo.hasNextPage} />
    </>
  );
}
