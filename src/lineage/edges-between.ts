// The edges among the nodes of a picture, as the database has them.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { LineageOrigin, LineageStrength } from './connect.ts';
import { holdsAt, type WalkScope } from './neighbours.ts';
import type { Use } from './sql/scope/use.ts';
import type { WalkNode } from './walk.ts';

/** An edge between two nodes. Where several origins name it, it is one edge still. */
export interface GraphEdge {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly origin: LineageOrigin;
  readonly isManual: boolean;
  /** The SQL expression that makes the target, where a query says it. */
  readonly expression: string | null;
  readonly strength: LineageStrength;
  /** What the source is used for; empty where nothing says it. */
  readonly uses: readonly Use[];
}

/** All edges among the nodes, those between nodes of equal depth included; a pair is one edge. */
export async function edgesBetween(
  ctx: Context,
  nodes: readonly WalkNode[],
  scope: WalkScope,
): Promise<GraphEdge[]> {
  const ids = nodes.map(({ id }) => id);
  return rows<GraphEdge>(
    ctx,
    Prisma.sql`select distinct on (e.source_id, e.target_id) e.id,
        e.source_id as "sourceId", e.target_id as "targetId", e.origin, e.expression,
        e.strength, e.uses,
        e.origin = 'MANUAL' as "isManual"
      from unnest(${ids}::uuid[]) s(id)
      join lineage_edge e on e.source_id = s.id
      join unnest(${ids}::uuid[]) t(id) on t.id = e.target_id
      where e.workspace_id = ${ctx.workspaceId}::uuid and ${holdsAt(scope)}
      order by e.source_id, e.target_id, e.implied, (e.origin = 'MANUAL') desc, e.id`,
  );
}
