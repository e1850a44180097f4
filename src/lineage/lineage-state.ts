// The state of the lineage next to a resource: by it one sees that it changed.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { loadResources } from '../resources/loaders.ts';

/** What flows directly into or out of a resource or its columns, as far as the viewer sees both ends. */
export interface LineageState {
  /** The resource. */
  readonly id: string;
  /** Edges that hold. */
  readonly edgeCount: number;
  /** When one of them began, changed or ended last; null where there never was one. */
  readonly changedAt: Date | null;
}

/** The states of those of these resources that the viewer may see, in one statement. */
export async function lineageStates(
  ctx: Context,
  wanted: readonly string[],
): Promise<LineageState[]> {
  const seen = await loadResources(ctx, wanted);
  const ids = seen.map(({ id }) => id);
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  const found = await rows<LineageState>(
    ctx,
    Prisma.sql`with own(id, part) as (
        select x.id, x.id from unnest(${ids}::uuid[]) x(id)
        union all
        select x.id, c.id from unnest(${ids}::uuid[]) x(id)
          join resource c on c.workspace_id = ${ws} and c.parent_id = x.id and c.kind = 'column'),
      touching as (
        select o.id, e.source_id, e.target_id, e.id as edge_id, e.valid_to, e.updated_at from own o
          join lineage_edge e on e.workspace_id = ${ws} and e.source_id = o.part
        union
        select o.id, e.source_id, e.target_id, e.id as edge_id, e.valid_to, e.updated_at from own o
          join lineage_edge e on e.workspace_id = ${ws} and e.target_id = o.part)
      select x.id, count(e.updated_at) filter (where e.valid_to is null)::integer as "edgeCount",
        max(e.updated_at) as "changedAt"
      from unnest(${ids}::uuid[]) x(id)
      left join lateral (select u.valid_to, u.updated_at from touching u
        join resource s on s.workspace_id = ${ws} and s.id = u.source_id and ${visibleResources(ctx, 's')}
        join resource t on t.workspace_id = ${ws} and t.id = u.target_id and ${visibleResources(ctx, 't')}
        where u.id = x.id) e on true
      group by x.id`,
  );
  return found;
}
