// The tables in which columns lie.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** A column, and the table in which it lies. */
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
    Prisma.sql`select c.id, p.id as "tableId",
        coalesce(${visibleResources(ctx, 'p')}, false) as "isTableVisible"
      from unnest(${[...columnIds]}::uuid[]) n(id)
      join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = n.id
        and c.kind = 'column'
      left join resource p on p.workspace_id = c.workspace_id and p.id = c.parent_id
        and p.kind = 'table'`,
  );
  const byId = new Map(found.map((column) => [column.id, column]));
  return columnIds.flatMap((id) => byId.get(id) ?? []);
}
