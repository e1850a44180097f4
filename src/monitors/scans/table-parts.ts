// Measures parts of a table: its closed periods of time, and the values of a column.

import type { Context } from '../../context.ts';
import { saidBy } from '../../integrations/connectors/source-error.ts';
import { METRICS, UNITS } from '../metric.ts';
import type { Period } from './periods.ts';
import { type Reading, readNumber, type SegmentValue } from './reading.ts';
import { isAway, limits, type MeasuredSource, reasonOf } from './run-scans.ts';
import { agedBy, conditionsOf, expressionOf, type MeasureRequest, tablePath } from './scan.ts';
import type { ColumnRef, SourceDialect } from './source-dialect.ts';

/** How a table is divided to be measured. */
export interface Parts {
  /** By time: its column, and consecutive periods, oldest first; null for all rows. */
  readonly time: { readonly column: ColumnRef; readonly periods: readonly Period[] } | null;
  /** By the values of a column, and those that were measured before; null for none. */
  readonly dimension: { readonly column: ColumnRef; readonly known: readonly string[] } | null;
}

/** Values of a dimension that are measured one by one: its largest. */
const mostSegments = 50;
/** Values that are looked for in one period, so that one that is small now is not taken for gone. */
const mostFound = 1_000;
/** Characters of a value. */
const longest = 200;

/** The metric of one group of rows. */
interface Group {
  readonly period: number;
  readonly segment: string | null;
  readonly value: number | null;
  readonly rows: number;
}

/**
 * Measure a request by periods with one statement, by the values of a dimension with another. What was measured of
 * all rows is given where it is not by period.
 */
export async function measureParts(
  ctx: Context,
  source: MeasuredSource,
  dialect: SourceDialect,
  request: MeasureRequest,
  parts: Parts,
  ofAll: Reading | null,
): Promise<Reading> {
  const ask = async (asked: Parts): Promise<Group[]> => {
    const { rows } = await source.query(partsStatement(dialect, request, asked), limits(ctx));
    return rows.flatMap((row) => groupOf(request, asked, row, ctx.now()));
  };
  try {
    const whole =
      ofAll ?? byPeriod(request, parts, await ask({ ...parts, dimension: null }), ctx.now());
    if ('error' in whole || parts.dimension === null) return whole;
    return withSegments(request, parts, whole, await ask(parts));
  } catch (error) {
    const why = isAway(error) ? 'away' : 'refused';
    return { error: reasonOf(ctx, error), said: saidBy(error), why };
  }
}

/** One row for each part: its period, its value of the dimension, the metric, and its number of rows. */
function partsStatement(
  dialect: SourceDialect,
  request: MeasureRequest,
  { time, dimension }: Parts,
): string {
  const from = tablePath(dialect, request.table);
  const period = time === null ? null : periodOf(dialect, time);
  const segment = dimension === null ? null : dialect.quote(dimension.column.name);
  const conditions = [
    ...conditionsOf(dialect, request),
    ...(time === null ? [] : windowOf(dialect, time)),
    ...(segment === null ? [] : [`${segment} IS NOT NULL`]),
  ];
  const where = (all: readonly string[]) =>
    all.length === 0 ? '' : `\nWHERE ${all.join('\n  AND ')}`;
  const keys = [period, segment].filter((key) => key !== null);
  const largest = `ORDER BY COUNT(*) DESC ${dialect.limit(periodsOf(time) > 1 ? mostSegments : mostFound)}`;
  const isOne = periodsOf(time) === 1;
  const chosen =
    segment === null || isOne
      ? []
      : [
          `${segment} IN (SELECT headwater_key FROM (SELECT ${segment} AS headwater_key FROM ${from}` +
            `${where(conditions)} GROUP BY ${segment} ${largest}) headwater_top)`,
        ];
  return [
    `SELECT ${period ?? '0'} AS headwater_period, ${segment ?? 'NULL'} AS headwater_segment,`,
    `  ${expressionOf(dialect, request)} AS headwater_value, COUNT(*) AS headwater_rows`,
    `FROM ${from}${where([...conditions, ...chosen])}`,
    ...(keys.length === 0 ? [] : [`GROUP BY ${keys.join(', ')}`]),
    ...(segment !== null && isOne ? [largest] : []),
  ].join('\n');
}

const periodsOf = (time: Parts['time']): number => time?.periods.length ?? 1;

const inSeconds = (at: number): string => String(at / 1_000);

