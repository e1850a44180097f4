// The home page: what needs the viewer, what is used, what is new, health.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Badges } from '../parts/badges.tsx';
import { ResourceLink } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { homeWords as words } from '../words/home.ts';
import { Beginning } from './beginning.tsx';
import { Health } from './health.tsx';
import { Mine } from './mine.tsx';
import { Home, type HomeData } from './page.graphql';

/** The first page. */
export function HomePage() {
  const { data, error, refetch } = useAnswer(Home, {});
  const isEmpty = data && data.used.nodes.length + data.newest.nodes.length === 0;
  return (
    <Page title={words.title}>
      <Mine />
      {error && <Problem error={error} again={() => void refetch()} />}
      {isEmpty ? <Beginning /> : <Found data={data} />}
    </Page>
  );
}

function Found({ data }: { data: HomeData | undefined }) {
  return (
    <div className="home">
      <Part title={words.used} isReady={data !== undefined}>
        {data && <UsedMost data={data} />}
      </Part>
      <Part title={words.newest} isReady={data !== undefined}>
        <ul className="rows">
          {data?.newest.nodes.map((one) => (
            <li key={one.id}>
              <ResourceLink to={one}>
                <small className="quiet">
                  <Moment at={one.createdAt} />
                </small>
              </ResourceLink>
            </li>
          ))}
        </ul>
      </Part>
      <Health />
    </div>
  );
}

function Part({
  title,
  isReady,
  children,
}: {
  title: string;
  isReady: boolean;
  children: ReactNode;
}) {
  return (
    <section className="sheet">
      <h2>{title}</h2>
      {isReady ? children : <Waiting lines={10} />}
    </section>
  );
}

function UsedMost({ data: { used } }: { data: HomeData }) {
  if (used.nodes.length === 0) {
    return <p className="quiet">{words.noTables}</p>;
  }
  return (
    <ul className="rows">
      {used.nodes.map((table) => (
        <li key={table.id} className="used">
          <ResourceLink to={table}>
            <Badges of={table} />
          </ResourceLink>
          <Link className="button" href={`/lineage/${table.id}`}>
            {words.lineage}
            <span className="spoken"> {table.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
