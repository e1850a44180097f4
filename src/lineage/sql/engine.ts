// The way in: traces SQL in threads of its own, so that no statement can hold up the server.
import { invalidField, tooLarge } from '../../errors.ts';
import type { KnownTable, Lookup, SqlLineage, SqlQuestion } from './answer.ts';
import { type Dialect, dialectNamed } from './dialect.ts';
import { fingerprint } from './fingerprint.ts';
import { openThreadPool } from './thread-pool.ts';
import { ThreadFailed } from './thread-slot.ts';

/** Traces SQL. Open one for the process and close it at the end. */
export interface SqlEngine {
  /**
   * What a text of SQL reads and writes. `lookup` is asked once, with the names of all tables that
   * the text mentions; without it, or where it doesn't know a table, columns are taken from the
   * query as it names them.
   *
   * Statements that are no SQL, nested too deeply or slower than the time limit are in `errors`
   * of the answer, with line and column. Throws BAD_REQUEST for an unknown dialect,
   * PAYLOAD_TOO_LARGE for a text above two million characters, UNAVAILABLE when too many wait.
   */
  trace(question: SqlQuestion, lookup?: Lookup): Promise<SqlLineage>;
  /** Stop all threads; what is being traced fails. */
  close(): Promise<void>;
}

export interface SqlEngineOptions {
  /** How many threads there may be; they start when they are needed. 2 unless said. */
  threads?: number;
  /**
   * How much CPU a thread may use to read one text, and again to trace it, in milliseconds; by the clock
   * twelve times as much, so that a busy machine gives the same lineage. 5,000 unless said.
   */
  timeLimit?: number;
}

const LONGEST = 2_000_000;
const NO_TABLES: readonly KnownTable[] = [];

/** An engine, whose threads start with the first question. */
export function openSqlEngine(options: SqlEngineOptions = {}): SqlEngine {
  const timeLimit = options.timeLimit ?? 5_000;
  const pool = openThreadPool(options.threads ?? 2, timeLimit);
  return {
    async trace(question, lookup = () => NO_TABLES) {
      const dialect = dialectNamed(question.dialect);
      if (typeof question.sql !== 'string') throw invalidField('sql', 'Use a string.');
      if (question.sql.length > LONGEST) {
        throw tooLarge(`sql: has ${question.sql.length} characters; at most ${LONGEST} are read.`);
      }
      try {
        return await pool.ask(question, lookup);
      } catch (error) {
        if (error instanceof ThreadFailed) return refusal(question, dialect, error.message);
        throw error;
      }
    },
    close: () => pool.close(),
  };
}

/** The answer for a text on which its thread ended. */
function refusal(question: SqlQuestion, dialect: Dialect, message: string): SqlLineage {
  // A text that ended its thread is not worth holding up this one: its head stands for it.
  const head = { ...question, sql: question.sql.slice(0, 10_000) };
  const error = { statement: 1, message, expected: null, line: 1, column: 1 };
  return {
    dialect: dialect.name,
    fingerprint: fingerprint(head.sql, dialect),
    statements: [],
    errors: [error],
  };
}
