// The list next to the picture: what a change reaches, and whom to notify first.

import { useState } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { lineageWords } from '../words/lineage.ts';
import { kindName, number, words } from '../words.ts';
import { ImpactOfChange, type ImpactOfChangeData, type Reached } from './page.graphql';

/** How many of each list are shown at first, and after one asks for more. */
const pages = [50, 200, 1_000] as const;

interface ImpactProps {
  /** The card or column that may change. */
  readonly of: string;
  readonly title: string;
  readonly choose: (id: string) => void;
}

/** The list, for what is chosen. It says in words what the picture shows. */
export function Impact({ of, title, choose }: ImpactProps) {
  const [page, setPage] = useState(0);
  const first = pages[page] ?? pages[0];
  const { data, error, refetch } = useAnswer(ImpactOfChange, { of: [of], first });
  return (
    <aside className="impact" aria-label={words.impact.title}>
      <p className="quiet">{words.impact.title}</p>
      <h2>{title}</h2>
      <p>
        <Link href={`/resource/${of}`}>{lineageWords.open}</Link> ·{' '}
        <Link href={`/lineage/${of}`}>{lineageWords.start}</Link>
      </p>
      {error && <Problem error={error} again={() => void refetch()} />}
      {!data && !error && <Waiting lines={8} />}
      {data?.impact && <List impact={data.impact} choose={choose} />}
      {data?.impact && page + 1 < pages.length && isLonger(data.impact, first) && (
        <p>
          <button type="button" onClick={() => setPage(page + 1)}>
            {words.impact.showMore}
          </button>
        </p>
      )}
    </aside>
  );
}

/** Whether a list has more than its first so many. */
function isLonger({ tables, others, possible }: ListProps['impact'], first: number): boolean {
  return [tables, others, possible].some(({ length }) => length >= first);
}

interface ListProps {
  readonly impact: NonNullable<ImpactOfChangeData['impact']>;
  readonly choose: (id: string) => void;
}

function List({ impact, choose }: ListProps) {
  const all = [...impact.tables, ...impact.others].filter(({ resource }) => resource !== null);
  const possible = impact.possible.filter(({ resource }) => resource !== null);
  const kinds = Map.groupBy(all, ({ resource }) => resource?.kind ?? '');
  const { counts, owners } = impact;
  if (counts.length + impact.possibleCount === 0) {
    return <p className="quiet">{words.impact.nothing}</p>;
  }
  return (
    <>
      <p className="sum">
        {counts.map(({ kind, count }) => (
          <span key={kind}>
            <b>{number(count)}</b> {kindName(kind, count)}
          </span>
        ))}
      </p>
      {owners.length > 0 && (
        <p className="quiet">
          {words.impact.notify}{' '}
          {owners.map(({ user, count }) => (
            <span key={user.id} className="pill">
              {user.name} <i>{number(count)}</i>
            </span>
          ))}
        </p>
      )}
      {[...kinds].map(([kind, nodes]) => (
        <Kind key={kind} title={kindName(kind, 2)} nodes={nodes} choose={choose} />
      ))}
      {possible.length > 0 && (
        <Kind
          title={lineageWords.possible(impact.possibleCount)}
          nodes={possible}
          choose={choose}
        />
      )}
      {(impact.truncated || impact.hiddenNodes > 0) && (
        <p className="quiet">
          {words.impact.more}
          {impact.hiddenNodes > 0 && `: ${lineageWords.hidden(impact.hiddenNodes)}`}
        </p>
      )}
    </>
  );
}

interface KindProps {
  readonly title: string;
  readonly nodes: readonly Reached[];
  readonly choose: (id: string) => void;
}

function Kind({ title, nodes, choose }: KindProps) {
  return (
    <section>
      <h3>{title}</h3>
      <ul>
        {nodes.map(
          ({ resource, depth, ways }) =>
            resource && (
              <li key={resource.id}>
                <button type="button" onClick={() => choose(resource.id)}>
                  <Icon kind={resource.kind} />
                  <span>
                    <b>{resource.title}</b>
                    <small>{ways.map(({ reason }) => reason).join(' ')}</small>
                    <small>
                      {resource.owners.map(({ name }) => name).join(', ') || words.impact.noOwner}
                    </small>
                  </span>
                  <i title={words.impact.steps(depth)}>{depth}</i>
                </button>
              </li>
            ),
        )}
      </ul>
    </section>
  );
}
