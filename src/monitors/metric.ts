// The table of metrics: what each measures, on what, and in which range.

/** What a metric's value is counted in; it decides the domain and the smallest change worth a word. */
export interface Unit {
  /** Lowest value the metric can have; null where there is none. */
  readonly min: number | null;
  /** Highest value the metric can have; null where there is none. */
  readonly max: number | null;
  /** A learned range is at least this much to either side, in the metric's own unit. */
  readonly floor: number;
  /** And at least this share of the forecast. */
  readonly relativeFloor: number;
  /** When the level of such a metric shifts, its season shifts in proportion. */
  readonly scales: boolean;
  /** Scales never shrink below this when they are compared to each other. */
  readonly grain: number;
}

/**
 * The units of `Unit`. A count moves by whole rows, so 0.9 finds a change of one and forgives
 * none; a tenth of a percentage point and half an hour are what no one wants to be woken for.
 */
export const UNITS = {
  count: { min: 0, max: null, floor: 0.9, relativeFloor: 0, grain: 1, scales: true },
  percentage: { min: 0, max: 100, floor: 0.1, relativeFloor: 0, grain: 0.1, scales: false },
  lateness: { min: 0, max: null, floor: 1800, relativeFloor: 0, grain: 1800, scales: false },
  /** How long ago a date is; less than 0 where it lies ahead. */
  age: { min: null, max: null, floor: 1800, relativeFloor: 0, grain: 1800, scales: false },
  size: { min: 0, max: null, floor: 1e-9, relativeFloor: 0.001, grain: 1e-6, scales: false },
  /** A sum may be negative, but mostly is of amounts. */
  sum: { min: null, max: null, floor: 1e-9, relativeFloor: 0.001, grain: 1e-6, scales: true },
  number: { min: null, max: null, floor: 1e-9, relativeFloor: 0.001, grain: 1e-6, scales: false },
} as const satisfies Record<string, Unit>;

/** The kinds of resource that a metric can be measured on. */
export type TargetKind = 'table' | 'column' | 'job' | 'schema' | 'database';

/** The groups of data types that a column metric can need; `any` takes every type. */
export type TypeFamily = 'any' | 'boolean' | 'numeric' | 'text' | 'time';

/** What one metric is. */
export interface Metric {
  readonly label: string;
  readonly targets: readonly TargetKind[];
  /** Which columns it can be measured on; ignored for tables and jobs. */
  readonly types: TypeFamily;
  readonly unit: Unit;
  /** Only values that are too high are breaches: data can't be too fresh. */
  readonly upperOnly: boolean;
  /**
   * `query` is measured by SQL on the source, `queries` by two statements of people, `rows` by a statement that looks for rows that fail a check, `run_results`
   * comes with uploaded run results, `catalog` is what the latest sync knows of columns.
   */
  readonly from: 'query' | 'queries' | 'rows' | 'run_results' | 'catalog';
  /** It counts faults: 0 is in order and nothing else, unless a range is asked for. */
  readonly isFault?: boolean;
}

const column = (label: string, types: TypeFamily, unit: Unit): Metric => ({
  label,
  targets: ['column'],
  types,
  unit,
  upperOnly: false,
  from: 'query',
});

/** The number of rows that fail a check. */
const check = (label: string, target: 'table' | 'column', types: TypeFamily = 'any'): Metric => ({
  label,
  targets: [target],
  types,
  unit: UNITS.count,
  upperOnly: false,
  from: 'rows',
  isFault: true,
});

/** A metric of runs: of a job, or of the model that a project builds a table with. */
const job = (label: string, unit: Unit): Metric => ({
  label,
  targets: ['job', 'table'],
  types: 'any',
  unit,
  upperOnly: false,
  from: 'run_results',
});

/** Every metric that a monitor can watch, by its `metric_type`. */
export const METRICS = {
  row_count: {
    label: 'Row count',
    targets: ['table', 'schema', 'database'],
    types: 'any',
    unit: UNITS.count,
    upperOnly: false,
    from: 'query',
  },
  freshness: {
    label: 'Freshness',
    targets: ['table', 'column', 'schema', 'database'],
    types: 'time',
    unit: UNITS.lateness,
    upperOnly: true,
    from: 'query',
  },
  custom_sql: {
    label: 'Custom SQL',
    targets: ['table', 'column'],
    types: 'any',
    unit: UNITS.number,
    upperOnly: false,
    from: 'query',
  },
  comparison: {
    label: 'Comparison',
    targets: ['table'],
    types: 'any',
    unit: UNITS.number,
    upperOnly: false,
    from: 'queries',
  },
  null_percentage: column('Null percentage', 'any', UNITS.percentage),
  unique_percentage: column('Unique percentage', 'any', UNITS.percentage),
  cardinality: column('Cardinality', 'any', UNITS.count),
  duplicate_count: column('Duplicate count', 'any', UNITS.count),
  minimum: column('Minimum', 'numeric', UNITS.number),
  maximum: column('Maximum', 'numeric', UNITS.number),
  mean: column('Mean', 'numeric', UNITS.number),
  sum: column('Sum', 'numeric', UNITS.sum),
  stddev: column('Standard deviation', 'numeric', UNITS.size),
  zero_percentage: column('Zero percentage', 'numeric', UNITS.percentage),
  negative_percentage: column('Negative percentage', 'numeric', UNITS.percentage),
  empty_string_percentage: column('Empty string percentage', 'text', UNITS.percentage),
  average_length: column('Average length', 'text', UNITS.size),
  true_percentage: column('True percentage', 'boolean', UNITS.percentage),
  newest_age: column('Age of the newest', 'time', UNITS.age),
  oldest_age: column('Age of the oldest', 'time', UNITS.age),
  accepted_values: check('Accepted values', 'column'),
  pattern: check('Pattern', 'column', 'text'),
  references: check('References', 'column'),
  unique_key: check('Unique key', 'table'),
  failing_tests: {
    label: 'Failing tests',
    targets: ['table'],
    types: 'any',
    unit: UNITS.count,
    upperOnly: false,
    from: 'run_results',
    isFault: true,
  },
  schema_changes: {
    label: 'Schema changes',
    targets: ['table', 'schema', 'database'],
    types: 'any',
    unit: UNITS.count,
    upperOnly: true,
    from: 'catalog',
    isFault: true,
  },
  job_duration: job('Job duration', UNITS.size),
  job_error_rate: job('Job error rate', UNITS.percentage),
  job_success_rate: job('Job success rate', UNITS.percentage),
} as const satisfies Record<string, Metric>;

/** The names of `METRICS`. */
export type MetricType = keyof typeof METRICS;

/** The definition of a metric, without the literal types of the table. */
export function metricOf(type: MetricType): Metric {
  return METRICS[type];
}

/** Bring a value into the metric's domain. */
export function clampToUnit(value: number, unit: Unit): number {
  if (unit.min !== null && value < unit.min) return unit.min;
  if (unit.max !== null && value > unit.max) return unit.max;
  return value;
}

/** The least half-width of a range around a forecast, in the metric's unit. */
export function floorAround(forecast: number, unit: Unit): number {
  return Math.max(unit.floor, unit.relativeFloor * Math.abs(forecast));
}
