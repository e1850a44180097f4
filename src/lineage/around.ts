// Counts around the nodes of a picture: neighbours of each, and those not shown.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma, type Resource } from '../generated/prisma/client.ts';
import { aliveAt, edgesAt, type WalkScope } from './neighbours.ts';
import type { WalkNode } from './walk.ts';

/** Direct neighbours that the viewer may see, and how many of them are not in the picture. */
export interface Beside {
  readonly all: number;
  readonly hidden: number;
}

/** What lies around a node, one step away. */
export interface Around {
  readonly upstream: Beside;
  readonly downstream: Beside;
}

/** A node, and what lies one step around it. */
export interface PictureNode extends WalkNode {
  /** What lies one step around a node of the same picture. */
  readonly around: (id: string) => Promise<Around>;
  /** The resources of all nodes, where they were read with them. */
  readonly resources: ReadonlyMap<string, Resource> | null;
}

/** A node as a picture shows it. Its fields are named one by one: there are many nodes, and spreading takes longer. */
export function pictureNode(
  { id, kind, depth, direction }: WalkNode,
  around: PictureNode['around'],
  resources: PictureNode['resources'],
): PictureNode {
  return { id, kind, depth, direction, around, resources };
}

export const nothingAround: Around = {
  upstream: { all: 0, hidden: 0 },
  downstream: { all: 0, hidden: 0 },
};

/** What lies around each of the nodes of a picture, in one statement. */
export async function aroundEach(
  ctx: Context,
  ids: readonly string[],
  scope: WalkScope,
): Promise<Map<string, Around>> {
  const found = await rows<Beside & { via: string; up: boolean }>(
    ctx,
    Prisma.sql`select n.via, n.up, count(*) as all, count(*) filter (where k.id is null) as hidden
      from (select distinct id, via, up
        from (${edgesAt(ctx, { up: ids, down: ids }, scope)}) e) n
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      left join unnest(${[...ids]}::uuid[]) k(id) on k.id = n.id
      where ${aliveAt(scope)} and ${visibleResources(ctx)}
      group by n.via, n.up`,
  );
  const around = new Map<string, Around>();
  for (const { via, up, all, hidden } of found) {
    const side = up ? 'upstream' : 'downstream';
    around.set(via, { ...(around.get(via) ?? nothingAround), [side]: { all, hidden } });
  }
  return around;
}
