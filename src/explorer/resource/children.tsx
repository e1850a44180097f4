// Children of a resource, such as the tables of a schema.

import { useList } from '../asking/use-answer.ts';
import { ResourceLink } from '../parts/link.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { kindName, number, words } from '../words.ts';
import { ResourceChildren, type ResourceChildrenData } from './page.graphql';

const atOnce = 50;
const mostLines = 6;

/** What it holds, by title; nothing where it holds nothing. */
export function Children({ id, count }: { id: string; count: number }) {
  const of = ({ resource }: ResourceChildrenData) => resource?.children;
  const wanted = { atOnce, of, isWanted: count > 0 };
  const { data, nodes, rest, error } = useList(ResourceChildren, { id }, wanted);
  if (count === 0) return null;
  const children = data?.resource?.children;
  return (
    <section className="sheet">
      <h2>
        {words.resource.contents}{' '}
        <span className="quiet">{number(children?.totalCount ?? count)}</span>
      </h2>
      {error && <Problem error={error} />}
      {!children && !error && <Waiting lines={Math.min(count * 2, mostLines)} />}
      <ul className="rows">
        {nodes.map((child) => (
          <li key={child.id}>
            <ResourceLink to={child} says={child.description || kindName(child.kind)} />
          </li>
        ))}
      </ul>
      <More rest={rest} />
    </section>
  );
}
