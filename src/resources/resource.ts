// Reads of resources: one by id, many by a filter, always as far as the viewer may see.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { invalidField, notFound } from '../errors.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import type { FilterFields } from '../lists/field.ts';
import { conditionOn, type Filter, isEstimable, parseFilter, parseSorts } from '../lists/filter.ts';
import type { Listing, Partitions, SortedRows, SortTerm } from '../lists/listing.ts';
import { listPage, type Page, type PageArgs } from '../lists/page.ts';
import type { OwnedListing } from '../lists/page-of-each.ts';
import { compileWhere, type Members, type OrderTerm, orderTerms } from '../lists/where.ts';
import { isUuid } from '../text/uuid.ts';
import { currentId } from './alias.ts';
import { isKind, type Kind, kinds } from './kind.ts';
import { resourceFields } from './lists/filter-fields.ts';
import { isAmongBelow, resourceMembers, resourceOrder } from './lists/where.ts';
import { fieldsSeen } from './seen.ts';
import { type Shown, shownColumns } from './shown.ts';

/** What only some readers ask for, counted by the same statement that reads the rows. */
export interface ResourceExtras {
  /** How many resources it holds that are not archived, and that the viewer may see. */
  childrenCount?: number;
  /** The viewer's own vote: 1, -1, or 0 for none. */
  currentUserVote?: number;
}

/** A resource, with the extras its reader asked for. */
export type ResourceRow = Resource & ResourceExtras;

/** Which resource to read, and how much of it. */
export interface ResourceOptions {
  /** Kinds it may be of; a resource of another kind is not found. */
  readonly kinds?: readonly Kind[] | undefined;
  /** True to find deleted ones, too. */
  readonly archived?: boolean;
  /** True to read `childrenCount` and `currentUserVote` along with the row. */
  readonly extras?: boolean;
  /** Columns that are read; all where nothing is said. */
  readonly shown?: Shown;
}

/** One resource that the viewer may see. Throws NOT_FOUND for any other id, whatever it names. */
export async function getResource(
  ctx: Context,
  id: string,
  options: ResourceOptions = {},
): Promise<ResourceRow> {
  const resource = await findResource(ctx, id, options);
  if (!resource) throw notFound(options.kinds?.[0] ? kinds[options.kinds[0]].type : 'Resource');
  return resource;
}

/** Like getResource, but null where there is none. */
export async function findResource(
  ctx: Context,
  id: string,
  { kinds: only, archived = false, extras = false, shown = null }: ResourceOptions = {},
): Promise<ResourceRow | null> {
  if (!isUuid(id)) return null;
  const [resource] = await rows<ResourceRow>(
    ctx,
    Prisma.sql`select ${selection(ctx, extras, shown)} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = ${id}::uuid
        and ${visibleResources(ctx)} and (not r.archived or ${archived})
        and (${only === undefined} or r.kind = any(${only ?? []}::text[]))`,
  );
  if (resource) return resource;
  const kept = await currentId(ctx, id);
  return kept === null ? null : findResource(ctx, kept, { kinds: only, archived, extras, shown });
}

function selection(ctx: Context, extras: boolean, shown: Shown): Prisma.Sql {
  const columns = shownColumns(shown);
  if (!extras) return columns;
  return Prisma.sql`${columns},
    (select count(*) from resource c where c.workspace_id = r.workspace_id
      and c.parent_id = r.id and not c.archived and ${visibleResources(ctx, 'c')}) as "childrenCount",
    coalesce((select v.value from vote v where v.workspace_id = r.workspace_id
      and v.resource_id = r.id and v.user_id = ${ctx.viewer.id}::uuid), 0) as "currentUserVote"`;
}

/** What to list. */
export interface ResourceQuery {
  readonly kinds?: readonly Kind[] | undefined;
  /** A filter in the language of `parseFilter`. */
  readonly filter?: unknown;
  /** Sort terms in the language of `parseSort`, most significant first. */
  readonly sort?: readonly unknown[] | undefined;
  /** A typed filter, besides the other one. */
  readonly where?: unknown;
  /** A typed order, instead of `sort`. */
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
  /** Order where `sort` names none: newest first, or most used first. */
  readonly order?: 'newest' | 'used' | undefined;
  /** Only resources whose title contains this, without regard to case. */
  readonly title?: string | null | undefined;
  /** Only resources of this parent. */
  readonly parentId?: string | null | undefined;
  /** Only resources of this integration. */
  readonly integrationId?: string | null | undefined;
  /** Only resources that one of these teams holds. */
  readonly teamIds?: readonly string[] | null | undefined;
  readonly extras?: boolean | undefined;
  /** Columns that are read; all where nothing is said. */
  readonly shown?: Shown;
}

