// What lies below resources in one step: from memory where the graph is there, else from the database.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { graphInMemory } from '../memory/kept.ts';
import { belowInMemory, pairsInMemory } from '../memory/one-step.ts';
import { takingTurns } from '../memory/turns.ts';
import {
  aliveAt,
  holdsAt,
  maxStep,
  type Neighbour,
  neighbours,
  type WalkScope,
} from '../neighbours.ts';

/** The distinct places that data flows to from others, ordered by id. */
export async function below(
  ctx: Context,
  ids: readonly string[],
  scope: WalkScope,
): Promise<Neighbour[]> {
  if (ids.length === 0) return [];
  const graph = await graphInMemory(ctx, scope.level);
  if (graph) return belowInMemory(ctx, graph, ids, scope, takingTurns(ctx));
  return neighbours(ctx, { up: [], down: ids }, scope);
}

const tableScope: WalkScope = { level: 'TABLE', asOf: null };

/** The pairs of a table and what reads it, but for what is known; `most` of them. */
export async function readersOf(
  ctx: Context,
  tableIds: readonly string[],
  isKnown: (id: string) => boolean,
  most: number,
): Promise<{ readonly via: string; readonly id: string }[]> {
  if (tableIds.length === 0) return [];
  const graph = await graphInMemory(ctx, 'TABLE');
  if (graph) return pairsInMemory(graph, tableIds, isKnown, most, takingTurns(ctx));
  const pairs = await rows<{ via: string; id: string }>(
    ctx,
    Prisma.sql`select distinct t.id as via, r.id
      from unnest(${[...tableIds]}::uuid[]) t(id)
      join lineage_edge e on e.workspace_id = ${ctx.workspaceId}::uuid and e.source_id = t.id
        and ${holdsAt(tableScope)}
      join resource r on r.workspace_id = e.workspace_id and r.id = e.target_id
      where ${aliveAt(tableScope)}
      order by t.id, r.id limit ${maxStep}`,
  );
  return pairs.filter(({ id }) => !isKnown(id)).slice(0, most);
}
