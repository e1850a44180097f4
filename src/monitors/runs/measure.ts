// The values of monitors: asked of their sources, with as few statements as it takes.

import type { ServerContext } from '../../context.ts';
import { groupBy } from '../../lists/group-by.ts';
import { lastingSegments } from '../learning/segments.ts';
import { metricOf } from '../metric.ts';
import { isMetricType, type MetricConfig, readStoredConfig } from '../metric-config.ts';
import { readAllTables, readingOfAll, type TablesScope } from '../scans/all-tables.ts';
import { askForLastChange } from '../scans/last-change.ts';
import { databaseOf, within } from '../scans/one-database.ts';
import { ageOf, type FailedReading, type Reading, readNumber } from '../scans/reading.ts';
import { limits, reasonOf, runScans } from '../scans/run-scans.ts';
import { freshnessColumn, type MeasureRequest } from '../scans/scan.ts';
import type { ColumnRef } from '../scans/source-dialect.ts';
import { measureParts, type Parts } from '../scans/table-parts.ts';
import { customStatement, momentStatement } from '../scans/user-sql.ts';
import { type Asking, type OpenSource, openedFor, runQuery } from './asking.ts';
import { runCheck } from './check-rows.ts';
import { compareQueries } from './compare-queries.ts';
import { readRunMetric } from './pipeline.ts';
import { readSchemaChanges } from './schema-changes.ts';
import { columnsOfTables, type Measurable, type Subject } from './subject.ts';

/** The readings of one table's monitors, by the monitor's id. */
export interface TableReadings<S extends Measurable = Subject> {
  readonly subjects: readonly S[];
  readonly readings: ReadonlyMap<string, Reading>;
  /** When they were read. */
  readonly at: Date;
}

/**
 * Measure monitors of one source, table by table, as each is done. What can't be measured is a
 * reading that says why; nothing is thrown but the reason of an aborted signal.
 */
export async function* measure<S extends Measurable>(
  ctx: ServerContext,
  subjects: readonly S[],
  open: OpenSource,
): AsyncGenerator<TableReadings<S>> {
  for (const subject of subjects.filter((one) => isOfCatalog(one))) {
    const reading = await readOfCatalog(ctx, subject);
    yield {
      subjects: [subject],
      readings: new Map([[subject.monitor.id, reading]]),
      at: ctx.now(),
    };
  }
  const there = subjects.filter((one) => !isOfCatalog(one));
  for (const subject of there.filter(({ isGone }) => isGone)) {
    yield { subjects: [subject], readings: new Map([[subject.monitor.id, gone]]), at: ctx.now() };
  }
  const asked = there.filter(({ isGone }) => !isGone);
  if (asked.length === 0) return;
  const asking = await openedFor(ctx, asked[0]?.integration, open);
  try {
    const tables = groupBy(asked, ({ tableId }) => tableId);
    const columns = await columnsOfTables(
      ctx,
      asked.filter(needsColumns).map((s) => s.tableId),
    );
    for (const [tableId, group] of tables) {
      ctx.signal.throwIfAborted();
      const readings =
        'error' in asking
          ? new Map(group.map(({ monitor }) => [monitor.id, asking]))
          : await measureTable(ctx, asking, group, columns.get(tableId) ?? [], open);
      yield { subjects: group, readings, at: ctx.now() };
    }
  } finally {
    if (!('error' in asking)) await asking.source.close();
  }
}

/** Why nothing can be measured whatever is asked, in words; null where a source is there to be asked. */
export async function whyUnmeasurable(
  ctx: ServerContext,
  subject: Measurable,
  open: OpenSource,
): Promise<string | null> {
  if (isOfCatalog(subject)) return null;
  const asking = await openedFor(ctx, subject.integration, open);
  if ('error' in asking) return asking.error;
  await asking.source.close();
  return null;
}

const gone: FailedReading = {
  error: 'No longer in the catalog: dropped in the source, or deleted here.',
  why: 'refused',
};

/** Whether a metric is read from what the catalog holds, and no source is asked. */
const isOfCatalog = ({ monitor: { metricType } }: Measurable): boolean =>
  isMetricType(metricType) && ['run_results', 'catalog'].includes(metricOf(metricType).from);

function readOfCatalog(ctx: ServerContext, subject: Measurable): Promise<Reading> {
  if (subject.monitor.metricType !== 'schema_changes') return readRunMetric(ctx, subject);
  if (subject.isGone) return Promise.resolve(gone);
  return readSchemaChanges(ctx, subject.monitor);
}

const isCheck = (type: string): boolean => isMetricType(type) && metricOf(type).from === 'rows';

const needsColumns = ({ monitor, column, integration, scope }: Measurable): boolean => {
  if (scope) return false;
  const { time_column: time, dimension } = readStoredConfig(monitor.metricConfig);
  const isDivided = time !== undefined || dimension !== undefined;
  const isShown = integration?.keepsFailingRows === true && isCheck(monitor.metricType);
  return isDivided || isShown || (monitor.metricType === 'freshness' && column === null);
};

const queryOf = ({ query_select: query = '' }: MetricConfig): string => query;

