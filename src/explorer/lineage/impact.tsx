// The list next to the picture: what a change reaches, and whom to notify first.

import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Icon } from '../parts/icon.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { lineageWords } from '../words/lineage.ts';
import { kindName, number, words } from '../words.ts';
import { ImpactOfChange, type ImpactOfChangeData, type Reached } from './page.graphql';

const notifiedFirst = 3;

interface ImpactProps {
  /** The card or column that may change. */
  readonly of: string;
  readonly title: string;
  readonly choose: (id: string) => void;
}

/** The list, for what is chosen. It says in words what the picture shows. */
export function Impact({ of, title, choose }: ImpactProps) {
  const { data, error, refetch } = useAnswer(ImpactOfChange, { of: [of] });
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
    </aside>
  );
}

interface ListProps {
  readonly impact: NonNullable<ImpactOfChangeData['impact']>;
  readonly choose: (id: string) => void;
}

function List({ impact, choose }: ListProps) {
  const all = [...impact.tables, ...impact.others].filter(({ resource }) => resource !== null);
  const possible = impact.possible.filter(({ resource }) => resource !== null);
  const kinds = Map.groupBy(all, ({ resource }) => resource?.kind ?? '');
  const owners = Map.groupBy(
    [...all, ...possible].flatMap(({ resource }) => resource?.owners ?? []),
    ({ name }) => name,
  );
  const first = [...owners].sort((a, b) => b[1].length - a[1].length).slice(0, notifiedFirst);
  if (all.length + possible.length + impact.columns.length === 0) {
    return <p className="quiet">{words.impact.nothing}</p>;
  }
  return (
    <>
      <p className="sum">
        {[...kinds].map(([kind, nodes]) => (
          <span key={kind}>
            <b>{number(nodes.length)}</b> {kindName(kind, nodes.length)}
          </span>
        ))}
        {impact.columns.length > 0 && <span>{words.impact.columns(impact.columns.length)}</span>}
      </p>
      {first.length > 0 && (
        <p className="quiet">
          {words.impact.notify}{' '}
          {first.map(([name, list]) => (
            <span key={name} className="pill">
              {name} <i>{list.length}</i>
            </span>
          ))}
        </p>
      )}
      {[...kinds].map(([kind, nodes]) => (
        <Kind key={kind} title={kindName(kind, 2)} nodes={nodes} choose={choose} />
      ))}
      {possible.length > 0 && (
        <Kind title={lineageWords.possible(possible.length)} nodes={possible} choose={choose} />
      )}
      {(impact.truncated || impact.hiddenNodes > 0) && (
        <p className="quiet">
          {words.impact.more} {impact.hiddenNodes > 0 && lineageWords.hidden(impact.hiddenNodes)}
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
          ({ resource, depth }) =>
            resource && (
              <li key={resource.id}>
                <button type="button" onClick={() => choose(resource.id)}>
                  <Icon kind={resource.kind} />
                  <span>
                    <b>{resource.title}</b>
                    <small>
                      {resource.owners.map(({ name }) => name).join(', ') || words.impact.nobody}
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
