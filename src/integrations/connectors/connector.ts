// What every live source can do, whatever it is.

import type { DialectName } from '../../lineage/sql/dialect.ts';
import type { Extraction } from '../readers/extraction.ts';

/** A live source. Nothing is connected until it is asked something; `close` ends all connections. */
export interface Connector {
  /** How its SQL is written; null for what is not asked by SQL. */
  readonly dialect: DialectName | null;
  /**
   * Whether the source can be used, and in words what is missing when it cannot. What the source
   * answers is in the report; nothing is thrown for it.
   */
  test(): Promise<ConnectionReport>;
  /** All that the source says of itself. */
  extract(watch: ExtractWatch): Extraction;
  /** Routines of the source, and queries that ran on it, the most used first; absent where it keeps none. */
  queryHistory?(since: Date | null): AsyncIterable<PastQuery>;
  /**
   * Run one statement that only reads. It is cut when its time is over, by the source and, half a
   * second later at most, by closing the connection. Throws BAD_REQUEST for what the source refuses
   * and UNAVAILABLE where it does not answer in time; the message holds no secret.
   */
  query(sql: string, options: QueryOptions): Promise<QueryResult>;
  /**
   * Bytes that a statement would read, which is not run. Throws as `query` does; absent where the source does not say.
   */
  estimate?(sql: string, options: QueryOptions): Promise<number>;
  close(): Promise<void>;
}

export interface ExtractWatch {
  /** Called with what had to be left out, in words. */
  note(line: string): void;
  readonly signal?: AbortSignal | undefined;
}

export interface QueryOptions {
  /** Milliseconds from the moment that a connection is free, connecting included. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
  /** The database that it is for, of a source that reads several; others have but one. */
  readonly database?: string | undefined;
}

/** What a query answered: a number, text, boolean, Date, null, or for 64-bit integers a bigint. */
export interface QueryResult {
  readonly rows: readonly (readonly unknown[])[];
  /** Names of the columns, where the source says them. */
  readonly columns?: readonly string[];
}

/** Whether a source can be used: each thing that was looked at. */
export interface ConnectionReport {
  /** True when nothing that is needed is missing. */
  readonly ok: boolean;
  /** What the source calls itself, with its version; null when it did not say. */
  readonly version: string | null;
  readonly checks: readonly ConnectionCheck[];
}

export interface ConnectionCheck {
  /** What was looked at, in a word or two. */
  readonly name: string;
  /** `missing` stops work, `limited` leaves something out. */
  readonly state: 'ok' | 'limited' | 'missing';
  /** What was found, in words. */
  readonly message: string;
  /** What would mend it, such as the grants to give; null when nothing has to be done. */
  readonly fix: string | null;
}

/** A query that ran on the source, or a routine that is kept there. */
export interface PastQuery {
  readonly sql: string;
  /** How often it ran; 0 of a routine. */
  readonly count: number;
  /** Whether `count` is of all time, or of the time that was asked for. */
  readonly counted: 'ever' | 'since';
  /** Who ran it, as the source names them. */
  readonly user: string | null;
  /** All who ran it, where the source says more than one of them. */
  readonly users?: readonly string[];
  /** When it ran last; null where the source does not say. */
  readonly at: Date | null;
  /** Where its unqualified names lie; null where the source does not say. */
  readonly database: string | null;
  readonly schema: string | null;
}

/** A report of checks: it is in order unless something is missing. */
export function reportOf(
  version: string | null,
  checks: readonly ConnectionCheck[],
): ConnectionReport {
  return { ok: checks.every(({ state }) => state !== 'missing'), version, checks };
}

/** A check that found all in order. */
export function found(name: string, message: string): ConnectionCheck {
  return { name, state: 'ok', message, fix: null };
}

/** Runs a statement of a connector's own on its source. */
export type Ask = (sql: string, options: QueryOptions) => Promise<QueryResult>;
