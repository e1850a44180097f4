// Where one may go on: what was looked at last, bookmarks, one's own, what is used most, what is new.

import { Link } from 'wouter';
import { useAddress } from '../asking/address.ts';
import { useAnswer } from '../asking/use-answer.ts';
import { Badges } from '../parts/badges.tsx';
import { ResourceLink } from '../parts/link.tsx';
import { Moment } from '../parts/moment.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { readRecent } from '../window/recent.ts';
import { homeWords as words } from '../words/home.ts';
import { type HomeData, HomeOwn, type HomeResource } from './page.graphql';

const names = ['recent', 'used', 'newest', 'bookmarks', 'owned'] as const;
type Name = (typeof names)[number];

const mostRecent = 8;

/** The lists, of which the address names one. */
export function Lists({ data }: { data: HomeData | undefined }) {
  const view = useAddress();
  const first: Name = readRecent().length > 0 ? 'recent' : 'used';
  const shown = names.find((name) => name === view.one('list')) ?? first;
  return (
    <section className="continue" aria-labelledby="continue">
      <header>
        <h2 id="continue">{words.continue}</h2>
        <fieldset className="segments">
          <legend className="spoken">{words.continue}</legend>
          {names.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={name === shown}
              onClick={() => view.change({ list: name })}
            >
              {words.lists[name]}
            </button>
          ))}
        </fieldset>
      </header>
      <Listed shown={shown} data={data} />
    </section>
  );
}

function Listed({ shown, data }: { shown: Name; data: HomeData | undefined }) {
  if (shown === 'recent') return <RecentList />;
  if (shown === 'bookmarks' || shown === 'owned') return <Own shown={shown} />;
  if (!data) return <Waiting lines={8} />;
  if (shown === 'used') return <Used nodes={data.used.nodes} />;
  return (
    <ul className="rows two">
      {data.newest.nodes.map((one) => (
        <li key={one.id}>
          <ResourceLink to={one}>
            <small className="quiet">
              <Moment at={one.createdAt} />
            </small>
          </ResourceLink>
        </li>
      ))}
    </ul>
  );
}

function RecentList() {
  const recent = readRecent().slice(0, mostRecent);
  if (recent.length === 0) return <p className="quiet">{words.nothingListed.recent}</p>;
  return (
    <ul className="rows two">
      {recent.map((one) => (
        <li key={one.id}>
          <ResourceLink to={one}>
            <small className="quiet">
              <Moment at={one.at} />
            </small>
          </ResourceLink>
        </li>
      ))}
    </ul>
  );
}

function Own({ shown }: { shown: 'bookmarks' | 'owned' }) {
  const { data, error, refetch } = useAnswer(HomeOwn, {});
  if (error && !data) return <Problem error={error} again={() => void refetch()} />;
  if (!data) return <Waiting lines={8} />;
  const { nodes } = data.viewer[shown];
  if (nodes.length === 0) return <p className="quiet">{words.nothingListed[shown]}</p>;
  return <Used nodes={nodes} />;
}

function Used({ nodes }: { nodes: readonly HomeResource[] }) {
  if (nodes.length === 0) return <p className="quiet">{words.noTables}</p>;
  return (
    <ul className="rows two">
      {nodes.map((one) => (
        <li key={one.id} className="used">
          <ResourceLink to={one}>
            <Badges of={one} />
          </ResourceLink>
          <Link className="button" href={`/lineage/${one.id}`}>
            {words.lineage}
            <span className="spoken"> {one.title}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
