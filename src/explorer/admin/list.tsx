// Common parts of the admin page's lists: loading, errors, and more rows.

import type { ReactNode } from 'react';
import type { List as Listed } from '../asking/use-answer.ts';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { adminWords as words } from '../words/admin.ts';

/** How many rows a list begins with. */
export const atOnce = 50;

interface ListProps<Node> {
  readonly of: Listed<unknown, Node>;
  readonly children: (node: Node) => ReactNode;
}

/** The list. */
export function List<Node extends { readonly id: string }>({ of, children }: ListProps<Node>) {
  const { data, nodes, rest, error, refetch } = of;
  if (error && !data) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={8} />;
  return (
    <>
      {nodes.length === 0 && <p className="quiet">{words.none}</p>}
      {nodes.length > 0 && (
        <ul className="monitors">
          {nodes.map((node) => (
            <li key={node.id}>{children(node)}</li>
          ))}
        </ul>
      )}
      <More rest={rest} />
    </>
  );
}
