// What a monitor measures, as its creator says it: the metric and its settings.

import { z } from 'zod';
import { invalidField, invalidFields } from '../errors.ts';
import { nearest } from '../text/nearest.ts';
import { isStorable } from '../text/text.ts';
import { METRICS, type Metric, type MetricType, metricOf } from './metric.ts';
import { familyOf, isTimeOfDay, isTinyBoolean } from './scans/data-type.ts';
import { mustBeMadeWith } from './scans/made-with.ts';

/** A metric as a client gives it. */
export interface MetricInput {
  metricType?: string | null | undefined;
  metricConfig?: unknown;
}

/** Settings of a metric. */
export interface MetricConfig {
  /** The SQL of custom_sql: one row, one number; of freshness: the time of the newest. */
  readonly query_select?: string | undefined;
  /** A condition that narrows a standard metric. */
  readonly where?: string | undefined;
  /** The column that shows freshness, by its name. */
  readonly timestamp_column?: string | undefined;
  /** The column by which the rows of one closed period are measured, instead of all rows. */
  readonly time_column?: string | undefined;
  /** The column whose 50 largest values are measured one by one as well. */
  readonly dimension?: string | undefined;
  /** The values that accepted_values accepts. */
  readonly values?: string[] | undefined;
  /** The regular expression of pattern, as the source writes them. */
  readonly pattern?: string | undefined;
  /** The id of the column that references refers to. */
  readonly references?: string | undefined;
  /** The columns of unique_key, by their names. */
  readonly key_columns?: string[] | undefined;
  /** The query of comparison that the first is compared with, and the id of its source where that is another. */
  readonly other_query?: string | undefined;
  readonly other_integration?: string | undefined;
  /** difference, ratio or keys: by key_columns. */
  readonly compare_by?: string | undefined;
  /** Patterns of the tables of a schema or database that are not watched. */
  readonly exclude?: string[] | undefined;
}

/** What a metric has to know of what is to have it, such as a table. */
export interface MetricTarget {
  readonly kind: string;
  readonly title: string;
  readonly type: string | null;
}

/** A metric that its target can have, with its settings. */
export interface CheckedMetric {
  readonly metricType: MetricType;
  readonly metricConfig: MetricConfig & Record<string, string | string[]>;
}

const maxSql = 100_000;
/** Characters of an unknown name that are said back. */
const maxNameShown = 60;
const sql = z
  .string({ error: 'Use text.' })
  .max(maxSql, `Use at most ${maxSql} characters.`)
  .refine(isStorable, 'Use Unicode text without U+0000 and without half a surrogate pair.')
  .optional();
/** The settings that a metric may have: what a person may get wrong. */
export const SETTINGS = [
  'query_select',
  'where',
  'timestamp_column',
  'time_column',
  'dimension',
  'values',
  'pattern',
  'references',
  'key_columns',
  'other_query',
  'other_integration',
  'compare_by',
  'exclude',
] as const;
/** Values, or columns, of a check. */
const maxListed = 1_000;
const list = z
  .array(sql.unwrap(), { error: 'Use a list of texts.' })
  .max(maxListed, `Use at most ${maxListed.toLocaleString('en')}.`)
  .optional();
const notAnObject = 'Use an object, or the JSON of one.';
const configShape = z.object(
  {
    ...{ query_select: sql, where: sql, timestamp_column: sql, time_column: sql, dimension: sql },
    ...{ values: list, pattern: sql, references: sql, key_columns: list, exclude: list },
    ...{ other_query: sql, other_integration: sql, compare_by: sql },
  },
  { error: notAnObject },
);

// Names that clients of the original service send.
const alsoKnownAs = new Map([
  ['min', 'minimum'],
  ['max', 'maximum'],
]);

/**
 * Check a metric against its target. Throws BAD_REQUEST that names the field: an unknown metric, one
 * that the target's kind or data type cannot have, custom SQL without its SQL.
 */
export function readMetric(target: MetricTarget, input: MetricInput): CheckedMetric {
  const metricType = readMetricType(input.metricType);
  const metric = metricOf(metricType);
  mustFit(target, metricType, metric);
  const config = readConfig(input.metricConfig);
  if (metricType === 'custom_sql' && !config.query_select?.trim()) {
    throw invalidField('metric_config.query_select', 'custom_sql needs the SQL to run.');
  }
  mustAskAlone(metricType, target, config);
  mustDivide(metricType, config);
  mustBeOfAll(target, config);
  mustBeMadeWith(metricType, config);
  return { metricType, metricConfig: compact(config) };
}

/** The metric that a client names. Throws BAD_REQUEST with the list for any other. */
export function readMetricType(name: string | null | undefined): MetricType {
  const wanted = alsoKnownAs.get(name ?? '') ?? name ?? '';
  if (isMetricType(wanted)) return wanted;
  const list = Object.keys(METRICS).join(', ');
  const message = name
    ? `"${name.slice(0, 60)}" is not a metric; use one of ${list}.`
    : `Use one of ${list}.`;
  throw invalidField('metric_type', message);
}

/** Whether a string names a metric. */
export function isMetricType(name: string): name is MetricType {
  return Object.hasOwn(METRICS, name);
}

/** What can be measured of a resource, by its kind; nothing of most. */
export function metricsOf(target: MetricTarget): MetricType[] {
  return Object.keys(METRICS)
    .filter(isMetricType)
    .filter((type) => misfitOf(target, type, metricOf(type)) === null);
}

function mustFit(target: MetricTarget, type: MetricType, metric: Metric): void {
  const misfit = misfitOf(target, type, metric);
  if (misfit !== null) throw invalidField('metric_type', misfit);
}

