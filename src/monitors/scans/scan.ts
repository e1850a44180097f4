// The SQL that measures tables: one scan for all that is due together.

import { CatalogError } from '../../errors.ts';
import { METRICS, type MetricType } from '../metric.ts';
import { countedOf, measures } from './column-metrics.ts';
import { ageOf, type FailedReading, type Reading, readNumber } from './reading.ts';
import type { ColumnRef, SourceDialect } from './source-dialect.ts';
import { checkCondition } from './user-sql.ts';

/** One thing to be measured. */
export interface MeasureRequest {
  readonly metricType: MetricType;
  /** Names that lead to the table, as the catalog knows them: database, schema, table. */
  readonly table: readonly string[];
  /** The column that is measured, or shows the freshness; null for the table's row count. */
  readonly column: ColumnRef | null;
  /** A condition, in the source's SQL, that narrows what is measured. */
  readonly where?: string | null;
}

/** One statement that measures for several requests. */
export interface Scan {
  readonly sql: string;
  /** Which requests it answers, by their place in the list, and in which cell of its one row. */
  readonly cells: readonly ScanCell[];
}

/** Where a scan answers a request. */
interface ScanCell {
  readonly request: number;
  readonly cell: number;
  /** The cell with the number of values that are no numbers, and were left out; absent where there are none such. */
  readonly leftOut?: number | undefined;
}

/** More than this in one statement is slower for a source to plan than to run. */
const MOST_CELLS = 100;

/** The scans of some requests, and the requests that no scan can answer. */
export interface ScanPlan {
  readonly scans: readonly Scan[];
  /** By their place in the list: the source lacks the metric, or the condition can't be used. */
  readonly refused: ReadonlyMap<number, FailedReading>;
}

/**
 * The statements that answer all requests: those on one table under the same condition share one. A
 * request that can't be written in the source's SQL is refused alone.
 */
export function planScans(dialect: SourceDialect, requests: readonly MeasureRequest[]): ScanPlan {
  const groups = new Map<string, Written[]>();
  const refused = new Map<number, FailedReading>();
  for (const [index, request] of requests.entries()) {
    try {
      const from = fromClause(dialect, request);
      const leftOut = leftOutBy(dialect, request);
      const written = { request: index, from, expression: expressionOf(dialect, request), leftOut };
      groups.set(from, [...(groups.get(from) ?? []), written]);
    } catch (error) {
      if (!(error instanceof CatalogError)) throw error;
      refused.set(index, { error: error.message, why: 'refused' });
    }
  }
  const parts = [...groups.values()].flatMap((group) => inParts(group, MOST_CELLS));
  return { scans: parts.map(scanOf), refused };
}

/** The readings of a scan's one row, in the order of its `cells`. Freshness is counted from `now`. */
export function readScan(
  scan: Scan,
  requests: readonly MeasureRequest[],
  row: readonly unknown[],
  now: Date,
): { request: number; reading: Reading }[] {
  return scan.cells.map(({ request, cell, leftOut }) => {
    const metricType = requests[request]?.metricType;
    const reading = agedBy(metricType, readNumber(row[cell]), now);
    const left = leftOut === undefined ? 0 : Number(row[leftOut] ?? 0);
    return { request, reading: left > 0 ? withoutSome(reading, left) : reading };
  });
}

/** A moment as its metric says it: how long ago. */
export function agedBy(metricType: MetricType | undefined, reading: Reading, now: Date): Reading {
  if (metricType === 'freshness') return ageOf(reading, now);
  const isAge = metricType === 'newest_age' || metricType === 'oldest_age';
  return isAge ? signedAgeOf(reading, now) : reading;
}

/** NaN and infinity are no numbers to reckon with: one of them must not silence a metric. */
function withoutSome(reading: Reading, count: number): Reading {
  const some = count === 1 ? '1 value that is' : `${count.toLocaleString('en')} values that are`;
  const left = `${some} NaN or infinity`;
  if ('error' in reading)
    return { ...reading, error: `${reading.error} There is nothing but ${left}.` };
  const warnings = [reading.warning, `Left out: ${left}.`].filter((one) => one !== undefined);
  return { ...reading, warning: warnings.join(' ') };
}

