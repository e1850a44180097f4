// The metrics of a column, each as one expression in the source's SQL.

import type { MetricType } from '../metric.ts';
import type { SourceDialect } from './source-dialect.ts';

/** A dialect with the column that is measured at hand. */
export interface MeasuredColumn extends SourceDialect {
  readonly of: string;
  readonly type: string | null;
}

export type Measure = (on: MeasuredColumn) => string;

/**
 * The metrics of a column. All arithmetic is on doubles, so that every source rounds alike: where
 * it were on decimals, each would keep another number of digits of a third.
 */
export const measures: Partial<Record<MetricType, Measure>> = {
  freshness: (on) => on.double(on.epoch(on.maximum(finite(on)), on.type)),
  newest_age: (on) => on.double(on.epoch(on.maximum(finite(on)), on.type)),
  oldest_age: (on) => on.double(on.epoch(on.minimum(finite(on)), on.type)),
  null_percentage: (on) => share(on, `${on.count('*')} - ${on.count(on.of)}`, on.count('*')),
  unique_percentage: (on) => share(on, on.countDistinct(on.of, on.type), on.count(on.of)),
  cardinality: (on) => on.double(on.countDistinct(on.of, on.type)),
  duplicate_count: (on) => on.double(`${on.count(on.of)} - ${on.countDistinct(on.of, on.type)}`),
  minimum: (on) => on.double(on.minimum(number(on))),
  maximum: (on) => on.double(on.maximum(number(on))),
  sum: (on) => on.double(on.sum(number(on))),
  mean: (on) => `${on.double(on.sum(number(on)))} / NULLIF(${on.count(number(on))}, 0)`,
  stddev: (on) => on.double(on.deviation(on.double(number(on)))),
  zero_percentage: (on) => shareWhere(on, `${plain(on)} = 0`),
  negative_percentage: (on) => shareWhere(on, `${plain(on)} < 0`),
  true_percentage: (on) => shareOfValues(on, on.isTrue(on.of)),
  // By length, because some collations hold blanks for nothing.
  empty_string_percentage: (on) => shareWhere(on, `${on.length(on.of, on.type)} = 0`),
  average_length: (on) => {
    const total = on.double(on.sum(on.length(on.of, on.type)));
    return `${total} / NULLIF(${on.count(on.of)}, 0)`;
  },
};

function share(on: MeasuredColumn, part: string, whole: string): string {
  return `100 * ${on.double(part)} / NULLIF(${whole}, 0)`;
}

function shareWhere(on: MeasuredColumn, condition: string): string {
  return share(on, on.count(`CASE WHEN ${condition} THEN 1 END`), on.count('*'));
}

function shareOfValues(on: MeasuredColumn, condition: string): string {
  return share(on, on.count(`CASE WHEN ${condition} THEN 1 END`), on.count(on.of));
}

/** PostgreSQL's money is no number until it is cast to one. */
function plain(on: MeasuredColumn): string {
  const isMoney = on.name === 'postgres' && /^money$/i.test(on.type ?? '');
  return isMoney ? `CAST(${on.of} AS numeric)` : on.of;
}

/** A column's value where it is a number to reckon with: NaN and infinity less themselves are not zero. */
function number(on: MeasuredColumn): string {
  return mayBeNaN(on) ? `CASE WHEN ${on.of} - ${on.of} = 0 THEN ${on.of} END` : plain(on);
}

/** A date where it is one: PostgreSQL and DuckDB have dates before and after all others. */
function finite(on: MeasuredColumn): string {
  return mayBeInfinite(on) ? `CASE WHEN ISFINITE(${on.of}) THEN ${on.of} END` : on.of;
}

function mayBeInfinite({ name, type }: MeasuredColumn): boolean {
  return (name === 'postgres' || name === 'duckdb') && /^(date|timestamp)/i.test(type ?? '');
}

/** What is counted of a column's values; undefined where all of them are. */
export function countedOf(metricType: MetricType, on: MeasuredColumn): string | undefined {
  if (reckoning.has(metricType)) return mayBeNaN(on) ? number(on) : undefined;
  return dating.has(metricType) && mayBeInfinite(on) ? finite(on) : undefined;
}

/** Metrics that reckon with values, and those that look for one of the dates. */
const reckoning: ReadonlySet<MetricType> = new Set(['minimum', 'maximum', 'sum', 'mean', 'stddev']);
const dating: ReadonlySet<MetricType> = new Set(['freshness', 'newest_age', 'oldest_age']);

/** Sources whose floating-point numbers are numbers. */
const withoutNaN: ReadonlySet<string> = new Set(['mysql', 'mariadb', 'tsql']);

function mayBeNaN({ name, type }: MeasuredColumn): boolean {
  return !withoutNaN.has(name) && /\b(float\d*|double|real)\b/i.test(type ?? '');
}
