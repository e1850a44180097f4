// What needs the viewer: their incidents and questions, and changes of what they follow.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { ask } from '../asking/ask.ts';
import { useAct, useAnswer } from '../asking/use-answer.ts';
import { useViewer } from '../asking/viewer.ts';
import { RailCounts } from '../frame/frame.graphql';
import { ResourceLink } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { homeWords as words } from '../words/home.ts';
import { HomeMine, type HomeMineData, ReadNews } from './page.graphql';
import { mineOf } from './wanted.ts';

/** All of it; a sentence where there is nothing. */
export function Mine() {
  const viewer = useViewer();
  return (
    <section className="mine" aria-labelledby="mine">
      <h2 id="mine">{words.mine}</h2>
      {viewer ? <Asked wanted={mineOf(viewer)} /> : <Waiting lines={3} />}
    </section>
  );
}

function Asked({ wanted }: { wanted: ReturnType<typeof mineOf> }) {
  const { data, error, refetch } = useAnswer(HomeMine, wanted);
  if (error && !data) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Waiting lines={3} />;
  const { incidents, questions, news, watched } = data;
  const all = [incidents, questions, news, watched];
  if (all.every(({ totalCount }) => totalCount === 0)) {
    return (
      <p>
        <b>{words.nothingMine}</b> <span className="quiet">{words.nothingMineHow}</span>
      </p>
    );
  }
  return (
    <div className="urgent">
      <Part title={words.incidents} list={incidents}>
        <Incidents nodes={incidents.nodes} />
      </Part>
      <Part title={words.questions} list={questions}>
        <Questions nodes={questions.nodes} />
      </Part>
      <Part title={words.news} list={news}>
        <News nodes={news.nodes} />
      </Part>
      <Part title={words.watched} list={watched}>
        <ul className="rows">
          {watched.nodes.map((one) => (
            <li key={one.id}>
              <ResourceLink to={one}>
                <small className="quiet">
                  <Moment at={one.updatedAt} />
                </small>
              </ResourceLink>
            </li>
          ))}
        </ul>
      </Part>
    </div>
  );
}

interface PartProps {
  readonly title: string;
  readonly list: { readonly totalCount: number; readonly nodes: readonly unknown[] };
  readonly children: ReactNode;
}

/** One list of it, and how many more there are; nothing where there is none. */
function Part({ title, list: { totalCount, nodes }, children }: PartProps) {
  if (totalCount === 0) return null;
  const more = totalCount - nodes.length;
  return (
    <section>
      <h3>{title}</h3>
      {children}
      {more > 0 && <p className="quiet">{words.more(more)}</p>}
    </section>
  );
}

function Incidents({ nodes }: { nodes: HomeMineData['incidents']['nodes'] }) {
  return (
    <ul className="plain">
      {nodes.map(({ id, name, summary, severity, target, firstSeenAt }) => (
        <li key={id}>
          <Status of={severity} /> <Link href={`/incidents/${id}`}>{name}</Link>{' '}
          <span className="quiet">
            {summary} {target && <Link href={`/resource/${target.id}`}>{target.titleFull}</Link>} ·{' '}
            <Moment at={firstSeenAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Questions({ nodes }: { nodes: HomeMineData['questions']['nodes'] }) {
  return (
    <ul className="plain">
      {nodes.map(({ id, title, createdAt }) => (
        <li key={id}>
          <Link href={`/resource/${id}`}>{title}</Link>{' '}
          <span className="quiet">
            <Moment at={createdAt} />
          </span>
        </li>
      ))}
    </ul>
  );
}

type Notified = HomeMineData['news']['nodes'][number];

/** The newest of each incident: what was said of it before is over. */
function newestOf(nodes: readonly Notified[]): readonly Notified[] {
  const isNewest = ({ incident }: Notified, at: number) =>
    incident === null || nodes.findIndex((one) => one.incident?.id === incident.id) === at;
  return nodes.filter(isNewest);
}

function News({ nodes }: { nodes: readonly Notified[] }) {
  const read = useAct(() => ask(ReadNews, { ids: null }), [HomeMine, RailCounts]);
  return (
    <div id="news">
      <ul className="plain">
        {newestOf(nodes).map((one) => (
          <li key={one.id}>
            <NewsLink one={one} />{' '}
            <span className="quiet">
              {one.text.split('\n')[0]} · <Moment at={one.createdAt} />
            </span>
          </li>
        ))}
      </ul>
      {read.error && <Problem error={read.error} />}
      <button type="button" disabled={read.isPending} onClick={() => read.mutate()}>
        {words.readAll}
      </button>
    </div>
  );
}

/** Leads to the incident, or to what changed where that is one thing. */
function NewsLink({ one: { title, incident, resources } }: { one: Notified }) {
  const [resource] = resources;
  if (incident) return <Link href={`/incidents/${incident.id}`}>{title}</Link>;
  if (resource) return <Link href={`/resource/${resource.id}`}>{title}</Link>;
  return <b>{title}</b>;
}
