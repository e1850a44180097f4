// Schema changes: columns of watched tables that are gone or have another type, as the catalog knows them.

import type { Context } from '../../context.ts';
import { execute, rows } from '../../database/rows.ts';
import { type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { readStoredConfig } from '../metric-config.ts';
import { isExcluded } from '../scans/all-tables.ts';
import type { ChangedColumn, Reading, TableChanges } from '../scans/reading.ts';

type Watching = Pick<Monitor, 'id' | 'targetId' | 'metricConfig'>;

/** The tables that a target is or holds, as a query of their `id`, `title` and `schema`. */
const tablesOf = (ctx: Context, targetId: string): Prisma.Sql => Prisma.sql`
  select r.id, r.title, r.schema_name as schema from resource r
  where r.workspace_id = ${ctx.workspaceId}::uuid and r.kind = 'table'
    and not r.archived and not r.stale
    and (r.id = ${targetId}::uuid or r.parent_id = ${targetId}::uuid or r.parent_id in (
      select s.id from resource s where s.workspace_id = ${ctx.workspaceId}::uuid
        and s.parent_id = ${targetId}::uuid and s.kind = 'schema'))`;

/** The columns that are there of \`tables\`. */
const columnsThere = (ctx: Context): Prisma.Sql => Prisma.sql`
  select c.parent_id as id, c.title, coalesce(c.type, '') as type from tables t
  join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.parent_id = t.id
  where c.kind = 'column' and not c.archived and not c.stale`;

/** How many tables have columns that are not as the monitor expects them, and which; new columns are expected. */
export async function readSchemaChanges(
  ctx: Context,
  { id, targetId, metricConfig }: Watching,
): Promise<Reading> {
  const found = await rows<ChangedColumn & { id: string; title: string; schema: string | null }>(
    ctx,
    Prisma.sql`with tables as (${tablesOf(ctx, targetId)}),
      there as (${columnsThere(ctx)}),
      known as (
        select t.*, e.key as name, e.value as type from tables t
        join schema_baseline b on b.workspace_id = ${ctx.workspaceId}::uuid
          and b.monitor_id = ${id}::uuid and b.table_id = t.id
        cross join jsonb_each_text(b.columns) e)
      select k.id, k.title, k.schema, k.name, k.type as before, c.type as after
      from known k left join there c on c.id = k.id and c.title = k.name
      where c.id is null or (k.type <> '' and c.type <> '' and lower(c.type) <> lower(k.type))
      order by k.schema, k.title, k.id, k.name`,
  );
  const { exclude = [] } = readStoredConfig(metricConfig);
  const tables = new Map<string, TableChanges & { columns: ChangedColumn[] }>();
  for (const { id: tableId, title: table, schema, name, before, after } of found) {
    if (isExcluded(exclude, { schema: schema ?? '', table })) continue;
    const known = tables.get(tableId) ?? { tableId, table, columns: [] };
    tables.set(tableId, known);
    known.columns.push({ name, before, after });
  }
  return { value: tables.size, changes: [...tables.values()] };
}

/** Expect from now on what is there and was not known before: all of tables that are new, and new columns. */
export async function expectNewColumns(tx: Context, { id, targetId }: Watching): Promise<void> {
  await execute(
    tx,
    Prisma.sql`with tables as (${tablesOf(tx, targetId)}),
      there as (${columnsThere(tx)})
      insert into schema_baseline as b (workspace_id, monitor_id, table_id, columns)
      select ${tx.workspaceId}::uuid, ${id}::uuid, id, jsonb_object_agg(title, type)
      from there group by id
      on conflict (workspace_id, monitor_id, table_id)
        do update set columns = excluded.columns || b.columns
        where not b.columns ?& array(select jsonb_object_keys(excluded.columns))`,
  );
}

/** Expect the columns of a table as they are now. */
export async function expectColumns(
  tx: Context,
  monitor: Watching,
  tableId: string,
): Promise<void> {
  await execute(
    tx,
    Prisma.sql`delete from schema_baseline where workspace_id = ${tx.workspaceId}::uuid
      and monitor_id = ${monitor.id}::uuid and table_id = ${tableId}::uuid`,
  );
  await expectNewColumns(tx, monitor);
}
