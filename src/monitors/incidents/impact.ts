// What an incident reaches: what is made from its target, and who owns that.

import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import { lineage } from '../../lineage/graph.ts';
import { readShown } from '../../resources/loaders.ts';

/** What lies downstream of an incident's target. */
export interface IncidentImpact {
  /** How many resources, as far as they were counted. */
  readonly count: number;
  /** True when there are more than were counted. */
  readonly isMore: boolean;
  /** The nearest of them, 20 at most. */
  readonly resourceIds: readonly string[];
  /** False where the target is gone, or archived. */
  readonly isKnown: boolean;
  /** Who owns the nearest of them. */
  readonly ownerIds: readonly string[];
}

const shown = 20;
const counted = 1_000;
const depth = 10;

const nothing = { count: 0, isMore: false, resourceIds: [], ownerIds: [] };

/** What an incident reaches; what many of one request reach is read together. */
export async function loadImpact(
  ctx: Context,
  { targetId }: Pick<Incident, 'targetId'>,
): Promise<IncidentImpact> {
  return (await loaderOf(ctx, impactsOf).load(targetId)) ?? { ...nothing, isKnown: false };
}

/** What an incident reaches, looked up by itself: a column's columns, a table's tables and what shows them. */
export async function incidentImpact(
  ctx: Context,
  { targetId }: Pick<Incident, 'targetId'>,
): Promise<IncidentImpact> {
  return (await impactsOf(ctx, [targetId])).get(targetId) ?? { ...nothing, isKnown: false };
}

/** Walk downstream of each target: from a column to columns, from a table to tables and what shows them. */
async function impactsOf(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, IncidentImpact>> {
  const targets = await readShown(ctx, targetIds, new Set(['archived']));
  const walks = await Promise.all(
    [...targets].map(async ([targetId, { kind, archived }]) =>
      archived ? [] : [await walkBelow(ctx, targetId, kind)],
    ),
  );
  const found = walks.flat();
  const owners = await ownersOf(ctx, found);
  return new Map(
    found.map(({ targetId, ...impact }) => [
      targetId,
      { ...impact, isKnown: true, ownerIds: owners.get(targetId) ?? [] },
    ]),
  );
}

/** The nearest of what a target reaches. */
interface Below {
  readonly targetId: string;
  readonly resourceIds: readonly string[];
}

async function walkBelow(ctx: Context, targetId: string, kind: string) {
  const graph = await lineage(ctx, {
    from: [targetId],
    direction: 'DOWNSTREAM',
    level: kind === 'column' ? 'COLUMN' : 'TABLE',
    depth,
    maxNodes: counted,
  });
  const below = graph.nodes.filter(({ id }) => id !== targetId).map(({ id }) => id);
  return {
    targetId,
    count: Math.max((graph.totalNodes ?? graph.nodes.length) - 1, 0),
    isMore: graph.truncated && graph.totalNodes === null,
    resourceIds: below.slice(0, shown),
  };
}

/** Who owns the nearest, by target: those of the nearest first. */
async function ownersOf(ctx: Context, found: readonly Below[]): Promise<Map<string, string[]>> {
  const near = found.flatMap(({ targetId, resourceIds }) =>
    resourceIds.map((id) => ({ targetId, id })),
  );
  if (near.length === 0) return new Map();
  const owned = await rows<{ targetId: string; ownerId: string }>(
    ctx,
    Prisma.sql`select n.target as "targetId", o as "ownerId"
      from unnest(${near.map(({ targetId }) => targetId)}::uuid[], ${near.map(({ id }) => id)}::uuid[])
        with ordinality n(target, id, place)
      join resource r on r.id = n.id and r.workspace_id = ${ctx.workspaceId}::uuid
      cross join unnest(r.owner_ids) o group by n.target, o order by min(n.place), o`,
  );
  const owners = new Map<string, string[]>();
  for (const { targetId, ownerId } of owned) {
    owners.set(targetId, [...(owners.get(targetId) ?? []), ownerId]);
  }
  return owners;
}

/** The nearest resources that an incident's target is made from: one step up, 20 at most. */
export async function nearestAbove(
  ctx: Context,
  { targetId, kind }: { readonly targetId: string; readonly kind: string },
): Promise<string[]> {
  const graph = await lineage(ctx, {
    from: [targetId],
    direction: 'UPSTREAM',
    level: kind === 'column' ? 'COLUMN' : 'TABLE',
    depth: 1,
    maxNodes: shown + 1,
  });
  const above = graph.nodes.filter(({ id }) => id !== targetId).map(({ id }) => id);
  return above.slice(0, shown);
}
