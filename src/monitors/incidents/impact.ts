// What an incident reaches: what is made from its target, and who owns that.

import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import type { Walk, WalkPlan } from '../../lineage/walk.ts';
import { walksFrom } from '../../lineage/walks.ts';
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

/** What each of some targets reaches: a column's columns, a table's tables and what shows them. */
export async function impactsOf(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, IncidentImpact>> {
  const found = (await walksOf(ctx, targetIds, below)).map(({ targetId, walk }) => ({
    targetId,
    count: Math.max((walk.total ?? walk.nodes.count) - 1, 0),
    isMore: walk.total === null,
    resourceIds: nearestOf(walk, targetId),
  }));
  const owners = await ownersOf(ctx, found);
  return new Map(
    found.map(({ targetId, ...impact }) => [
      targetId,
      { ...impact, isKnown: true, ownerIds: owners.get(targetId) ?? [] },
    ]),
  );
}

const below = { direction: 'DOWNSTREAM', depth, maxNodes: counted } as const;
const above = { direction: 'UPSTREAM', depth: 1, maxNodes: shown + 1 } as const;

/** The nearest resources that each of some targets is made from: one step up, 20 at most. */
export async function nearestAbove(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, string[]>> {
  const found = await walksOf(ctx, targetIds, above);
  return new Map(found.map(({ targetId, walk }) => [targetId, nearestOf(walk, targetId)]));
}

/** Walk from each target that is there: from columns to columns, from tables to tables and what shows them. */
async function walksOf(
  ctx: Context,
  targetIds: readonly string[],
  plan: Pick<WalkPlan, 'direction' | 'depth' | 'maxNodes'>,
): Promise<{ targetId: string; walk: Walk }[]> {
  const targets = await readShown(ctx, targetIds, new Set(['archived']));
  const alive = [...targets].filter(([, { archived }]) => !archived);
  const walks = async (level: 'COLUMN' | 'TABLE') => {
    const own = alive.filter(([, { kind }]) => (kind === 'column') === (level === 'COLUMN'));
    const ids = own.map(([id]) => id);
    return walksFrom(ctx, ids, { ...plan, level, kinds: null, asOf: null });
  };
  const all = [...(await walks('TABLE')), ...(await walks('COLUMN'))];
  return all.map(([targetId, walk]) => ({ targetId, walk }));
}

const nearestOf = ({ nodes }: Walk, targetId: string): string[] =>
  nodes
    .part(0, shown + 1)
    .map(({ id }) => id)
    .filter((id) => id !== targetId)
    .slice(0, shown);

/** The nearest of what a target reaches. */
interface Below {
  readonly targetId: string;
  readonly resourceIds: readonly string[];
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
