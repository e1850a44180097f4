// The tables in which columns lie.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { climbFrom } from '../../resources/lists/nesting.ts';

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
    Prisma.sql`with recursive ${climbFrom(ctx, Prisma.sql`select unnest(${[...columnIds]}::uuid[])`)}
      select distinct on (c.leaf) c.leaf as id, p.id as "tableId",
        coalesce(${visibleResources(ctx, 'p')}, false) as "isTableVisible"
      from climb c
      left join resource p on p.workspace_id = ${ctx.workspaceId}::uuid and p.id = c.id
        and p.kind = 'table'
      where c.hops > 0 or c.kind = 'column'
      order by c.leaf, c.hops desc`,
  );
  const byId = new Map(found.map((column) => [column.id, column]));
  return columnIds.flatMap((id) => byId.get(id) ?? []);
}
