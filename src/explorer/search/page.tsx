// The results of a search, as it is typed, with what they have in common next to them.

import { useState } from 'react';
import { type AddressView, useAddress } from '../asking/address.ts';
import { useList } from '../asking/use-answer.ts';
import { More } from '../parts/more.tsx';
import { Page } from '../parts/page.tsx';
import { Problem } from '../parts/problem.tsx';
import { Waiting } from '../parts/waiting.tsx';
import { later } from '../window/later.tsx';
import { useIsWide } from '../window/use-is-wide.ts';
import { words } from '../words.ts';
import { Facets, facetNames } from './facets.tsx';
import { Hits } from './hits.tsx';
import { kindsIn } from './kinds.ts';
import { SearchResults } from './page.graphql';
import { Saved } from './saved.tsx';
import { Understood } from './understood.tsx';

const Preview = later(async () => (await import('./preview.tsx')).Preview, 8);

const atOnce = 20;

/** The page; its address holds the words and the filters. */
export function SearchPage() {
  const view = useAddress();
  const query = view.one('q').slice(0, 200);
  const filters = facetNames.map((name) => view.one(name)).join('\n');
  const { data, nodes, rest, error, refetch, isPlaceholderData } = useList(
    SearchResults,
    { query, ...filtersOf(view) },
    { atOnce, of: ({ search }) => search, isWanted: query !== '' },
  );
  const hasPreview = useIsWide('third');
  const [lookedAt, look] = useState<string | null>(null);
  const looked = nodes.find(({ resource }) => resource.id === lookedAt) ?? nodes[0];
  const title = query === '' ? words.search.title : words.search.results(query);
  if (query === '') {
    return (
      <Page title={title}>
        <p className="quiet">{words.search.begin}</p>
        <Saved now={{ query: '' }} />
      </Page>
    );
  }
  const found = data?.search;
  const clear = () => view.change(Object.fromEntries(facetNames.map((name) => [name, null])));
  return (
    <Page title={title}>
      {error && <Problem error={error} again={refetch} />}
      <Saved now={{ query, ...filtersOf(view) }} />
      <p className="quiet count" role="status">
        {found ? words.search.count(found.totalCount, found.isCapped) : words.loading}
      </p>
      {found && <Understood found={found} query={query} ask={(text) => view.change({ q: text })} />}
      <div className="results" aria-busy={isPlaceholderData}>
        <Facets facets={found?.facets} view={view} />
        <section aria-label={words.search.title}>
          {!found && !error && <Waiting lines={12} />}
          {found && (
            <Hits
              hits={nodes}
              looked={hasPreview ? (looked?.resource.id ?? null) : null}
              look={look}
            />
          )}
          {found?.totalCount === 0 && (
            <Nothing query={query} isFiltered={filters.trim() !== ''} clear={clear} />
          )}
          <More rest={rest} />
        </section>
        {hasPreview && looked && <Preview hit={looked} />}
      </div>
    </Page>
  );
}

function filtersOf(view: AddressView) {
  const ids = (name: string) => (view.list(name).length > 0 ? view.list(name) : null);
  return {
    kinds: kindsIn(view.list('kinds')),
    tagIds: ids('tags'),
    teamIds: ids('teams'),
    ownerIds: ids('owners'),
    integrationIds: ids('sources'),
  };
}

interface NothingProps {
  readonly query: string;
  readonly isFiltered: boolean;
  readonly clear: () => void;
}

function Nothing({ query, isFiltered, clear }: NothingProps) {
  return (
    <div className="nothing">
      <p>
        <b>{isFiltered ? words.search.noneFilters : words.search.none(query)}</b>
      </p>
      {isFiltered ? (
        <button type="button" onClick={clear}>
          {words.search.clear}
        </button>
      ) : (
        <p className="quiet">{words.search.noneHow}</p>
      )}
    </div>
  );
}
