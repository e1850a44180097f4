// What was read of a source: a value, or why there is none.

/** The result of a request: a value, with what is to be said of it, or why there is none. */
export type Reading = MeasuredReading | FailedReading;

interface MeasuredReading {
  readonly value: number;
  readonly warning?: string;
  /** The instant of the period that was measured; absent for the present. */
  readonly at?: Date;
  /** What was measured of the values of a dimension; absent without one. */
  readonly segments?: readonly SegmentValue[];
  /** Some of the rows that were counted, where they may be kept. */
  readonly failing?: FailingSample;
  /** The tables whose columns are not as expected; absent where that is not asked. */
  readonly changes?: readonly TableChanges[];
  /** What was measured of earlier periods, oldest first. */
  readonly earlier?: readonly EarlierValue[];
}

/** Some rows that fail a check, as texts; null is no value. */
export interface FailingSample {
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | null)[])[];
}

/** What was measured of one value of a dimension, or of one table of many. */
export interface SegmentValue {
  readonly segment: string;
  readonly value: number;
  /** Of a table that is watched with others: when it changed, in seconds since 1970, and what showed it. */
  readonly since?: number | undefined;
  readonly mark?: number | undefined;
}

/** What is not as expected of the columns of a table. */
export interface TableChanges {
  readonly tableId: string;
  readonly table: string;
  readonly columns: readonly ChangedColumn[];
}

/** A column with the type that it had and the one that it has; null where it is gone. */
export interface ChangedColumn {
  readonly name: string;
  readonly before: string;
  readonly after: string | null;
}

/** What was measured of an earlier period. */
export interface EarlierValue {
  readonly at: Date;
  /** The number of the period among those that were asked for. */
  readonly place: number;
  readonly value: number;
  readonly segments?: readonly SegmentValue[];
}

/** Why there is no value. */
export interface FailedReading {
  readonly error: string;
  /** What the source said of it, for those who may write SQL for it; never stored. */
  readonly said?: string | undefined;
  /** Whether the source said no to the statement, or did not answer; absent for what else it may be. */
  readonly why?: 'refused' | 'away';
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

/** Of what kind a value is; not the value, which may be of a row. */
function kindOf(value: unknown): string {
  if (typeof value === 'number' || /^[-+]?(?:nan|inf|infinity)$/i.test(String(value))) {
    return String(value);
  }
  if (typeof value === 'string') return value.trim() === '' ? 'an empty text' : 'a text';
  if (value instanceof Date) return 'a date';
  return Array.isArray(value) ? 'a list' : `a value of the type ${typeof value}`;
}
