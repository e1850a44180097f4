// In charge of the values of monitors: asked of their sources, with as few statements as it takes.

import type { Context } from '../context.ts';
import { CatalogError } from '../errors.ts';
import type { Connector } from '../integrations/connectors/connector.ts';
import { type ColumnRef, type SourceDialect, sourceDialect } from './dialect.ts';
import { metricOf } from './metric.ts';
import { isMetricType, type MetricConfig, readStoredConfig } from './metric-config.ts';
import { readRunMetric } from './run-metric.ts';
import {
  freshnessColumn,
  type MeasureRequest,
  planScans,
  type Reading,
  readNumber,
  readScan,
  type Scan,
} from './scan.ts';
import { columnsOfTables, groupBy, type Subject } from './subject.ts';
import { customStatement } from './user-sql.ts';

/** What can be asked of a live source; a connector can, and says no more than it has to. */
export type Source = Pick<Connector, 'dialect' | 'query' | 'close'>;

/** Opens the live source of an integration; throws, in words, where that has none. */
export type OpenSource = (
  ctx: Context,
  integration: { readonly id: string; readonly type: string },
) => Promise<Source>;

/** The readings of one table's monitors, by the monitor's id. */
export interface TableReadings {
  readonly subjects: readonly Subject[];
  readonly readings: ReadonlyMap<string, Reading>;
  /** When they were read. */
  readonly at: Date;
}

/** A statement that measures is cut after this time. */
const timeoutMs = 60_000;

/**
 * Measure monitors of one source, table by table, as each is done. What can't be measured is a
 * reading that says why; nothing is thrown but the reason of an aborted signal.
 */
export async function* measure(
  ctx: Context,
  subjects: readonly Subject[],
  open: OpenSource,
): AsyncGenerator<TableReadings> {
  const fromRuns = subjects.filter((subject) => isFromRuns(subject));
  for (const subject of fromRuns) {
    const reading = await readRunMetric(ctx, subject);
    yield {
      subjects: [subject],
      readings: new Map([[subject.monitor.id, reading]]),
      at: ctx.now(),
    };
  }
  const asked = subjects.filter((subject) => !isFromRuns(subject));
  if (asked.length === 0) return;
  const asking = await opened(ctx, asked, open);
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
          : await measureTable(ctx, asking, group, columns.get(tableId) ?? []);
      yield { subjects: group, readings, at: ctx.now() };
    }
  } finally {
    if (!('error' in asking)) await asking.source.close();
  }
}

const isFromRuns = ({ monitor: { metricType } }: Subject): boolean =>
  isMetricType(metricType) && metricOf(metricType).from === 'run_results';

const needsColumns = ({ monitor, column }: Subject): boolean =>
  monitor.metricType === 'freshness' && column === null;

async function opened(
  ctx: Context,
  [first]: readonly Subject[],
  open: OpenSource,
): Promise<{ source: Source; dialect: SourceDialect } | { error: string }> {
  const integration = first?.integration;
  if (!integration) {
    return { error: 'The target belongs to no integration, so there is no source to measure.' };
  }
  try {
    const source = await open(ctx, integration);
    return { source, dialect: sourceDialect(source.dialect) };
  } catch (error) {
    return { error: reasonOf(ctx, error) };
  }
}

