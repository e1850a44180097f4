// Lineage entries: the two ways in which each edge is shown, created and deleted.

import { type DeedSubject, nameOf, record } from '../audit/audit.ts';
import { changeOf } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { mustBeAllowed, visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { type LineageEdge, Prisma, type Resource } from '../generated/prisma/client.ts';
import { noteHappening } from '../jobs/happening.ts';
import { idsIn } from '../lists/filter-value.ts';
import { listPage, type Page, type PageArgs } from '../lists/page.ts';
import { idsOfNowIn } from '../resources/alias.ts';
import { findResource, getResource } from '../resources/resource.ts';
import { isUuid, unknownIds } from '../text/uuid.ts';
import { connect, disconnect, edgeColumns, type LineageOrigin } from './connect.ts';

/** The ways to show an edge: as `from` flows into `to`, or as `to` flows into `from`. */
export const entryDirections = ['UPSTREAM', 'DOWNSTREAM'] as const;
export type EntryDirection = (typeof entryDirections)[number];

/** One of the two entries of an edge: `to` lies in `direction` of `from`. */
export interface LineageEntry {
  /** Id of the entry: the edge's own for DOWNSTREAM, one that is made from it for UPSTREAM. */
  readonly id: string;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  /** Number of the edge's state: both of its entries have the same. */
  readonly version: number;
  readonly fromId: string;
  readonly toId: string;
  readonly direction: EntryDirection;
  readonly origin: LineageOrigin;
  readonly isManual: boolean;
}

export interface NewLineage {
  readonly fromId: string;
  readonly toId: string;
  /** DOWNSTREAM, the default: data flows from `from` to `to`. */
  readonly direction?: EntryDirection | null | undefined;
}

/** Which entries to list. Absent, null or empty filters nothing; what is no id matches nothing. */
export interface EntryQuery {
  readonly fromIds?: readonly string[] | null | undefined;
  readonly toIds?: readonly string[] | null | undefined;
  readonly isManual?: boolean | null | undefined;
}

/**
 * Draw an edge by hand and return the entry of the given direction; editors may. An edge that was
 * drawn before is returned as it is. Throws NOT_FOUND for an end the viewer may not see and
 * BAD_REQUEST for an edge from a resource to itself.
 */
export async function createLineage(ctx: Context, input: NewLineage): Promise<LineageEntry> {
  mustBeAllowed(ctx, 'edit lineage');
  return transaction(ctx, async (tx) => {
    const from = await endOf(tx, 'from_entity', input.fromId);
    const to = await endOf(tx, 'to_entity', input.toId);
    if (from.id === to.id) throw invalidField('to_entity', 'A resource has no lineage to itself.');
    const direction = input.direction ?? 'DOWNSTREAM';
    const [source, target] = direction === 'DOWNSTREAM' ? [from, to] : [to, from];
    const pair = { sourceId: source.id, targetId: target.id };
    const [made] = await connect(tx, [pair], { origin: 'MANUAL' });
    if (made) await recordEdge(tx, 'lineage_created', source, target);
    return entryOf(made ?? (await drawnEdge(tx, source.id, target.id)), direction);
  });
}

/** An end of a new edge. Throws BAD_REQUEST that names the field, as for whatever else a body names. */
async function endOf(tx: Context, field: string, id: string): Promise<Resource> {
  const resource = await findResource(tx, id);
  if (!resource) throw invalidField(field, unknownIds('resource', [id]));
  return resource;
}

/**
 * Delete an edge by the id of either of its entries; editors may. Its past stays known to `asOf`.
 * Throws NOT_FOUND, and CONFLICT for an edge that only follows from edges between columns.
 */
export async function deleteLineage(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<LineageEntry> {
  mustBeAllowed(ctx, 'edit lineage');
  return transaction(ctx, async (tx) => {
    const { edge, direction } = await findEdge(tx, id, Prisma.sql`for update of e`);
    await mustBeAtVersion(tx, edge, expectedVersion);
    if (edge.implied) {
      throw conflict('This edge follows from edges between columns: delete those.');
    }
    const source = await getResource(tx, edge.sourceId);
    const target = await getResource(tx, edge.targetId);
    await disconnect(tx, [edge.id]);
    await recordEdge(tx, 'lineage_deleted', source, target);
    return entryOf(edge, direction);
  });
}

/** One entry, by its id. Throws NOT_FOUND, also where the viewer may not see one of the ends. */
export async function getLineageEntry(ctx: Context, id: string): Promise<LineageEntry> {
  const { edge, direction } = await findEdge(ctx, id);
  return entryOf(edge, direction);
}

/** Both entries of each edge that was named and whose ends the viewer may see, newest first. */
export async function listLineageEntries(
  ctx: Context,
  query: EntryQuery,
  args: PageArgs,
): Promise<Page<LineageEntry>> {
  return listPage<LineageEntry>(
    ctx,
    {
      from: Prisma.sql`lineage_edge e cross join lateral (values
          (e.id, e.source_id, e.target_id, 'DOWNSTREAM'),
          (${upstreamId}, e.target_id, e.source_id, 'UPSTREAM')
        ) n(id, from_id, to_id, direction)`,
      columns: Prisma.sql`n.id, e.created_at as "createdAt", e.updated_at as "updatedAt",
        e.version, n.from_id as "fromId", n.to_id as "toId", n.direction, e.origin,
        e.origin = 'MANUAL' as "isManual"`,
      where: Prisma.join(
        [
          Prisma.sql`e.workspace_id = ${ctx.workspaceId}::uuid`,
          Prisma.sql`e.valid_to is null and not e.implied and e.strength = 'DIRECT'`,
          ...filters(ctx, query),
          endsAreVisible(ctx),
        ],
        ' and ',
      ),
      order: [
        { by: Prisma.sql`e.created_at`, type: 'timestamptz', descending: true },
        { by: Prisma.sql`e.id`, type: 'uuid', descending: false },
        { by: Prisma.sql`n.direction`, type: 'text', descending: false },
      ],
    },
    args,
  );
}

function filters(ctx: Context, { fromIds, toIds, isManual }: EntryQuery): Prisma.Sql[] {
  const conditions: Prisma.Sql[] = [];
  for (const [field, end, ids] of [
    ['fromIds', Prisma.sql`n.from_id`, fromIds],
    ['toIds', Prisma.sql`n.to_id`, toIds],
  ] as const) {
    if (ids && ids.length > 0) conditions.push(hasEnd(ctx, end, idsIn(field, ids)));
  }
  if (isManual != null) conditions.push(Prisma.sql`(e.origin = 'MANUAL') = ${isManual}`);
  return conditions;
}

// The second half says nothing new, but lets the edges be found by their indexes.
function hasEnd(ctx: Context, end: Prisma.Sql, ids: readonly string[]): Prisma.Sql {
  const set = Prisma.sql`any(${idsOfNowIn(ctx, Prisma.sql`${ids}::uuid[]`)})`;
  return Prisma.sql`${end} = ${set} and (e.source_id = ${set} or e.target_id = ${set})`;
}

/** Whether both ends of the edge, alias `e`, are resources that the viewer may see. */
function endsAreVisible(ctx: Context): Prisma.Sql {
  const isVisible = (end: Prisma.Sql) =>
    Prisma.sql`exists (select from resource r where r.workspace_id = e.workspace_id
      and r.id = ${end} and not r.archived and ${visibleResources(ctx)})`;
  const ends = [isVisible(Prisma.sql`e.source_id`), isVisible(Prisma.sql`e.target_id`)];
  return Prisma.join(ends, ' and ');
}

/**
 * The id of an edge's UPSTREAM entry, or of the edge that has such an entry: the first bit is the other one. Ids
 * made of the time begin with the same bit, and of random ones no two differ in one bit alone.
 */
function twinOf(id: string): string {
  return (Number.parseInt(id.charAt(0), 16) ^ 8).toString(16) + id.slice(1).toLowerCase();
}

/** The same in SQL, of the edge `e`; edges of before have one of their own. */
const upstreamId = Prisma.sql`coalesce(e.upstream_id, overlay(e.id::text placing
  translate(left(e.id::text, 1), '0123456789abcdef', '89abcdef01234567') from 1)::uuid)`;

interface Found {
  readonly edge: LineageEdge;
  readonly direction: EntryDirection;
}

async function findEdge(ctx: Context, id: string, lock = Prisma.empty): Promise<Found> {
  const [edge] = isUuid(id)
    ? await rows<LineageEdge>(
        ctx,
        Prisma.sql`select ${edgeColumns} from lineage_edge e
          where e.workspace_id = ${ctx.workspaceId}::uuid
            and (e.id = ${id}::uuid or e.upstream_id = ${id}::uuid
              or e.id = ${twinOf(id)}::uuid and e.upstream_id is null) and e.valid_to is null
            and e.strength = 'DIRECT' and ${endsAreVisible(ctx)} ${lock}`,
      )
    : [];
  if (!edge) throw notFound('Lineage entry');
  return { edge, direction: edge.id === id.toLowerCase() ? 'DOWNSTREAM' : 'UPSTREAM' };
}

/** The edge that was drawn before, when drawing it again made nothing new. */
async function drawnEdge(tx: Context, sourceId: string, targetId: string): Promise<LineageEdge> {
  const edge = await tx.db.lineageEdge.findFirst({
    where: { workspaceId: tx.workspaceId, sourceId, targetId, origin: 'MANUAL', validTo: null },
  });
  if (!edge) throw conflict('The edge was just deleted; create it again.');
  return edge;
}

function entryOf(edge: LineageEdge, direction: EntryDirection): LineageEntry {
  const isDownstream = direction === 'DOWNSTREAM';
  return {
    id: isDownstream ? edge.id : (edge.upstreamId ?? twinOf(edge.id)),
    createdAt: edge.createdAt,
    updatedAt: edge.updatedAt,
    version: edge.version,
    fromId: isDownstream ? edge.sourceId : edge.targetId,
    toId: isDownstream ? edge.targetId : edge.sourceId,
    direction,
    origin: originOf(edge),
    isManual: edge.origin === 'MANUAL',
  };
}

function originOf({ origin }: LineageEdge): LineageOrigin {
  switch (origin) {
    case 'MANUAL':
    case 'QUERY':
    case 'ARTIFACT':
    case 'RUN':
    case 'SOURCE':
      return origin;
    default:
      return 'IMPORT';
  }
}

async function recordEdge(
  tx: Context,
  activity: 'lineage_created' | 'lineage_deleted',
  source: DeedSubject,
  target: DeedSubject,
): Promise<void> {
  const isNew = activity === 'lineage_created';
  const edge = `${source.title} -> ${target.title}`;
  await record(tx, {
    activity,
    subject: source,
    related: { ids: [target.id], type: target.kind },
    changes: [changeOf('lineage', isNew ? null : edge, isNew ? edge : null)],
    says: `${nameOf(tx.viewer)} ${isNew ? 'drew' : 'deleted'} the lineage from ${source.title} to ${target.title}`,
  });
  const named = ({ id, kind, title }: DeedSubject) => ({ id, kind, title });
  await noteHappening(tx, 'lineage_changed', {
    ...{ what: isNew ? 'drawn' : 'deleted', by: nameOf(tx.viewer) },
    ...{ sources: [named(source)], target: named(target) },
  });
}
