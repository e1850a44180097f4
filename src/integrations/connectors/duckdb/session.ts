// One opening of a DuckDB file: read only, closed off from all other files.

import type * as DuckDb from '@duckdb/node-api';
import { unavailable } from '../../../errors.ts';
import type { RunSession } from '../assemble.ts';
import { SourceRefusal, tooSlow } from '../failure.ts';

type Module = typeof DuckDb;

/** The driver is optional: its binary is not there for every platform. */
async function loadDriver(): Promise<Module> {
  try {
    return await import('@duckdb/node-api');
  } catch {
    throw unavailable(
      'The driver of DuckDB is not installed on this server: npm install @duckdb/node-api.',
    );
  }
}

// What keeps SQL from reading other files, loading code, or changing its own limits.
const options: Readonly<Record<string, string>> = {
  access_mode: 'READ_ONLY',
  enable_external_access: 'false',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
  allow_community_extensions: 'false',
  memory_limit: '512MB',
  threads: '2',
  lock_configuration: 'true',
};

/** Rows of an answer, which is held in memory as a whole. */
const maxRows = 200_000;

/** Open a file by its real path. */
export async function openDuckDb(path: string, signal: AbortSignal): Promise<RunSession> {
  const driver = await loadDriver();
  const instance = await driver.DuckDBInstance.create(path, options);
  const connection = await instance.connect();
  signal.throwIfAborted();
  let running: Promise<unknown> = Promise.resolve();
  let isCut = false;

  async function read(sql: string): Promise<unknown[][]> {
    const statements = await connection.extractStatements(sql);
    if (statements.count !== 1) throw new SourceRefusal('one statement is run at a time.');
    const prepared = await statements.prepare(0);
    try {
      if (prepared.statementType !== driver.StatementType.SELECT) {
        throw new SourceRefusal('only queries are run: a SELECT, or WITH ... SELECT.');
      }
      const reader = await prepared.streamAndReadUntil(maxRows);
      if (!reader.done) throw new SourceRefusal(`the answer has more than ${maxRows} rows.`);
      return reader.getRowsJS().map((row) => row.map(plain));
    } finally {
      prepared.destroySync();
    }
  }

  return {
    lasts: true,
    destroy() {
      if (isCut) return;
      isCut = true;
      connection.interrupt();
      // What is under way ends first: it still needs the connection.
      void running
        .catch(() => {})
        .then(() => {
          connection.closeSync();
          instance.closeSync();
        });
    },
    async run(sql, timeoutMs) {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        connection.interrupt();
      }, timeoutMs);
      const reading = read(sql);
      running = reading;
      try {
        return { rows: await reading };
      } catch (error) {
        if (isLate) throw tooSlow('The query', timeoutMs);
        throw error instanceof SourceRefusal ? error : new SourceRefusal(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

/** Integers of 64 bits come as bigint: those that a number holds are numbers, as of other sources. */
function plain(value: unknown): unknown {
  if (typeof value !== 'bigint') return value;
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}