/** Throws BAD_REQUEST for a query of the freshness of a column, and for what would narrow a query. */
function mustAskAlone(type: MetricType, { kind }: MetricTarget, config: MetricConfig): void {
  if (config.query_select === undefined) return;
  if (type !== 'freshness' && type !== 'comparison') return;
  if (kind !== 'table') {
    const message = 'Only the freshness of a table is asked by a query.';
    throw invalidField('metric_config.query_select', message);
  }
  const other = (['where', 'timestamp_column', 'time_column', 'dimension'] as const).find(
    (name) => config[name] !== undefined,
  );
  if (other !== undefined) {
    const message = 'A query says itself what it is about; leave this out.';
    throw invalidField(`metric_config.${other}`, message);
  }
}

/** Throws BAD_REQUEST where a metric can't be measured by period, or by the values of a column. */
function mustDivide(type: MetricType, { time_column: time, dimension }: MetricConfig): void {
  const isScanned = metricOf(type).from === 'query' && type !== 'custom_sql';
  if (time !== undefined && (!isScanned || type === 'freshness')) {
    const message = `${type} is not measured by period; leave time_column out.`;
    throw invalidField('metric_config.time_column', message);
  }
  if (dimension !== undefined && !isScanned) {
    const message = `${type} is not measured by the values of a column; leave dimension out.`;
    throw invalidField('metric_config.dimension', message);
  }
}

/** Throws BAD_REQUEST for what is said of one table where all of a schema or database are watched, and the other way round. */
function mustBeOfAll(target: MetricTarget, config: MetricConfig): void {
  const isAll = isOfAll(target);
  const misplaced = SETTINGS.find(
    (name) => config[name] !== undefined && (name === 'exclude') !== isAll,
  );
  if (misplaced === undefined) return;
  const message = isAll
    ? `All tables of a ${target.kind} are measured; leave ${misplaced} out.`
    : 'Only a monitor of a schema or database takes this.';
  throw invalidField(`metric_config.${misplaced}`, message);
}

/** Whether all tables below a target are measured, each by itself. */
export const isOfAll = ({ kind }: Pick<MetricTarget, 'kind'>): boolean =>
  kind === 'schema' || kind === 'database';

/** Why a target can't have a metric; null where it can. */
function misfitOf(target: MetricTarget, type: MetricType, metric: Metric): string | null {
  if (!metric.targets.some((kind) => kind === target.kind)) {
    const kinds = metric.targets.join(' or a ');
    return `${type} is measured on a ${kinds}, not on a ${target.kind}.`;
  }
  if (target.kind !== 'column' || metric.types === 'any' || !target.type) return null;
  const family = familyOf(target.type);
  if (metric.types === 'time' && isTimeOfDay(target.type)) {
    return `${type} needs a date; ${target.title} is ${target.type}, a time of any day.`;
  }
  // A type that we do not know may be any: the source will say at the first run.
  if (family === null || family === metric.types) return null;
  if (metric.types === 'boolean' && isTinyBoolean(target.type)) return null;
  // Whatever else is written as a text has a length.
  if (family === 'other' && metric.types === 'text') return null;
  return `${type} needs a ${metric.types} column; ${target.title} is ${target.type}.`;
}

function readConfig(input: unknown): MetricConfig {
  const given = fromText(input) ?? {};
  mustBeKnown(given);
  const parsed = configShape.safeParse(given);
  if (parsed.success) return compact(parsed.data);
  throw invalidFields(
    parsed.error.issues.map(({ path, message }) => ({
      field: ['metric_config', ...path].join('.'),
      message,
    })),
  );
}

/** A setting with a typo would be one that is not there, and something else would be measured. */
function mustBeKnown(config: unknown): void {
  if (typeof config !== 'object' || config === null) return;
  const known = Object.keys(configShape.shape);
  const unknown = Object.keys(config).find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const meant = nearest(unknown, known);
  const hint = meant === undefined ? `Use ${known.join(', ')}.` : `Did you mean ${meant}?`;
  const field = `metric_config.${unknown.slice(0, maxNameShown)}`;
  throw invalidField(field, `There is no such setting. ${hint}`);
}

/** The settings that a monitor's row holds: they were checked when they came in. */
export function readStoredConfig(stored: unknown): MetricConfig {
  const parsed = configShape.safeParse(stored);
  return parsed.success ? compact(parsed.data) : {};
}

/** What is measured, as a row or a client's input says it. */
interface StoredMetric {
  readonly metricType: string;
  readonly metricConfig: unknown;
}

/** Whether a metric counts faults, so that 0 alone is in order unless a range is given. */
export const countsFaults = ({ metricType, metricConfig }: CheckedMetric): boolean =>
  metricOf(metricType).isFault === true || metricConfig.compare_by === 'keys';

/** Whether two metrics measure the same. */
export function isSameMetric(one: StoredMetric, other: StoredMetric): boolean {
  const text = ({ metricType, metricConfig }: StoredMetric) => {
    const config = readStoredConfig(metricConfig);
    return JSON.stringify([metricType, ...SETTINGS.map((name) => config[name])]);
  };
  return text(one) === text(other);
}

/** The record shows metric_config as text, so a client that sends it back sends text. */
function fromText(input: unknown): unknown {
  if (typeof input !== 'string') return input;
  if (input.trim() === '') return {};
  try {
    return JSON.parse(input);
  } catch {
    throw invalidField('metric_config', notAnObject);
  }
}

function compact(config: MetricConfig): Record<string, string | string[]> {
  const given: Record<string, string | string[]> = {};
  for (const name of SETTINGS) {
    const value = config[name];
    if (value === undefined || value.length === 0) continue;
    given[name] = typeof value === 'string' ? value : [...value];
  }
  return given;
}
