// Where a term is used: what names it in a property.

import { useList } from '../asking/use-answer.ts';
import { ResourceLink } from '../parts/link.tsx';
import { More } from '../parts/more.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { glossaryWords as words } from '../words/shelf.ts';
import { kindName, number } from '../words.ts';
import { TermUses, type TermUsesData } from './page.graphql';

const of = ({ resource }: TermUsesData) =>
  resource && 'linkedResources' in resource ? resource.linkedResources : null;

/** The lists. */
export function Uses({ id }: { id: string }) {
  const { data, nodes, rest, error, refetch } = useList(TermUses, { id }, { atOnce: 50, of });
  if (error) return <Problem error={error} again={refetch} />;
  if (!data) return <Waiting lines={6} />;
  return (
    <div className="uses">
      <section>
        <h2>
          {words.usedOn} <span className="quiet">{number(of(data)?.totalCount ?? 0)}</span>
        </h2>
        {nodes.length === 0 && (
          <p className="quiet">
            {words.noUses}. {words.noUsesHow}
          </p>
        )}
        <ul className="rows">
          {nodes.map((one) => (
            <li key={one.id}>
              <ResourceLink to={one} says={one.description || kindName(one.kind)} />
            </li>
          ))}
        </ul>
        <More rest={rest} />
      </section>
    </div>
  );
}
