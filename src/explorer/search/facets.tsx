// Facets of search results: choosing one leaves only its results.

import type { AddressView } from '../asking/address.ts';
import { useIsWide } from '../window/use-is-wide.ts';
import { kindName, number, words } from '../words.ts';
import type { Facet, SearchResultsData } from './page.graphql';

/** The filters, by their names in the address. */
export const facetNames = ['kinds', 'sources', 'teams', 'owners', 'tags'] as const;

type Facets = SearchResultsData['search']['facets'];

interface FacetsProps {
  readonly facets: Facets | undefined;
  readonly view: AddressView;
}

/** All filters with how many results each leaves. */
export function Facets({ facets, view }: FacetsProps) {
  // Where there is no room next to the results, they would push them out of sight.
  const isWide = useIsWide();
  const chosen = facetNames.reduce((sum, name) => sum + view.list(name).length, 0);
  return (
    <aside className="facets" aria-label={words.search.filters}>
      <details open={isWide}>
        <summary>
          {words.search.filters}
          {chosen > 0 && ` (${number(chosen)})`}
        </summary>
        {facetNames.map((name) => (
          <Choice key={name} name={name} facets={facets ? of(facets, name) : []} view={view} />
        ))}
      </details>
    </aside>
  );
}

function of(facets: Facets, name: (typeof facetNames)[number]): readonly Facet[] {
  return {
    kinds: facets.kind,
    sources: facets.integration,
    teams: facets.team,
    owners: facets.owner,
    tags: facets.tag,
  }[name];
}

interface ChoiceProps {
  readonly name: (typeof facetNames)[number];
  readonly facets: readonly Facet[];
  readonly view: AddressView;
}

function Choice({ name, facets, view }: ChoiceProps) {
  const chosen = view.list(name);
  // What is chosen stays in sight where nothing has it, so that it can be taken back.
  const gone = chosen.filter((value) => !facets.some((facet) => facet.value === value));
  const all = [...facets, ...gone.map((value) => ({ value, label: value, count: 0 }))];
  if (all.length === 0) return null;
  const toggle = (value: string) =>
    view.change({
      [name]: chosen.includes(value) ? chosen.filter((one) => one !== value) : [...chosen, value],
    });
  return (
    <fieldset>
      <legend>{words.search.facets[name]}</legend>
      {all.map(({ value, label, count }) => (
        <label key={value}>
          <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
          <span>{name === 'kinds' ? kindName(value, 2) : label}</span>
          <i>{number(count)}</i>
        </label>
      ))}
    </fieldset>
  );
}
