// What an incident reaches: what is made from its target, and who owns that.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import { lineage } from '../../lineage/graph.ts';
import { findResource } from '../../resources/resource.ts';

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

/** Walk downstream of an incident's target: a column's columns, a table's tables and what shows them. */
export async function incidentImpact(
  ctx: Context,
  { targetId }: Pick<Incident, 'targetId'>,
): Promise<IncidentImpact> {
  const target = await findResource(ctx, targetId);
  if (!target) return { ...nothing, isKnown: false };
  const level = target.kind === 'column' ? 'COLUMN' : 'TABLE';
  const graph = await lineage(ctx, {
    from: [targetId],
    direction: 'DOWNSTREAM',
    level,
    depth,
    maxNodes: counted,
  });
  const below = graph.nodes.filter(({ id }) => id !== targetId).map(({ id }) => id);
  const nearest = below.slice(0, shown);
  const owned = await rows<{ ownerId: string }>(
    ctx,
    Prisma.sql`select o as "ownerId" from unnest(${nearest}::uuid[]) with ordinality n(id, place)
      join resource r on r.id = n.id and r.workspace_id = ${ctx.workspaceId}::uuid
      cross join unnest(r.owner_ids) o group by o order by min(n.place), o`,
  );
  return {
    isKnown: true,
    count: Math.max((graph.totalNodes ?? graph.nodes.length) - 1, 0),
    isMore: graph.truncated && graph.totalNodes === null,
    resourceIds: nearest,
    ownerIds: owned.map(({ ownerId }) => ownerId),
  };
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
