// The tables in which columns lie.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { maxNesting } from '../walk-start.ts';

/** A column, and the table in which it lies, also within other columns. */
export interface ColumnParent {
  readonly id: string;
  /** Null for a column that lies in none. */
  readonly tableId: string | null;
  /** Whether the viewer may see the table. */
  readonly isTableVisible: boolean;
}

/** The tables of columns, in the order of the columns. */
export async function parentsOf(
  ctx: Context,
  columnIds: readonly string[],
): Promise<ColumnParent[]> {
  if (columnIds.length === 0) return [];
  const found = await rows<ColumnParent>(
    ctx,
    Prisma.sql`with recursive climb(id, parent_id, hops) as (
        select c.id, c.parent_id, 0 from unnest(${[...columnIds]}::uuid[]) n(id)
          join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = n.id
            and c.kind = 'column'
        union all
        select u.id, c.parent_id, u.hops + 1 from climb u
          join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = u.parent_id
            and c.kind = 'column'
          where u.hops < ${maxNesting})
      select distinct on (u.id) u.id, p.id as "tableId",
        coalesce(${visibleResources(ctx, 'p')}, false) as "isTableVisible"
      from climb u
      left join resource p on p.workspace_id = ${ctx.workspaceId}::uuid and p.id = u.parent_id
        and p.kind = 'table'
      order by u.id, u.hops desc`,
  );
  const byId = new Map(found.map((column) => [column.id, column]));
  return columnIds.flatMap((id) => byId.get(id) ?? []);
}
