// Columns nest in columns: the columns below something, and the table in which a column lies.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Columns nest in columns no deeper than this. */
export const maxNesting = 20;

/** Which columns count, as rows `r` of `resource`. */
interface Below {
  readonly where?: Prisma.Sql;
}

/**
 * A recursive query by the name of `below(root, id, hops)`, to be written after `with recursive`: each of `roots`, a query
 * for ids, itself at 0 hops, and the columns that lie in it, also within other columns.
 */
export function columnsBelow(ctx: Context, roots: Prisma.Sql, { where }: Below = {}): Prisma.Sql {
  return Prisma.sql`below(root, id, hops) as (
    select o.id, o.id, 0 from (${roots}) o(id)
    union all
    select b.root, r.id, b.hops + 1 from below b join resource r
      on r.workspace_id = ${ctx.workspaceId}::uuid and r.parent_id = b.id
      where r.kind = 'column' and b.hops < ${maxNesting} ${where ? Prisma.sql`and ${where}` : Prisma.empty})`;
}

/**
 * A recursive query by the name of `climb(leaf, id, kind, parent_id, hops)`, to be written after `with recursive`: each of
 * `leaves`, a query for ids, itself at 0 hops, and from columns up to the table they lie in.
 */
export function climbFrom(ctx: Context, leaves: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`climb(leaf, id, kind, parent_id, hops) as (
    select r.id, r.id, r.kind, r.parent_id, 0 from (${leaves}) l(id) join resource r
      on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = l.id
    union all
    select c.leaf, r.id, r.kind, r.parent_id, c.hops + 1 from climb c join resource r
      on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = c.parent_id
      where c.kind = 'column' and c.hops < ${maxNesting})`;
}

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
