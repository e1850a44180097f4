// What a run has to know of its monitors: their tables, columns and source.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type Monitor, Prisma, type Resource } from '../../generated/prisma/client.ts';
import { findResource } from '../../resources/resource.ts';
import { readSegments, type Segment } from '../learning/segments.ts';
import { isOfAll, type MetricConfig, readStoredConfig } from '../metric-config.ts';
import { scheduleOf } from '../monitor-schedule.ts';
import type { TablesScope } from '../scans/all-tables.ts';
import { closedPeriods, type Period } from '../scans/periods.ts';
import type { ReferredColumn } from '../scans/row-check.ts';
import type { ColumnRef } from '../scans/source-dialect.ts';
import { typeOf } from '../scans/stored-sql.ts';
import { monitorColumns } from '../seen.ts';

/** The integration whose source is measured. */
export interface MeasuredIntegration {
  readonly id: string;
  readonly type: string;
  /** Whether some rows that fail a check may be kept. */
  readonly keepsFailingRows?: boolean;
}

/** What is measured: of a monitor, or of one that somebody is about to make. */
export interface Measurable {
  readonly monitor: Pick<Monitor, 'id' | 'metricType' | 'metricConfig' | 'targetId' | 'frequency'>;
  /** The table that is measured, or that holds the column; a job is its own. */
  readonly tableId: string;
  /** Names that lead to the table: database, schema, table; those that are known. */
  readonly table: readonly string[];
  /** The column that is measured; null where the target is a table or job. */
  readonly column: ColumnRef | null;
  readonly integration: MeasuredIntegration | null;
  /** The closed periods to measure, where it measures those. */
  readonly periods?: readonly Period[];
  /** What its column refers to, where it checks that; null where that is gone. */
  readonly reference?: ReferredColumn | null;
  /** The source of the other query of a comparison, where that is another one; null where it is gone. */
  readonly other?: MeasuredIntegration | null;
  /** The schema or database whose tables are measured; null where the target is another. */
  readonly scope?: TablesScope | null;
  /** What was measured of the values of its dimension, or of its tables, before. */
  readonly segments?: readonly Segment[];
  /** The table or column is in the catalog's archive: its source has it no more, or somebody deleted it. */
  readonly isGone?: boolean;
}

/** A monitor that is to be run, with what its target is. */
export interface Subject extends Measurable {
  readonly monitor: Monitor;
}

interface Target {
  readonly kind: string;
  readonly tableId: string;
  readonly databaseName: string | null;
  readonly schemaName: string | null;
  readonly columnName: string | null;
  readonly columnType: string | null;
  readonly integrationId: string | null;
  readonly integrationType: string | null;
  readonly keepsFailingRows?: boolean | null;
  readonly isGone?: boolean;
}

interface Table {
  readonly id: string;
  readonly title: string;
  readonly databaseName: string | null;
  readonly schemaName: string | null;
}

/** The monitors of these ids whose targets are there, by source and table. */
export async function readSubjects(ctx: Context, ids: readonly string[]): Promise<Subject[]> {
  const { workspaceId } = ctx;
  const monitors = await rows<Monitor>(
    ctx,
    Prisma.sql`select ${monitorColumns} from monitor m
      where m.workspace_id = ${workspaceId}::uuid and m.id = any(${[...ids]}::uuid[])`,
  );
  const targets = await rows<Target & { readonly monitorId: string }>(
    ctx,
    Prisma.sql`select m.id as "monitorId",
        r.kind, case when r.kind = 'column' then r.parent_id else r.id end as "tableId",
        r.database_name as "databaseName", r.schema_name as "schemaName",
        case when r.kind = 'column' then r.title end as "columnName",
        case when r.kind = 'column' then r.type end as "columnType",
        i.id as "integrationId", i.type as "integrationType",
        i.keeps_failing_rows as "keepsFailingRows",
        r.archived or coalesce(p.archived, false) as "isGone"
      from monitor m
      join resource r on r.workspace_id = m.workspace_id and r.id = m.target_id
      left join resource p on p.workspace_id = r.workspace_id and p.id = r.parent_id
        and r.kind = 'column'
      left join integration i on i.workspace_id = r.workspace_id and i.id = r.integration_id
      where m.workspace_id = ${workspaceId}::uuid and m.id = any(${[...ids]}::uuid[])
        and (r.kind <> 'column' or r.parent_id is not null)
      order by "integrationId", "tableId", m.id`,
  );
  const tables = await tablesOf(ctx, [...new Set(targets.map(({ tableId }) => tableId))]);
  const byId = new Map(monitors.map((monitor) => [monitor.id, monitor]));
  const ofAll = new Set(targets.filter(isOfAll).map(({ monitorId }) => monitorId));
  const before = await latestOfDivided(ctx, monitors, ofAll);
  const named = await allNamed(ctx, monitors);
  return targets.flatMap((target) => {
    const monitor = byId.get(target.monitorId);
    const table = tables.get(target.tableId);
    const isGone = target.isGone === true;
    if (!monitor || !table) return [];
    const latest = before.get(monitor.id) ?? null;
    const divided = dividedOf(monitor, ctx.now(), latest, ofAll.has(monitor.id));
    return [{ monitor, isGone, ...named.get(monitor.id), ...divided, ...subjectOf(target, table) }];
  });
}