/** The number of the period in which a row lies; null outside. A search by halves, for periods may differ in length. */
function periodOf(dialect: SourceDialect, { column, periods }: NonNullable<Parts['time']>): string {
  const at = dialect.double(dialect.epoch(dialect.quote(column.name), column.type));
  const begin = (place: number) => inSeconds(periods[place]?.from ?? 0);
  const search = (low: number, high: number): string => {
    if (high - low <= 1) return String(low);
    const middle = Math.ceil((low + high) / 2);
    return `CASE WHEN ${at} < ${begin(middle)} THEN ${search(low, middle)} ELSE ${search(middle, high)} END`;
  };
  const end = inSeconds(periods.at(-1)?.to ?? 0);
  return `CASE WHEN ${at} >= ${begin(0)} AND ${at} < ${end} THEN ${search(0, periods.length)} END`;
}

const DAY = 86_400_000;

/** About the time of the periods, a day more at each end for any time zone: as indexes and partitions know it. */
function windowOf(
  dialect: SourceDialect,
  { column, periods }: NonNullable<Parts['time']>,
): string[] {
  const quoted = dialect.quote(column.name);
  const moment = (at: number) =>
    dialect.moment(new Date(at).toISOString().slice(0, 19).replace('T', ' '));
  return [
    `${quoted} >= ${moment((periods[0]?.from ?? 0) - DAY)}`,
    `${quoted} < ${moment((periods.at(-1)?.to ?? 0) + DAY)}`,
  ];
}

function groupOf(
  { metricType }: MeasureRequest,
  { dimension }: Parts,
  [period, segment, value, rows]: readonly unknown[],
  now: Date,
): Group[] {
  if (period === null || period === undefined) return [];
  const number = readNumber(value);
  const read = agedBy(metricType, number, now);
  const text = dimension === null ? null : textOf(segment);
  return [
    {
      period: Number(period),
      segment: text,
      value: 'value' in read ? read.value : null,
      rows: Number(rows),
    },
  ];
}

function textOf(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  return text.replaceAll('\0', '').toWellFormed().slice(0, longest);
}

/** What is counted is zero where there are no rows; anything else has no value then. */
const isCounted = ({ metricType }: MeasureRequest): boolean =>
  METRICS[metricType].unit === UNITS.count;

/** The values of all periods from the first that has rows on; the last one is the reading. */
function byPeriod(
  request: MeasureRequest,
  { time }: Parts,
  groups: readonly Group[],
  now: Date,
): Reading {
  const periods = time?.periods ?? [];
  const last = periods.length - 1;
  const found = new Map(groups.map((group) => [group.period, group]));
  const first = Math.min(last, ...found.keys());
  const empty = isCounted(request) ? 0 : null;
  const samples = periods.slice(first).flatMap(({ at }, place) => {
    const value = found.get(first + place)?.value ?? empty;
    return value === null ? [] : [{ at: new Date(at), place: first + place, value }];
  });
  const newest = samples.at(-1);
  if (newest === undefined || newest.place !== last) {
    const end = new Date(periods[last]?.to ?? now);
    return { error: `There are no values in the period that ended at ${end.toISOString()}.` };
  }
  const earlier = samples.slice(0, -1).map(({ at, value, place }) => ({ at, value, place }));
  return { value: newest.value, at: newest.at, earlier };
}

/** A reading with what was measured of the largest values of its dimension. */
function withSegments(
  request: MeasureRequest,
  { time, dimension }: Parts,
  whole: Exclude<Reading, { error: string }>,
  groups: readonly Group[],
): Reading {
  const bySegment = new Map<string, Group[]>();
  for (const group of groups) {
    if (group.segment === null) continue;
    bySegment.set(group.segment, [...(bySegment.get(group.segment) ?? []), group]);
  }
  const size = (segment: string) =>
    (bySegment.get(segment) ?? []).reduce((total, { rows }) => total + rows, 0);
  const known = dimension?.known ?? [];
  const isAll = bySegment.size < (periodsOf(time) > 1 ? mostSegments : mostFound);
  const largest = [...bySegment.keys()]
    .toSorted((a, b) => size(b) - size(a))
    .slice(0, mostSegments);
  const again = known.filter((one) => !largest.includes(one) && (isAll || bySegment.has(one)));
  const chosen = [...largest, ...again.slice(0, mostSegments)];
  const empty = isCounted(request) ? 0 : null;
  const of = (place: number): SegmentValue[] =>
    chosen.flatMap((segment) => {
      const own = bySegment.get(segment) ?? [];
      const isBefore = own.length > 0 && own.every(({ period }) => period > place);
      const value = own.find(({ period }) => period === place)?.value ?? empty;
      return value === null || isBefore ? [] : [{ segment, value }];
    });
  const earlier = (whole.earlier ?? []).map((sample) => ({
    ...sample,
    segments: of(sample.place).filter(({ segment }) => bySegment.has(segment)),
  }));
  return { ...whole, earlier, segments: of(periodsOf(time) - 1) };
}
