// What a profile asks of a source: the scan of monitors, with the metrics that suit each column, and the commonest values.

import type { Context } from '../../context.ts';
import { CatalogError } from '../../errors.ts';
import type { MetricType } from '../metric.ts';
import { familyOf, isTimeOfDay } from '../scans/data-type.ts';
import type { Reading } from '../scans/reading.ts';
import { limits, type MeasuredSource, runScans } from '../scans/run-scans.ts';
import { type MeasureRequest, tablePath } from '../scans/scan.ts';
import type { ColumnRef, SourceDialect } from '../scans/source-dialect.ts';
import { shownText } from './shown-text.ts';

/** A column that is profiled. */
export interface ProfiledColumn extends ColumnRef {
  readonly id: string;
  /** Whether its values are personal: none is read, only counted. */
  readonly isPersonal: boolean;
}

/** A value and how many rows have it. */
export interface TopValue {
  readonly value: string;
  readonly count: number;
}

/** What was found of a column; null for what does not suit its type, or could not be measured. */
export interface ProfiledFacts {
  readonly id: string;
  readonly nullPercentage: number | null;
  readonly distinctCount: number | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
  readonly mean: number | null;
  /** Moments, as ISO 8601. */
  readonly earliest: string | null;
  readonly latest: string | null;
  readonly averageLength: number | null;
  readonly topValues: readonly TopValue[];
  /** Why something could not be measured; null where all was. */
  readonly problem: string | null;
}

/** What was found of a table. */
export interface TableFacts {
  readonly rowCount: number | null;
  readonly columns: readonly ProfiledFacts[];
}

/** Columns that are profiled, the first ones of their table. */
export const mostColumns = 200;
/** Columns whose commonest values are read, by a statement each. */
const mostCounted = 30;
/** Values that are kept of a column. */
const mostValues = 10;
/** A value that fewer rows have could be that of one person or thing: it is not kept. */
export const fewestRows = 5;
/** A column with more values than this is no list of choices. */
const mostDistinct = 1_000;

/** Measure a table with one scan, or a few, and read the commonest values of its columns. */
export async function profileTableOf(
  ctx: Context,
  source: MeasuredSource,
  dialect: SourceDialect,
  table: readonly string[],
  columns: readonly ProfiledColumn[],
): Promise<TableFacts> {
  const asked = columns.flatMap((column) =>
    metricsOf(column).map((metricType) => ({ column, metricType })),
  );
  const requests: MeasureRequest[] = [
    { metricType: 'row_count', table, column: null },
    ...asked.map((one) => ({ ...one, table })),
  ];
  // Ages are reckoned back from the moment that they were reckoned for.
  const now = ctx.now();
  const readings = await runScans({ ...ctx, now: () => now }, source, dialect, requests);
  const [rows, ...others] = readings;
  if (rows && 'error' in rows && rows.why === 'away')
    throw new CatalogError('UNAVAILABLE', rows.error);
  const byColumn = new Map<string, Map<MetricType, Reading>>();
  for (const [at, { column, metricType }] of asked.entries()) {
    const own = byColumn.get(column.id) ?? new Map<MetricType, Reading>();
    const reading = others[at];
    if (reading) own.set(metricType, reading);
    byColumn.set(column.id, own);
  }
  const facts = columns.map((column) => factsOf(column, byColumn.get(column.id) ?? new Map(), now));
  return {
    rowCount: numberIn(rows),
    columns: await withTopValues(ctx, source, dialect, { table, columns, facts }),
  };
}

/** The metrics that suit a column; of a personal one those that say no value. */
function metricsOf({ type, isPersonal }: ProfiledColumn): MetricType[] {
  const family = type === null ? null : familyOf(type);
  const counts: MetricType[] = ['null_percentage'];
  // Values that cannot be compared are not counted apart.
  if (family !== null && family !== 'other') counts.push('cardinality');
  if (isPersonal) return counts;
  if (family === 'numeric') return [...counts, 'minimum', 'maximum', 'mean'];
  if (family === 'time' && !isTimeOfDay(type ?? '')) return [...counts, 'oldest_age', 'newest_age'];
  return family === 'text' ? [...counts, 'average_length'] : counts;
}