/** One page of the resources that the viewer may see. Deleted ones only where the filter names `archived`. */
export async function listResources(
  ctx: Context,
  query: ResourceQuery,
  args: PageArgs,
): Promise<Page<ResourceRow>> {
  return listPage<ResourceRow>(ctx, listingOf(ctx, query), args);
}

/** The resources `r` that the viewer may see, as a list for others to narrow. */
export function listingOf(ctx: Context, asked: ResourceQuery): Listing {
  // Where each kind is looked through by itself, one that is named twice would be listed twice.
  const query = { ...asked, kinds: asked.kinds && [...new Set(asked.kinds)] };
  const { where, walked } = conditions(ctx, query);
  const isByKindAlone = !isNarrowed(query);
  const { hasGenericPlan, ...order } = orderOf(ctx, query, walked !== null || isByKindAlone);
  return {
    from: Prisma.sql`resource r`,
    columns: selection(ctx, query.extras ?? false, query.shown ?? null),
    where,
    ...(walked ? { walked } : {}),
    ...order,
    // For guests the planner has to know how frequent their teams are.
    hasGenericPlan: hasGenericPlan && isByKindAlone && ctx.viewer.role !== 'guest',
    isCountCached: isByKindAlone,
    byKey: {
      key: Prisma.sql`r.id`,
      row: Prisma.sql`resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = chosen.key`,
    },
  };
}

/** Whether more than their kinds decides which of the resources that the viewer may see are listed. */
function isNarrowed({ filter, where, title, parentId, integrationId, teamIds }: ResourceQuery) {
  const given = [filter, title, parentId, integrationId, teamIds, ...Object.values(where ?? {})];
  return given.some((value) => value != null);
}

/** Which children of a parent to list. */
export type ChildQuery = Pick<ResourceQuery, 'kinds' | 'shown'>;

/** The children of a parent, by title. */
export function childrenOf(ctx: Context, query: ChildQuery): OwnedListing {
  const byTitle = { ...query, orderBy: [{ title: 'asc' }] };
  return { ...listingOf(ctx, byTitle), belongs: Prisma.sql`r.parent_id = owner.id` };
}

/** The condition on the rows of a list; and, where the planner can't estimate it, how the rows are looked for. */
function conditions(ctx: Context, query: ResourceQuery) {
  const fields = fieldsSeen(ctx, resourceFields);
  const filter = query.filter == null ? null : parseFilter(query.filter, fields);
  const compile = (members: () => Members) =>
    query.where == null ? null : compileWhere(query.where, members());
  const where = compile(() => resourceMembers(ctx));
  const short = shorthands(query, fields);
  const asksForDeleted = filter?.fields.has('archived') || where?.fields.has('archived');
  const listed = [
    Prisma.sql`r.workspace_id = ${ctx.workspaceId}::uuid`,
    visibleResources(ctx),
    ...(asksForDeleted ? [] : [Prisma.sql`not r.archived`]),
    ...ofKinds(query.kinds),
  ];
  const filters = [...short, ...(filter ? [filter] : [])];
  const all = (typed: Filter | null) =>
    Prisma.join(
      [...listed, ...[...filters, ...(typed ? [typed] : [])].map((one) => one.where)],
      ' and ',
    );
  if ([...filters, ...(where ? [where] : [])].every((one) => one.isEstimable))
    return { where: all(where), walked: null };
  const byIndex = all(compile(() => resourceMembers(ctx, isAmongBelow)));
  const alias = Prisma.sql`r`;
  return { where: all(where), walked: { where: Prisma.join(listed, ' and '), alias, byIndex } };
}

/**
 * One kind is compared with `=`: only so can an index give the rows of a kind in their order. It stands in the statement
 * itself, since the plan for a kind with few rows is another than for one with many.
 */
