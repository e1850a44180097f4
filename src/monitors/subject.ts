// In charge of what a run has to know of its monitors: their tables, columns and source.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type Monitor, Prisma } from '../generated/prisma/client.ts';
import type { ColumnRef } from './dialect.ts';
import { monitorColumns } from './seen.ts';

/** A monitor that is to be run, with what its target is. */
export interface Subject {
  readonly monitor: Monitor;
  /** The table that is measured, or that holds the column; a job is its own. */
  readonly tableId: string;
  /** Names that lead to the table: database, schema, table; those that are known. */
  readonly table: readonly string[];
  /** The column that is measured; null where the target is a table or job. */
  readonly column: ColumnRef | null;
  /** When the table last changed, as its source told at the latest extraction. */
  readonly changedAt: Date | null;
  readonly integration: { readonly id: string; readonly type: string } | null;
}

interface Row extends Omit<Subject, 'monitor' | 'table' | 'column' | 'integration'> {
  readonly monitorId: string;
  readonly databaseName: string | null;
  readonly schemaName: string | null;
  readonly title: string;
  readonly columnName: string | null;
  readonly columnType: string | null;
  readonly integrationId: string | null;
  readonly integrationType: string | null;
}

/** The monitors of these ids whose targets are there, by source and table. */
export async function readSubjects(ctx: Context, ids: readonly string[]): Promise<Subject[]> {
  const { workspaceId } = ctx;
  const monitors = await rows<Monitor>(
    ctx,
    Prisma.sql`select ${monitorColumns} from monitor m
      where m.workspace_id = ${workspaceId}::uuid and m.id = any(${[...ids]}::uuid[])`,
  );
  const targets = await rows<Row>(
    ctx,
    Prisma.sql`select m.id as "monitorId", t.id as "tableId", t.title,
        coalesce(t.database_name, r.database_name) as "databaseName",
        coalesce(t.schema_name, r.schema_name) as "schemaName",
        t.external_updated_at as "changedAt",
        case when r.kind = 'column' then r.title end as "columnName",
        case when r.kind = 'column' then r.type end as "columnType",
        i.id as "integrationId", i.type as "integrationType"
      from monitor m
      join resource r on r.workspace_id = m.workspace_id and r.id = m.target_id
      join resource t on t.workspace_id = r.workspace_id
        and t.id = case when r.kind = 'column' then r.parent_id else r.id end
      left join integration i on i.workspace_id = r.workspace_id and i.id = r.integration_id
      where m.workspace_id = ${workspaceId}::uuid and m.id = any(${[...ids]}::uuid[])
        and not r.archived and not t.archived
      order by i.id, t.id, m.id`,
  );
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  return targets.flatMap(({ monitorId, tableId, changedAt, ...row }) => {
    const monitor = byId.get(monitorId);
    return monitor ? [{ monitor, tableId, changedAt, ...placeOf(row) }] : [];
  });
}

function placeOf(row: Omit<Row, 'monitorId' | 'tableId' | 'changedAt'>) {
  const { databaseName, schemaName, title, columnName, columnType } = row;
  const { integrationId: id, integrationType: type } = row;
  return {
    table: [databaseName, schemaName, title].filter((name) => name !== null),
    column: columnName === null ? null : { name: columnName, type: columnType },
    integration: id !== null && type !== null ? { id, type } : null,
  };
}

/** The columns of tables, for those that tell how fresh a table is. */
export async function columnsOfTables(
  ctx: Context,
  tableIds: readonly string[],
): Promise<Map<string, ColumnRef[]>> {
  const found = await rows<{ tableId: string; name: string; type: string | null }>(
    ctx,
    Prisma.sql`select parent_id as "tableId", title as name, type from resource
      where workspace_id = ${ctx.workspaceId}::uuid and parent_id = any(${[...tableIds]}::uuid[])
        and kind = 'column' and not archived order by sort_order, title`,
  );
  const columns = new Map<string, ColumnRef[]>(tableIds.map((id) => [id, []]));
  for (const { tableId, ...column } of found) columns.get(tableId)?.push(column);
  return columns;
}

/** Items that share a key, in the order in which their keys first came. */
export function groupBy<T, Key>(items: Iterable<T>, keyOf: (item: T) => Key): Map<Key, T[]> {
  const groups = new Map<Key, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}
