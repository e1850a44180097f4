// In charge of where people begin: what is used, what is new, what is wrong.

import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useAnswer } from '../asking/use-answer.ts';
import { Badges } from '../parts/badges.tsx';
import { ResourceLink } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Status } from '../parts/status.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { words } from '../words.ts';
import { Home, type HomeData } from './page.graphql';

/** The first page. */
export function HomePage() {
  const { data, error, refetch } = useAnswer(Home, {});
  return (
    <Page title={words.start.title}>
      {error && <Problem error={error} again={() => void refetch()} />}
      <div className="home">
        <Part title={words.start.used} isReady={data !== undefined}>
          {data && <UsedMost data={data} />}
        </Part>
        <Part title={words.start.newest} isReady={data !== undefined}>
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
        <Part title={words.start.problems} isReady={data !== undefined}>
          {data && <Incidents nodes={data.incidents.nodes} />}
        </Part>
      </div>
    </Page>
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
    return (
      <p>
        <b>{words.start.empty}</b> {words.start.emptyHow}
      </p>
    );
  }
  return (
    <ul className="rows">
      {used.nodes.map((table) => (
        <li key={table.id} className="used">
          <ResourceLink to={table}>
            <Badges of={table} />
          </ResourceLink>
          <Link className="button" href={`/lineage/${table.id}`}>
            {words.start.lineage}
            <span className="spoken"> {table.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

function Incidents({ nodes }: { nodes: HomeData['incidents']['nodes'] }) {
  if (nodes.length === 0) return <p className="quiet">{words.start.quiet}</p>;
  return (
    <ul className="rows">
      {nodes.map(({ id, summary, severity, firstSeenAt, target }) => (
        <li key={id} className="incident">
          <p>
            <Status of={severity} /> <Link href={`/incidents/${id}`}>{summary}</Link>
          </p>
          <p className="quiet">
            {target && <Link href={`/resource/${target.id}`}>{target.titleFull}</Link>} ·{' '}
            <Moment at={firstSeenAt} />
          </p>
        </li>
      ))}
    </ul>
  );
}
