// In charge of what a resource holds, such as the tables of a schema.

import { useAnswer } from '../asking/use-answer.ts';
import { ResourceLink } from '../parts/link.tsx';
import { More, useShown } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { words } from '../words.ts';
import { ResourceChildren } from './page.graphql';

const atOnce = 50;
const mostLines = 6;

/** What it holds, by title; nothing where it holds nothing. */
export function Children({ id, count }: { id: string; count: number }) {
  const shown = useShown(atOnce);
  const { first } = shown;
  const wanted = { isKept: true, isWanted: count > 0 };
  const { data, error } = useAnswer(ResourceChildren, { id, first }, wanted);
  if (count === 0) return null;
  const children = data?.resource?.children;
  return (
    <section className="sheet">
      <h2>{words.resource.contents(children?.totalCount ?? count)}</h2>
      {error && <Problem error={error} />}
      {!children && !error && <Waiting lines={Math.min(count * 2, mostLines)} />}
      <ul className="rows">
        {children?.nodes.map((child) => (
          <li key={child.id}>
            <ResourceLink to={child} />
          </li>
        ))}
      </ul>
      <More shown={shown} has={children && children.totalCount > children.nodes.length} />
    </section>
  );
}
