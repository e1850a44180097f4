// Reports how far a backup or a restore is.

import type { Header, Tally } from './manifest.ts';
import type { Counter } from './tally.ts';

/** How far a backup or a restore is. */
export interface Progress {
  /** The table whose rows are copied, or the key or index that is made of them. */
  readonly step: string;
  /** How many tables are done, and of how many. */
  readonly tables: number;
  readonly ofTables: number;
  /** Rows until now, and the length of their text form. */
  readonly rows: number;
  readonly bytes: number;
}

/** Called again and again, at least once for each table. */
export type ProgressListener = (progress: Progress) => void;

/** Adds up what was counted table by table. */
export interface Report {
  /** The rows of a table go on, as far as they are counted. */
  table(name: string, counter: Counter): void;
  /** A table is done. */
  done(counter: Counter): void;
  /** Something else is begun, such as an index. */
  step(name: string): void;
}

/** Begin to report on the tables of a header. */
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

/** Short work needs no lines, and of long work one now and then will do. */
const lineEveryMs = 3_000;

/** A listener that prints a line every few seconds. */
export function progressLines(print: (line: string) => void): ProgressListener {
  let printedAt = performance.now();
  return ({ step, tables, ofTables, rows, bytes }) => {
    const now = performance.now();
    if (now - printedAt < lineEveryMs) return;
    printedAt = now;
    print(`  ${step} (${tables} of ${ofTables} tables done): ${inWords(rows, bytes)}`);
  };
}

/** How much some tables hold: `31 tables, 1,234 rows, 5.6 MB`. */
export function sumOf(contents: readonly Tally[]): string {
  const rows = contents.reduce((sum, tally) => sum + tally.rows, 0);
  const bytes = contents.reduce((sum, tally) => sum + tally.bytes, 0);
  return `${contents.length} tables, ${inWords(rows, bytes)}`;
}

function inWords(rows: number, bytes: number): string {
  return `${rows.toLocaleString('en-US')} rows, ${(bytes / 1e6).toFixed(1)} MB`;
}