type Named = Pick<Measurable, 'reference' | 'other'>;

async function allNamed(ctx: Context, monitors: readonly Monitor[]): Promise<Map<string, Named>> {
  const found = new Map<string, Named>();
  for (const { id, metricConfig } of monitors) {
    found.set(id, await namedBy(ctx, readStoredConfig(metricConfig)));
  }
  return found;
}

/** What the settings of a metric name by ids: what a column refers to, and another source. */
export async function namedBy(ctx: Context, config: MetricConfig): Promise<Named> {
  const { references, other_integration: other } = config;
  return {
    ...(references === undefined ? {} : { reference: await referenceOf(ctx, references) }),
    ...(other === undefined ? {} : { other: await sourceOf(ctx, other) }),
  };
}

async function referenceOf(ctx: Context, id: string): Promise<ReferredColumn | null> {
  const column = await findResource(ctx, id);
  const place = column && (await placeOf(ctx, column));
  return place?.column ? { table: place.table, column: place.column } : null;
}

async function sourceOf(ctx: Context, id: string): Promise<MeasuredIntegration | null> {
  const type = await typeOf(ctx, id);
  return type === undefined ? null : { id, type };
}

/** The latest measurement of a monitor that measures parts of its table. */
interface Latest {
  readonly monitorId: string;
  readonly at: Date;
  readonly segments: unknown;
}

async function latestOfDivided(
  ctx: Context,
  monitors: readonly Monitor[],
  ofAll: ReadonlySet<string>,
): Promise<Map<string, Latest>> {
  const latest = monitors.flatMap(({ id, metricConfig, lastMeasurementId }) => {
    const { time_column: time, dimension } = readStoredConfig(metricConfig);
    return (time ?? dimension) || ofAll.has(id) ? (lastMeasurementId ?? []) : [];
  });
  if (latest.length === 0) return new Map();
  const found = await rows<Latest>(
    ctx,
    Prisma.sql`select monitor_id as "monitorId", created_at as at, segments from measurement
      where workspace_id = ${ctx.workspaceId}::uuid and id = any(${latest}::uuid[])`,
  );
  return new Map(found.map((one) => [one.monitorId, one]));
}

function dividedOf(
  monitor: Monitor,
  now: Date,
  before: Latest | null,
  isAll: boolean,
): Pick<Measurable, 'periods' | 'segments'> {
  const { time_column: time, dimension } = readStoredConfig(monitor.metricConfig);
  const isBefore =
    before !== null && (monitor.learnsFrom === null || before.at > monitor.learnsFrom);
  const periods = () =>
    closedPeriods(scheduleOf(monitor), monitor.timeZone, now, before?.at ?? null);
  return {
    ...(time === undefined ? {} : { periods: periods() }),
    ...((dimension ?? isAll) && isBefore ? { segments: readSegments(before.segments) } : {}),
  };
}

/** What a target is, for a monitor that is not there yet; null where its table is gone. */
export async function placeOf(
  ctx: Context,
  { id, kind, parentId, title, type, databaseName, schemaName, integrationId }: Resource,
): Promise<Omit<Measurable, 'monitor'> | null> {
  const isColumn = kind === 'column';
  const tableId = isColumn ? parentId : id;
  const table = tableId === null ? undefined : (await tablesOf(ctx, [tableId])).get(tableId);
  if (tableId === null || !table) return null;
  const integrationType = integrationId ? ((await typeOf(ctx, integrationId)) ?? null) : null;
  const column = isColumn ? { columnName: title, columnType: type } : noColumn;
  const target = { kind, tableId, databaseName, schemaName, integrationId, integrationType };
  return subjectOf({ ...target, ...column }, table);
}

const noColumn = { columnName: null, columnType: null };

/** Asked for by their ids: joined by an expression, each would be looked for among all resources. */
async function tablesOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Table>> {
  const found = await rows<Table>(
    ctx,
    Prisma.sql`select id, title, database_name as "databaseName", schema_name as "schemaName"
      from resource where workspace_id = ${ctx.workspaceId}::uuid and id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((table) => [table.id, table]));
}

function subjectOf(target: Target, table: Table): Omit<Measurable, 'monitor'> {
  const { columnName, columnType, integrationId: id, integrationType: type } = target;
  const keepsFailingRows = target.keepsFailingRows === true;
  const database = table.databaseName ?? target.databaseName;
  const schema = table.schemaName ?? target.schemaName;
  return {
    tableId: table.id,
    table: [database, schema, table.title].filter((name) => name !== null),
    column: columnName === null ? null : { name: columnName, type: columnType },
    scope: isOfAll(target) ? scopeOf(target.kind, database, table.title) : null,
    integration: id !== null && type !== null ? { id, type, keepsFailingRows } : null,
  };
}

const scopeOf = (kind: string, database: string | null, title: string): TablesScope =>
  kind === 'schema' ? { database, schema: title } : { database: title, schema: null };

/** The columns of tables, for those that show how fresh a table is. */
export async function columnsOfTables(
  ctx: Context,
  tableIds: readonly string[],
): Promise<Map<string, ColumnRef[]>> {
  if (tableIds.length === 0) return new Map();
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
