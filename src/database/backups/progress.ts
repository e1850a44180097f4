// In charge of telling how far a backup or a restore is.

import type { Header } from './manifest.ts';
import type { Counter } from './tally.ts';

/** How far a backup or a restore is. */
export interface Progress {
  /** The table whose rows are copied, or what is done with all of them. */
  readonly step: string;
  /** How many tables are done, and of how many. */
  readonly tables: number;
  readonly ofTables: number;
  /** Rows until now, and the length of their text form. */
  readonly rows: number;
  readonly bytes: number;
}

/** Told again and again, at least once for each table. */
export type ProgressListener = (progress: Progress) => void;

/** Adds up what was counted table by table. */
export interface Report {
  /** The rows of a table go on, as far as they are counted. */
  table(name: string, counter: Counter): void;
  /** A table is done. */
  done(counter: Counter): void;
  /** Something else is begun, such as the indexes. */
  step(name: string): void;
}

/** Begin to tell of the tables of a header. */
export function openReport({ tables }: Header, listener: ProgressListener = () => {}): Report {
  const total = { tables: 0, ofTables: tables.length, rows: 0, bytes: 0 };
  return {
    table: (step, { rows, bytes }) =>
      listener({ ...total, step, rows: total.rows + rows, bytes: total.bytes + bytes }),
    done({ rows, bytes }) {
      total.tables += 1;
      total.rows += rows;
      total.bytes += bytes;
    },
    step: (step) => listener({ ...total, step }),
  };
}