/** Columns that show when a row came, in the order in which they are looked for. */
const FRESHNESS_NAMES = ['updated_at', 'created_at', 'loaded_at'];

/**
 * The column that shows a table's freshness: the one that a person named, or the first usual one.
 * Null when there is none; then the source's own catalog may know. A name that is configured but
 * not there is null, too: another column would silently measure something else.
 */
export function freshnessColumn(
  columns: readonly ColumnRef[],
  configured?: string | null,
): ColumnRef | null {
  const named = (name: string) =>
    columns.find((column) => column.name === name) ??
    columns.find((column) => column.name.toLowerCase() === name.toLowerCase());
  if (configured) return named(configured) ?? null;
  return FRESHNESS_NAMES.map(named).find((column) => column !== undefined) ?? null;
}

/** A table's path as its dialect writes it. */
export function tablePath(dialect: SourceDialect, table: readonly string[]): string {
  return table.slice(-dialect.depth).map(dialect.quote).join('.');
}

/** A request in the source's SQL. */
interface Written {
  readonly request: number;
  readonly from: string;
  readonly expression: string;
  readonly leftOut?: string | undefined;
}

function scanOf(part: readonly Written[]): Scan {
  const expressions = [
    ...new Set([
      ...part.map(({ expression }) => expression),
      ...part.flatMap(({ leftOut }) => leftOut ?? []),
    ]),
  ];
  // The aliases must not be the name of a column: ClickHouse would read them in the condition.
  const list = expressions.map((expression, cell) => `${expression} AS headwater_m${cell}`);
  return {
    sql: `SELECT\n  ${list.join(',\n  ')}\nFROM ${part[0]?.from}`,
    cells: part.map(({ request, expression, leftOut }) => ({
      request,
      cell: expressions.indexOf(expression),
      ...(leftOut === undefined ? {} : { leftOut: expressions.indexOf(leftOut) }),
    })),
  };
}

function fromClause(dialect: SourceDialect, request: MeasureRequest): string {
  const path = tablePath(dialect, request.table);
  const [condition] = conditionsOf(dialect, request);
  return condition === undefined ? path : `${path}\nWHERE ${condition}`;
}

/** The condition of a request, within parentheses; empty without one. Throws BAD_REQUEST for one that leaves them. */
export function conditionsOf(
  dialect: SourceDialect,
  { where }: Pick<MeasureRequest, 'where'>,
): string[] {
  const condition = where?.trim();
  return condition ? [`(\n${checkCondition(condition, dialect.lexical, dialect.name)}\n)`] : [];
}

/** The metric of a request as an expression of its source. Throws BAD_REQUEST where that lacks it. */
export function expressionOf(dialect: SourceDialect, request: MeasureRequest): string {
  const { metricType, column } = request;
  if (metricType === 'row_count') return dialect.double(dialect.count('*'));
  if (column === null) throw new RangeError(`${metricType} is measured on a column.`);
  const quoted = dialect.quote(column.name);
  const measure = measures[metricType];
  if (!measure) throw new RangeError(`${METRICS[metricType].label} is not measured by a scan.`);
  return measure({ ...dialect, of: quoted, type: column.type });
}

/** How many values a metric leaves out; undefined where its column holds numbers alone. */
function leftOutBy(dialect: SourceDialect, request: MeasureRequest): string | undefined {
  const { metricType, column } = request;
  if (column === null) return undefined;
  const on = { ...dialect, of: dialect.quote(column.name), type: column.type };
  const counted = countedOf(metricType, on);
  return counted === undefined ? undefined : `${on.count(on.of)} - ${on.count(counted)}`;
}

/** How long before now a date lies; less than 0 where it lies ahead. */
function signedAgeOf(moment: Reading, now: Date): Reading {
  return 'error' in moment ? moment : { value: now.getTime() / 1000 - moment.value };
}

function inParts<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}