async function measureTable(
  ctx: ServerContext,
  asking: Asking,
  subjects: readonly Measurable[],
  columns: readonly ColumnRef[],
  open: OpenSource,
): Promise<Map<string, Reading>> {
  const scope = subjects[0]?.scope ?? null;
  const source = within(asking.source, scope ? scope.database : databaseOf(subjects[0]?.table));
  const { dialect } = asking;
  asking = { source, dialect };
  if (scope) return measureAll(ctx, asking, scope, subjects);
  const readings = new Map<string, Reading>();
  const asked: { id: string; request: MeasureRequest }[] = [];
  const divided: { id: string; request: MeasureRequest; parts: Parts }[] = [];
  for (const subject of subjects) {
    const { id, metricType } = subject.monitor;
    const config = readStoredConfig(subject.monitor.metricConfig);
    if (metricType === 'custom_sql') {
      readings.set(id, await runQuery(ctx, asking, (at) => customStatement(at, queryOf(config))));
    } else if (metricType === 'comparison') {
      readings.set(id, await compareQueries(ctx, asking, subject, config, open));
    } else if (metricType === 'freshness' && config.query_select !== undefined) {
      const newest = await runQuery(ctx, asking, (at) => momentStatement(at, queryOf(config)));
      readings.set(id, ageOf(newest, ctx.now()));
    } else if (isMetricType(metricType) && metricOf(metricType).from === 'rows') {
      readings.set(id, await runCheck(ctx, asking, subject, { metricType, config, columns }));
    } else {
      const request =
        requestOf(subject, config, columns) ?? (await askCatalog(ctx, asking, subject));
      const parts = partsOf(subject, config, columns);
      if (!('request' in request)) readings.set(id, request);
      else if ('error' in parts) readings.set(id, parts);
      else {
        if (parts.time === null) asked.push({ id, request: request.request });
        if (parts.time ?? parts.dimension) divided.push({ id, request: request.request, parts });
      }
    }
  }
  const answers = await runScans(
    ctx,
    source,
    dialect,
    asked.map(({ request }) => request),
  );
  for (const [index, { id }] of asked.entries()) {
    readings.set(id, answers[index] ?? { error: 'The metric returned no value.' });
  }
  for (const { id, request, parts } of divided) {
    const ofAll = parts.time === null ? (readings.get(id) ?? null) : null;
    readings.set(id, await measureParts(ctx, source, dialect, request, parts, ofAll));
  }
  return readings;
}

/** Measure all tables of a schema or database, for all of its monitors with one statement. */
async function measureAll(
  ctx: ServerContext,
  { source, dialect }: Asking,
  scope: TablesScope,
  subjects: readonly Measurable[],
): Promise<Map<string, Reading>> {
  const figures = await readAllTables(ctx, source, dialect, scope);
  const readingFor = ({ monitor, segments: known = [] }: Measurable): Reading => {
    if ('error' in figures) return figures;
    const { metricType } = monitor;
    const { exclude = [] } = readStoredConfig(monitor.metricConfig);
    if (metricType !== 'row_count' && metricType !== 'freshness') {
      return { error: `${metricType} is not measured on all tables.` };
    }
    return readingOfAll({ metricType, scope, exclude, known }, figures, ctx.now());
  };
  return new Map(subjects.map((subject) => [subject.monitor.id, readingFor(subject)]));
}

/** How a monitor's table is divided, or that a column is gone by which it should be. */
function partsOf(
  { periods = [], segments = [] }: Measurable,
  { time_column: time, dimension }: MetricConfig,
  columns: readonly ColumnRef[],
): Parts | FailedReading {
  const named = (name: string) => freshnessColumn(columns, name);
  const missing = [time, dimension].find((name) => name !== undefined && named(name) === null);
  if (missing !== undefined) return { error: `There is no column ${missing}.`, why: 'refused' };
  const byTime = time === undefined ? null : named(time);
  const byValue = dimension === undefined ? null : named(dimension);
  return {
    time: byTime && { column: byTime, periods },
    dimension: byValue && { column: byValue, known: lastingSegments(segments) },
  };
}

/** What to ask for a monitor, a reading that needs no asking, or null to ask the source's catalog. */
function requestOf(
  { monitor, table, column }: Measurable,
  config: MetricConfig,
  columns: readonly ColumnRef[],
): { request: MeasureRequest } | Reading | null {
  const { metricType } = monitor;
  if (!isMetricType(metricType)) return { error: `${metricType} is not a metric of this version.` };
  const where = config.where ?? null;
  if (metricType !== 'freshness' || column !== null) {
    return { request: { metricType, table, column, where } };
  }
  const configured = config.timestamp_column;
  const named = freshnessColumn(columns, configured);
  if (named) return { request: { metricType, table, column: named, where } };
  if (configured) return { error: `No freshness source: there is no column ${configured}.` };
  return where === null ? null : noFreshness('a condition takes a column');
}

const noFreshness = (why: string): Reading => ({
  error: `No freshness source: name a column as timestamp_column; there is no updated_at, created_at or loaded_at, and ${why}.`,
});

/** How long ago a table changed, by the source's own catalog. */
async function askCatalog(
  ctx: ServerContext,
  { source, dialect }: Asking,
  { table }: Measurable,
): Promise<Reading> {
  const asked = askForLastChange(dialect, table);
  if (!asked) return noFreshness('the source does not say when a table changed');
  try {
    const { rows } = await source.query(asked.sql, limits(ctx));
    const changed = rows[0]?.[0] ?? null;
    return changed === null ? noFreshness(asked.unknown) : ageOf(readNumber(changed), ctx.now());
  } catch (error) {
    return noFreshness(`the source's catalog did not say (${reasonOf(ctx, error)})`);
  }
}
