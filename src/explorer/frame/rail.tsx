// The rail: the places, what waits in them, and what the viewer bookmarked.

import { useState } from 'react';
import { Link, useLocation } from 'wouter';
import { useViewer } from '../asking/viewer.ts';
import { Icon } from '../parts/icon.tsx';
import { addressOfSearch } from '../search/address-of.ts';
import { frameWords as words } from '../words/frame.ts';
import { isAt, type Place, placesFor } from './places.ts';
import { useRail } from './use-rail.ts';

const kept = 'headwater:rail';
/** As many as bookmarks; the page of search has the others. */
const mostSearches = 8;

/** The column at the left of every page. */
export function Rail() {
  const [path] = useLocation();
  const [isNarrow, setIsNarrow] = useState(() => localStorage.getItem(kept) === 'narrow');
  const shown = placesFor(useViewer()?.allowedActions ?? []);
  const data = useRail();
  // Lineage wants all the room that there is.
  const isSmall = isNarrow || path.startsWith('/lineage/');
  const toggle = () => {
    localStorage.setItem(kept, isNarrow ? 'wide' : 'narrow');
    setIsNarrow(!isNarrow);
  };
  return (
    <aside className={isSmall ? 'rail narrow' : 'rail'}>
      <Link className="brand" href="/">
        <img src="/site/logo.svg" alt="" width="24" height="24" />
        <span>Headwater</span>
      </Link>
      <nav aria-label={words.main}>
        <Group places={shown} group="catalog" path={path} />
        <p className="group">{words.groups.quality}</p>
        <Group places={shown} group="quality" path={path} />
        {shown.some(({ group }) => group === 'manage') && (
          <p className="group">{words.groups.manage}</p>
        )}
        <Group places={shown} group="manage" path={path} />
      </nav>
      {data && data.viewer.bookmarks.nodes.length > 0 && (
        <nav className="pins" aria-labelledby="pins">
          <p className="group" id="pins">
            {words.groups.bookmarks}
          </p>
          {data.viewer.bookmarks.nodes.map(({ id, kind, title }) => (
            <Link key={id} href={`/resource/${id}`} title={title}>
              <Icon kind={kind} />
              <span dir="auto">{title}</span>
            </Link>
          ))}
        </nav>
      )}
      {data && data.viewer.savedSearches.length > 0 && (
        <nav className="pins" aria-labelledby="kept-searches">
          <p className="group" id="kept-searches">
            {words.groups.searches}
          </p>
          {data.viewer.savedSearches.slice(0, mostSearches).map((search) => (
            <Link key={search.id} href={addressOfSearch(search)} title={search.name}>
              <Icon kind="search" />
              <span dir="auto">{search.name}</span>
            </Link>
          ))}
        </nav>
      )}
      <button type="button" className="fold" aria-expanded={!isNarrow} onClick={toggle}>
        <Icon kind={isNarrow ? 'right' : 'left'} />
        <span>{isNarrow ? words.expand : words.collapse}</span>
      </button>
    </aside>
  );
}

interface GroupProps {
  readonly places: readonly Place[];
  readonly group: Place['group'];
  readonly path: string;
}

function Group({ places, group, path }: GroupProps) {
  return places
    .filter((place) => place.group === group)
    .map((place) => (
      <Link
        key={place.href}
        href={place.href}
        title={place.name}
        aria-current={isAt(path, place) ? 'page' : undefined}
      >
        <Icon kind={place.icon} />
        <span>{place.name}</span>
        <Count of={place.icon} />
      </Link>
    ));
}

/** How much waits in a place, in red where something is wrong; nothing where nothing does. */
export function Count({ of }: { of: string }) {
  const data = useRail();
  const count = of === 'incidents' ? data?.incidents.totalCount : data?.questions.totalCount;
  if (!count || !['incidents', 'questions'].includes(of)) return null;
  return (
    <i className={of === 'incidents' ? 'tally alarm' : 'tally'} title={words.open(count)}>
      {count > 99 ? '99+' : count}
    </i>
  );
}
