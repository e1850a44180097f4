// Places of the catalog that are browsed: a source, what lies in it, or all of it; and what is listed of them.

import type {
  BrowseListData,
  BrowseListVariables,
  BrowsePlaceData,
  BrowseSourceData,
} from './page.graphql';

type Where = BrowseListVariables['where'];
type Kind = NonNullable<NonNullable<BrowseListVariables['kinds']>>[number];

/** A row of the list. */
export type BrowsedRow = BrowseListData['resources']['nodes'][number];

/** What an address names. */
export type BrowsedPlace =
  | { readonly is: 'all' }
  | { readonly is: 'source'; readonly id: string }
  | { readonly is: 'resource'; readonly id: string };

/** A place with what is known of it. */
export interface PlaceShown {
  readonly resource: BrowsePlaceData['resource'] | undefined;
  readonly source: BrowseSourceData['integration'] | undefined;
}

const ofSource = 'source-';

/** The place of an address. */
export function placeAt(id: string | undefined): BrowsedPlace {
  if (!id) return { is: 'all' };
  if (id.startsWith(ofSource)) return { is: 'source', id: id.slice(ofSource.length) };
  return { is: 'resource', id };
}

/** The address of a source. */
export function addressOfSource(id: string): string {
  return `/browse/${ofSource}${id}`;
}

/** What lies in nothing but a source, and holds other things: the tree begins with these. */
const holders: readonly Kind[] = ['database', 'schema', 'dashboard_group', 'category'];

/** What the list shows of places that hold more than one level. */
const listed: readonly Kind[] = ['table', 'dashboard', 'event', 'job'];

/** The branches of the tree below a source; of all sources, for null. */
export function branchesOfSource(id: string | null): Where {
  const inSource = id === null ? {} : { describedBy: { eq: id } };
  return { kind: { in: [...holders] }, parentId: { isSet: false }, ...inSource };
}

/** The branches of the tree below something: what is listed of it is no branch. */
export function branchesOf(id: string): Where {
  return { kind: { in: [...holders] }, parentId: { eq: id } };
}

/** What a list is narrowed to. */
export interface BrowseFilter {
  readonly name: string;
  readonly owner: string;
  readonly tag: string;
  readonly health: string;
}

/** What is listed of a place. */
export function listedAt(
  place: BrowsedPlace,
  kind: string | undefined,
  filter: BrowseFilter,
  me: string,
): { readonly where: Where; readonly kinds?: Kind[] } {
  const where = { ...narrowed(filter, me), ...within(place, kind) };
  // What lies in a schema or dashboard is all of it; what lies above them begins further down.
  const isDirect = place.is === 'resource' && kind !== 'database';
  return isDirect ? { where } : { where, kinds: [...listed] };
}

function within(place: BrowsedPlace, kind: string | undefined): Where {
  if (place.is === 'all') return {};
  if (place.is === 'source') return { describedBy: { eq: place.id } };
  return kind === 'database' ? { within: place.id } : { parentId: { eq: place.id } };
}

const names = ['incident', 'test', 'stale', 'unmonitored', 'unverified', 'undescribed'] as const;

/** A filter of a list by whether something holds. */
export type HealthName = (typeof names)[number];

export const healthNames: readonly HealthName[] = names;

const healths: Readonly<Record<HealthName, Where>> = {
  incident: { hasOpenIncident: true },
  test: { hasFailingTest: true },
  stale: { stale: true },
  unmonitored: { hasMonitor: false },
  unverified: { verified: false },
  undescribed: { description: { isSet: false } },
};

function narrowed({ name, owner, tag, health }: BrowseFilter, me: string): Where {
  const holds = names.find((one) => one === health);
  const none = { owners: { isSet: false }, ownerGroups: { isSet: false } };
  return {
    ...(name === '' ? {} : { title: { contains: name } }),
    ...(owner === 'none' ? none : {}),
    ...(owner === 'me' ? { owners: { some: { id: { eq: me } } } } : {}),
    ...(tag === '' ? {} : { tags: { some: { id: { eq: tag } } } }),
    ...(holds ? healths[holds] : {}),
  };
}

/** What a list is sorted by. */
export const sorts = ['title', 'totalUsage', 'externalUpdatedAt', 'updatedAt'] as const;
export type BrowseSort = (typeof sorts)[number];

/** The order that an address names, such as `-totalUsage`; the most used first where it names none. */
export function orderIn(text: string | null): {
  readonly by: BrowseSort;
  readonly isDown: boolean;
} {
  const by = sorts.find((name) => name === text?.replace(/^-/, ''));
  return by ? { by, isDown: text?.startsWith('-') ?? false } : { by: 'totalUsage', isDown: true };
}
