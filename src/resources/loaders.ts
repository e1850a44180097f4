// Reads many resources at once for the fields of a request.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { type Batch, loaderInFamily, loaderOf } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import type { Page, PageArgs } from '../lists/page.ts';
import { loadPage } from '../lists/page-of-each.ts';
import { isUuid, notAnId } from '../text/uuid.ts';
import { currentIds } from './alias.ts';
import type { Kind } from './kind.ts';
import { type ColumnParent, columnsBelow, parentsOf } from './lists/nesting.ts';
import { type ChildQuery, childrenOf, type ResourceRow } from './resource.ts';
import { keyOf, type Shown, shownColumns } from './shown.ts';

/** The resource of an id, or null where there is none that the viewer may see. */
export async function loadResource(ctx: Context, id: string): Promise<Resource | null> {
  return (await loaderOf(ctx, resourcesById).load(id)) ?? null;
}

/** The resources of many ids, in their order, without those that the viewer may not see. */
export async function loadResources(ctx: Context, ids: readonly string[]): Promise<Resource[]> {
  const loaded = await Promise.all(ids.map((id) => loadResource(ctx, id)));
  return loaded.filter((resource) => resource !== null);
}

/** The same for what only shows them: of the columns those that its answer shows. */
export async function loadShown(ctx: Context, id: string, shown: Shown): Promise<Resource | null> {
  if (!shown) return loadResource(ctx, id);
  const batch = (): Batch<string, Resource> => (within, ids) => readShown(within, ids, shown);
  const loader = loaderInFamily(ctx, loadShown, keyOf(shown), batch);
  return (await loader.load(id)) ?? null;
}

function resourcesById(ctx: Context, ids: readonly string[]): Promise<Map<string, Resource>> {
  return readShown(ctx, ids, null);
}

/**
 * The resources of many ids by them, without those that the viewer may not see: in one statement of its own,
 * with the columns that an answer shows.
 */
export async function readShown(
  ctx: Context,
  ids: readonly string[],
  shown: Shown,
): Promise<Map<string, Resource>> {
  const found = await rows<Resource>(
    ctx,
    Prisma.sql`select ${shownColumns(shown)} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])
        and ${visibleResources(ctx)}`,
  );
  const byId = new Map(found.map((resource) => [resource.id, resource]));
  const missing = ids.filter((id) => !byId.has(id));
  if (missing.length === 0) return byId;
  const kept = await currentIds(ctx, missing);
  if (kept.size === 0) return byId;
  const others = await readShown(ctx, [...new Set(kept.values())], shown);
  for (const [old, id] of kept) {
    const resource = others.get(id);
    if (resource) byId.set(old, resource);
  }
  return byId;
}

/** How many resources the viewer may see within one, without deleted ones. */
export async function loadChildrenCount(ctx: Context, id: string): Promise<number> {
  return (await loaderOf(ctx, childrenCounts).load(id)) ?? 0;
}

async function childrenCounts(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ id: string; n: number }>(
    ctx,
    Prisma.sql`select r.parent_id as id, count(*) as n from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.parent_id = any(${[...ids]}::uuid[])
        and not r.archived and ${visibleResources(ctx)} group by r.parent_id`,
  );
  return new Map(found.map(({ id, n }) => [id, n]));
}

/** The viewer's own votes: 1, -1, or 0 for none. */
export async function loadVote(ctx: Context, id: string): Promise<number> {
  return (await loaderOf(ctx, votesById).load(id)) ?? 0;
}