async function measureTable(
  ctx: Context,
  { source, dialect }: { source: Source; dialect: SourceDialect },
  subjects: readonly Subject[],
  columns: readonly ColumnRef[],
): Promise<Map<string, Reading>> {
  const readings = new Map<string, Reading>();
  const asked: { id: string; request: MeasureRequest }[] = [];
  for (const subject of subjects) {
    const { id, metricType } = subject.monitor;
    const config = readStoredConfig(subject.monitor.metricConfig);
    if (metricType === 'custom_sql')
      readings.set(id, await runCustom(ctx, source, dialect, config));
    else {
      const request = requestOf(subject, config, columns, ctx.now());
      if ('request' in request) asked.push({ id, request: request.request });
      else readings.set(id, request);
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
  return readings;
}

/** What to ask for a monitor, or a reading that needs no asking. */
function requestOf(
  { monitor, table, column, changedAt }: Subject,
  config: MetricConfig,
  columns: readonly ColumnRef[],
  now: Date,
): { request: MeasureRequest } | Reading {
  const { metricType } = monitor;
  if (!isMetricType(metricType)) return { error: `${metricType} is no metric of this version.` };
  const where = config.where ?? null;
  if (metricType !== 'freshness' || column !== null) {
    return { request: { metricType, table, column, where } };
  }
  const configured = config.timestamp_column;
  const told = freshnessColumn(columns, configured);
  if (told) return { request: { metricType, table, column: told, where } };
  if (configured) return { error: `No freshness source: there is no column ${configured}.` };
  if (changedAt) return { value: Math.max(0, (now.getTime() - changedAt.getTime()) / 1_000) };
  return {
    error:
      'No freshness source: name a column as timestamp_column; there is no updated_at, created_at or loaded_at.',
  };
}

async function runCustom(
  ctx: Context,
  source: Source,
  dialect: SourceDialect,
  { query_select: query = '' }: MetricConfig,
): Promise<Reading> {
  try {
    const { rows } = await source.query(customStatement(dialect, query), limits(ctx));
    const [row] = rows;
    if (rows.length > 1)
      return { error: `The query returned ${rows.length} rows; it has to be one.` };
    return readNumber(row?.[0]);
  } catch (error) {
    return { error: reasonOf(ctx, error) };
  }
}

/** One scan for all; where it fails, each of its requests alone, so that one spoils no other. */
async function runScans(
  ctx: Context,
  source: Source,
  dialect: SourceDialect,
  requests: readonly MeasureRequest[],
): Promise<Reading[]> {
  const readings: Reading[] = [];
  const plan = planned(ctx, dialect, requests, readings);
  for (const scan of plan) {
    const failure = await runScan(ctx, source, scan, requests, readings);
    if (!failure) continue;
    if (scan.cells.length === 1) note(readings, scan, failure.message);
    else await runOneByOne(ctx, source, dialect, scan, requests, readings);
  }
  return readings;
}

/** The scans, or where a condition can't be put in one, those of each request that can. */
function planned(
  ctx: Context,
  dialect: SourceDialect,
  requests: readonly MeasureRequest[],
  readings: Reading[],
): Scan[] {
  try {
    return planScans(dialect, requests);
  } catch {
    return requests.flatMap((request, index) => {
      try {
        return planScans(dialect, [request]).map((scan) => only(scan, index));
      } catch (error) {
        readings[index] = { error: reasonOf(ctx, error) };
        return [];
      }
    });
  }
}

/** A scan of one request, with that request's place in the whole list. */
const only = (scan: Scan, request: number): Scan => ({
  ...scan,
  cells: scan.cells.map(({ cell }) => ({ request, cell })),
});

async function runOneByOne(
  ctx: Context,
  source: Source,
  dialect: SourceDialect,
  scan: Scan,
  requests: readonly MeasureRequest[],
  readings: Reading[],
): Promise<void> {
  let away: Failure | null = null;
  for (const { request: index } of scan.cells) {
    const request = requests[index];
    if (!request) continue;
    const [alone] = planScans(dialect, [request]);
    if (!alone) continue;
    const single = only(alone, index);
    // A source that just did not answer is not asked again for each of a hundred metrics.
    const failure: Failure | null =
      away ?? (await runScan(ctx, source, single, requests, readings));
    if (failure) note(readings, single, failure.message);
    away = failure?.isAway ? failure : null;
  }
}

/** A statement that failed. */
interface Failure {
  readonly message: string;
  /** The source does not answer, or not in time. */
  readonly isAway: boolean;
}

async function runScan(
  ctx: Context,
  source: Source,
  scan: Scan,
  requests: readonly MeasureRequest[],
  readings: Reading[],
): Promise<Failure | null> {
  try {
    const { rows } = await source.query(scan.sql, limits(ctx));
    for (const { request, reading } of readScan(scan, requests, rows[0] ?? [], ctx.now())) {
      readings[request] = reading;
    }
    return null;
  } catch (error) {
    const isAway = error instanceof CatalogError && error.code === 'UNAVAILABLE';
    return { message: reasonOf(ctx, error), isAway };
  }
}

function note(readings: Reading[], scan: Scan, error: string): void {
  for (const { request } of scan.cells) readings[request] = { error };
}

const limits = (ctx: Context) => ({ timeoutMs, signal: ctx.signal });

/** What a source or a check said no with, in words. Anything else is a fault of ours and thrown on. */
function reasonOf(ctx: Context, error: unknown): string {
  ctx.signal.throwIfAborted();
  if (error instanceof CatalogError) return error.message;
  throw error;
}
