// The SQL that measures tables: one scan for all that is due together.

import { CatalogError } from '../../errors.ts';
import { METRICS, type MetricType } from '../metric.ts';
import { countedOf, measures } from './column-metrics.ts';
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
  /** The pattern of pattern_percentage. */
  readonly pattern?: string | null;
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

/** The result of a request: a value, with what is to be said of it, or why there is none. */
export type Reading = MeasuredReading | FailedReading;

interface MeasuredReading {
  readonly value: number;
  readonly warning?: string;
}

/** Why there is no value. */
export interface FailedReading {
  readonly error: string;
  /** What the source said of it, for those who may write SQL for it; never stored. */
  readonly said?: string | undefined;
  /** Whether the source said no to the statement, or did not answer; absent for what else it may be. */
  readonly why?: 'refused' | 'away';
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
function agedBy(metricType: MetricType | undefined, reading: Reading, now: Date): Reading {
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

/**
 * A driver's value as a number. Drivers give large and exact numbers as text or bigint.
 * Null is no value: a metric of nothing says nothing.
 */
export function readNumber(value: unknown): Reading {
  if (value === null || value === undefined) return { error: 'The metric returned no value.' };
  const isNumeric =
    typeof value === 'number' ||
    typeof value === 'bigint' ||
    (typeof value === 'string' && /^\s*[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?\s*$/i.test(value));
  const number = isNumeric ? Number(value) : Number.NaN;
  if (Number.isFinite(number)) return { value: number };
  return { error: `The metric returned ${kindOf(value)}, which is not a number.` };
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
  const where = conditionOf(request);
  if (where === null) return path;
  return `${path}\nWHERE (\n${checkCondition(where, dialect.lexical, dialect.name)}\n)`;
}

const conditionOf = ({ where }: MeasureRequest): string | null => where?.trim() || null;

function expressionOf(dialect: SourceDialect, request: MeasureRequest): string {
  const { metricType, column } = request;
  if (metricType === 'row_count') return dialect.double(dialect.count('*'));
  if (column === null) throw new RangeError(`${metricType} is measured on a column.`);
  const quoted = dialect.quote(column.name);
  const measure = measures[metricType];
  if (!measure) throw new RangeError(`${METRICS[metricType].label} is not measured by a scan.`);
  return measure({ ...dialect, of: quoted, type: column.type, pattern: request.pattern ?? '' });
}

/** How many values a metric leaves out; undefined where its column holds numbers alone. */
function leftOutBy(dialect: SourceDialect, request: MeasureRequest): string | undefined {
  const { metricType, column } = request;
  if (column === null) return undefined;
  const on = { ...dialect, of: dialect.quote(column.name), type: column.type, pattern: '' };
  const counted = countedOf(metricType, on);
  return counted === undefined ? undefined : `${on.count(on.of)} - ${on.count(counted)}`;
}

/** How long before now a date lies; less than 0 where it lies ahead. */
function signedAgeOf(moment: Reading, now: Date): Reading {
  return 'error' in moment ? moment : { value: now.getTime() / 1000 - moment.value };
}

/** Seconds that the source's clock and ours may differ. */
const CLOCKS = 300;

/** The source's clock and ours may differ a little; data from the future is fresh, and that is said. */
export function ageOf(newest: Reading, now: Date): Reading {
  if ('error' in newest) return newest;
  const age = now.getTime() / 1000 - newest.value;
  if (age >= -CLOCKS) return { value: Math.max(0, age) };
  const ahead = `The newest time lies ${Math.round(-age / 60).toLocaleString('en')} minutes in the future`;
  const warning = `${ahead}: an outage that is shorter is not seen. Times without a time zone count as ${ZONE}.`;
  return { value: 0, warning };
}

const ZONE = "the source's own where it tells, else as UTC";

function inParts<T>(list: readonly T[], size: number): T[][] {
  const parts: T[][] = [];
  for (let at = 0; at < list.length; at += size) parts.push(list.slice(at, at + size));
  return parts;
}

/** Of what kind a value is; not the value, which may be of a row. */
function kindOf(value: unknown): string {
  if (typeof value === 'number' || /^[-+]?(?:nan|inf|infinity)$/i.test(String(value))) {
    return String(value);
  }
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  if (value instanceof Date) return 'a date';
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`;
}