async function votesById(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const found = await rows<{ id: string; value: number }>(
    ctx,
    Prisma.sql`select v.resource_id as id, v.value from vote v
      where v.workspace_id = ${ctx.workspaceId}::uuid and v.user_id = ${ctx.viewer.id}::uuid
        and v.resource_id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map(({ id, value }) => [id, value]));
}

/** A page of the children of one parent, by title. */
export async function loadChildPage(
  ctx: Context,
  parentId: string,
  query: ChildQuery,
  args: PageArgs,
): Promise<Page<ResourceRow>> {
  return loadPage(ctx, childrenOf, { ownerId: parentId, query, args });
}

/** How many children of one parent a nested field returns at most; the connection returns more. */
export const maxNested = 1000;

/** Where those without a place of their own are: behind all others. */
const lastPlace = 2_147_483_647;

/** Which children of each parent are read, how many, and which columns of them. */
export interface FirstChildren {
  readonly kind: Kind;
  readonly first: number;
  /** Only those behind this one, by its id; all of them where absent, none where it lies elsewhere. */
  readonly after?: string | null | undefined;
  readonly shown: Shown;
}

/**
 * The children of a kind of one parent, those of many parents read in one statement: columns in their
 * order, others by title. `first` bounds each parent's share. Throws BAD_REQUEST where `after` isn't an id.
 */
export async function loadChildren(
  ctx: Context,
  parentId: string,
  asked: FirstChildren,
): Promise<Resource[]> {
  const { kind, first, after, shown } = asked;
  if (after && !isUuid(after)) throw invalidField('after', notAnId);
  const way = `${kind} ${first} ${after ?? ''} ${shown ? keyOf(shown) : 'all'}`;
  const batch = (): Batch<string, Resource[]> => (within, ids) => readChildren(within, ids, asked);
  return (await loaderInFamily(ctx, loadChildren, way, batch).load(parentId)) ?? [];
}

/** The columns within columns of one table, those of many tables read in one statement; at most `maxNested` of each. */
export async function loadNestedColumns(
  ctx: Context,
  tableId: string,
  shown: Shown,
): Promise<Resource[]> {
  const way = shown ? keyOf(shown) : 'all';
  const batch = (): Batch<string, Resource[]> => (within, ids) => readNested(within, ids, shown);
  return (await loaderInFamily(ctx, loadNestedColumns, way, batch).load(tableId)) ?? [];
}

/** The table in which a column lies, those of many columns found in one statement; null where the viewer may not see it. */
export async function loadTableOf(
  ctx: Context,
  columnId: string,
  shown: Shown,
): Promise<Resource | null> {
  const place = await loaderOf(ctx, tablesByColumn).load(columnId);
  return place?.tableId && place.isTableVisible ? loadShown(ctx, place.tableId, shown) : null;
}

async function tablesByColumn(
  ctx: Context,
  columnIds: readonly string[],
): Promise<Map<string, ColumnParent>> {
  return new Map((await parentsOf(ctx, columnIds)).map((place) => [place.id, place]));
}

async function readNested(
  ctx: Context,
  tableIds: readonly string[],
  shown: Shown,
): Promise<Map<string, Resource[]>> {
  const tables = Prisma.sql`select unnest(${[...tableIds]}::uuid[])`;
  const found = await rows<Resource & { tableId: string }>(
    ctx,
    Prisma.sql`with recursive ${columnsBelow(ctx, tables, { where: Prisma.sql`not r.archived` })},
      nested as (
        select b.*, row_number() over (partition by b.root order by b.hops, b.id) as place
          from below b where b.hops > 1)
      select ${shownColumns(shown)}, n.root as "tableId" from nested n
        join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      where n.place <= ${maxNested} and ${visibleResources(ctx)}
      order by n.hops, r.parent_id, r.sort_order nulls last, r.title, r.id`,
  );
  const nested = new Map<string, Resource[]>(tableIds.map((id) => [id, []]));
  for (const { tableId, ...column } of found) nested.get(tableId)?.push(column);
  return nested;
}

async function readChildren(
  ctx: Context,
  parentIds: readonly string[],
  { kind, first, after, shown }: FirstChildren,
): Promise<Map<string, Resource[]>> {
  const place = (alias: string) =>
    Prisma.raw(`coalesce(${alias}.sort_order, ${lastPlace}), ${alias}.title, ${alias}.id`);
  const behind = after
    ? Prisma.sql`and (${place('r')}) > (select ${place('a')} from resource a
        where a.workspace_id = ${ctx.workspaceId}::uuid and a.id = ${after}::uuid and a.parent_id = p.id)`
    : Prisma.empty;
  const found = await rows<Resource>(
    ctx,
    Prisma.sql`select r.* from unnest(${[...parentIds]}::uuid[]) p(id) cross join lateral (
        select ${shownColumns(shown)} from resource r
          where r.workspace_id = ${ctx.workspaceId}::uuid and r.parent_id = p.id
            and r.kind = ${kind} and not r.archived and ${visibleResources(ctx)} ${behind}
          order by ${place('r')} limit ${first}) r`,
  );
  const children = new Map<string, Resource[]>(parentIds.map((id) => [id, []]));
  for (const child of found) children.get(child.parentId ?? '')?.push(child);
  return children;
}