function ofKinds(only: readonly Kind[] | undefined): Prisma.Sql[] {
  if (!only) return [];
  const [first, ...others] = only;
  if (first && isKind(first) && others.length === 0) return [Prisma.raw(`r.kind = '${first}'`)];
  return [Prisma.sql`r.kind = any(${[...only]}::text[])`];
}

/** The filters that have a name of their own. An empty string filters nothing. */
function shorthands(query: ResourceQuery, fields: FilterFields): Filter[] {
  const words = [
    ['contains', 'title', 'title', query.title],
    ['exact', 'parent_id', 'parentId', query.parentId],
    ['exact', 'integration_id', 'integrationId', query.integrationId],
    ['in', 'teams', 'teamIds', query.teamIds],
  ] as const;
  return words.flatMap(([operator, name, path, value]) => {
    const field = fields[name];
    const asks = value != null && value.length > 0;
    if (!field || !asks) return [];
    const where = conditionOn(operator, field, value, path);
    return [{ where, fields: new Set([name]), isEstimable: isEstimable(operator, field) }];
  });
}

/** Fields by which an index has all resources in order, under the names of the typed order. */
const indexed = [
  'createdAt',
  'updatedAt',
  'externalUpdatedAt',
  'title',
  'titleFull',
  'externalUsage',
  'totalUsage',
  'kind',
];
const keyOf = (terms: readonly SortTerm[]) => terms.map(({ by }) => by.text).join();
const termsBy = (name: string) => orderTerms([{ [name]: 'asc' }], resourceOrder);
const byIndex = new Set(indexed.map((name) => keyOf(termsBy(name))));
const byTitle = keyOf(termsBy('title'));
const byKind = keyOf(termsBy('kind'));
const byCreation = keyOf(termsBy('createdAt'));
/** Orders by which an index has the resources of each kind. */
const indexedByKind = new Set([byCreation, keyOf(termsBy('updatedAt')), byTitle, byKind]);

interface ResourceOrder {
  readonly order: SortTerm[];
  readonly partitions?: Partitions;
  readonly sorted?: SortedRows;
  readonly hasAnchors?: boolean;
  /** Whether an index has the resources of these kinds in this very order, however many a workspace has. */
  readonly hasGenericPlan: boolean;
}

/** The order of a list, and what is known of its indexes; `isLong` where nothing narrows what is read in that order. */
function orderOf(ctx: Context, query: ResourceQuery, isLong: boolean): ResourceOrder {
  const { sort = [], orderBy, order = 'newest', kinds: only } = query;
  const typed = orderTerms(orderBy, resourceOrder);
  if (typed.length > 0 && sort.length > 0)
    throw invalidField('orderBy', 'Use it or sort, not both.');
  const asked = [...typed, ...parseSorts(sort, fieldsSeen(ctx, resourceFields))];
  const terms =
    asked.length > 0 ? asked : termsOf(order === 'used' ? 'externalUsage' : 'createdAt');
  const key = keyOf(terms);
  // Rows that are equal come in the same direction: so one index gives the order, and its reverse.
  const descending = terms.at(-1)?.descending ?? true;
  const byTime: SortTerm = { by: Prisma.sql`r.created_at`, type: 'timestamptz', descending };
  const byId: SortTerm = { by: Prisma.sql`r.id`, type: 'uuid', descending };
  // The index of kinds goes on by time.
  const sorted = [...terms, ...(key === byKind ? [byTime] : []), byId];
  if (!byIndex.has(key)) {
    const field = sort.length > 0 ? 'sort' : 'orderBy';
    return { order: sorted, sorted: { field, instead: indexed }, hasGenericPlan: false };
  }
  if (key !== byTitle || !isLong || only?.length === 1) {
    const hasGenericPlan = only ? only.length === 1 && indexedByKind.has(key) : key !== byTitle;
    return { order: sorted, hasAnchors: key === byCreation || key === byKind, hasGenericPlan };
  }
  const values = [...(only ?? Object.keys(kinds))];
  const partitions = { by: Prisma.sql`r.kind`, values, alias: Prisma.sql`r` };
  return { order: sorted, partitions, hasGenericPlan: true };
}

const termsOf = (name: string) => orderTerms([{ [name]: 'desc' }], resourceOrder);
