// The process that reads a DuckDB file: read only, closed off from all other files. DuckDB computes in the process that
// loads it, and heeds neither its own limit of memory nor an interruption everywhere: constants are folded before a
// query begins.

import { serialize } from 'node:v8';
import type * as DuckDb from '@duckdb/node-api';
import { messageOf } from '../../../errors.ts';
import { answering, boundMemory } from '../../../process/child-program.ts';

/** What it is told: a file to open, by its real path and with DuckDB's options, and then statements. */
export type FileQuestion =
  | { readonly open: string; readonly options: Readonly<Record<string, string>> }
  | { readonly sql: string };

/** What it answers: rows, packed as Node.js' `serialize` does; or why there are none. */
export type FileAnswer =
  | { readonly rows: Uint8Array }
  /** By us. */
  | { readonly refused: string }
  /** By DuckDB, in its words. */
  | { readonly failed: string }
  /** The driver is optional: its binary is not there for every platform. */
  | { readonly isMissing: true };

/** What an answer holds at most; the server holds it as a whole. */
const maxRows = 200_000;
const maxBytes = 64_000_000;

let driver: typeof DuckDb | null = null;
let connection: DuckDb.DuckDBConnection | null = null;

answering(async (question) => {
  try {
    return await answerTo(question as FileQuestion);
  } catch (error) {
    return { failed: messageOf(error) } satisfies FileAnswer;
  }
});

async function answerTo(question: FileQuestion): Promise<FileAnswer> {
  if ('sql' in question) return read(question.sql);
  driver = await import('@duckdb/node-api').catch(() => null);
  if (!driver) return { isMissing: true };
  const instance = await driver.DuckDBInstance.create(question.open, question.options);
  connection = await instance.connect();
  boundMemory();
  return { rows: serialize([]) };
}

async function read(sql: string): Promise<FileAnswer> {
  if (!driver || !connection) throw new Error('no file is open.');
  const statements = await connection.extractStatements(sql);
  if (statements.count !== 1) return { refused: 'one statement is run at a time.' };
  const prepared = await statements.prepare(0);
  if (prepared.statementType !== driver.StatementType.SELECT) {
    return { refused: 'only queries are run: a SELECT, or WITH ... SELECT.' };
  }
  const reader = await prepared.streamAndReadUntil(maxRows);
  if (!reader.done) return { refused: `the answer has more than ${maxRows} rows.` };
  const rows = serialize(reader.getRowsJS().map((row) => row.map(plain)));
  if (rows.length > maxBytes) return { refused: `the answer has more than ${maxBytes} bytes.` };
  prepared.destroySync();
  return { rows };
}

/** Integers of 64 bits come as bigint: those that a number holds are numbers, as of other sources. */
function plain(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