function factsOf(
  { id }: ProfiledColumn,
  readings: ReadonlyMap<MetricType, Reading>,
  now: Date,
): ProfiledFacts {
  const value = (metric: MetricType) => numberIn(readings.get(metric));
  const moment = (metric: MetricType) => {
    const age = value(metric);
    const at = age === null ? Number.NaN : Math.round(now.getTime() - age * 1_000);
    return Math.abs(at) < farthest ? new Date(at).toISOString() : null;
  };
  const refused = [...readings.values()].find((one) => 'error' in one && one.why !== undefined);
  return {
    id,
    nullPercentage: value('null_percentage'),
    distinctCount: value('cardinality'),
    ...{ minimum: value('minimum'), maximum: value('maximum'), mean: value('mean') },
    ...{ earliest: moment('oldest_age'), latest: moment('newest_age') },
    averageLength: value('average_length'),
    topValues: [],
    problem: refused && 'error' in refused ? refused.error.slice(0, 500) : null,
  };
}

/** Milliseconds from 1970 to the last moment that has four digits of a year. */
const farthest = 253_402_300_799_999;

function numberIn(reading: Reading | undefined): number | null {
  return reading && 'value' in reading ? reading.value : null;
}

interface Found {
  readonly table: readonly string[];
  readonly columns: readonly ProfiledColumn[];
  readonly facts: readonly ProfiledFacts[];
}

async function withTopValues(
  ctx: Context,
  source: MeasuredSource,
  dialect: SourceDialect,
  { table, columns, facts }: Found,
): Promise<ProfiledFacts[]> {
  let left = mostCounted;
  const found: ProfiledFacts[] = [];
  for (const [at, fact] of facts.entries()) {
    const column = columns[at];
    if (column === undefined || left === 0 || !isChoice(column, fact)) {
      found.push(fact);
      continue;
    }
    left -= 1;
    found.push({
      ...fact,
      ...(await topValuesOf(ctx, source, topStatement(dialect, table, column))),
    });
  }
  return found;
}

/** Whether a column holds a few values, which say what it is. */
function isChoice({ type, isPersonal }: ProfiledColumn, { distinctCount }: ProfiledFacts): boolean {
  const family = type === null ? null : familyOf(type);
  const isComparable = family === 'text' || family === 'boolean' || family === 'numeric';
  const isFew = distinctCount !== null && distinctCount > 0 && distinctCount <= mostDistinct;
  return isComparable && isFew && !isPersonal;
}

/** The statement that counts the commonest values of a column. */
function topStatement(dialect: SourceDialect, table: readonly string[], column: ColumnRef): string {
  const quoted = dialect.quote(column.name);
  return [
    `SELECT ${quoted} AS headwater_value, COUNT(*) AS headwater_rows`,
    `FROM ${tablePath(dialect, table)}`,
    `WHERE ${quoted} IS NOT NULL GROUP BY ${quoted} HAVING COUNT(*) >= ${fewestRows}`,
    `ORDER BY COUNT(*) DESC ${dialect.limit(mostValues)}`,
  ].join('\n');
}

async function topValuesOf(
  ctx: Context,
  source: MeasuredSource,
  sql: string,
): Promise<Partial<ProfiledFacts>> {
  try {
    const { rows } = await source.query(sql, limits(ctx));
    const topValues = rows.flatMap(([value, count]): TopValue[] => {
      const text = shownText(value);
      return text === null ? [] : [{ value: text, count: Number(count) }];
    });
    // Values that a source counts alike come in the order of their names, each time.
    return {
      topValues: topValues.sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1)),
    };
  } catch (error) {
    ctx.signal.throwIfAborted();
    if (!(error instanceof CatalogError)) throw error;
    return { problem: error.message.slice(0, 500) };
  }
}
