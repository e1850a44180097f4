// The connection that a backup or a restore has to itself, outside of any pool.

import pg from 'pg';
import { messageOf } from '../../errors.ts';
import { everyWorkspace, workspaceSetting } from '../connections/visible-rows.ts';
import { takeMigrationLock } from '../migrations/migration-lock.ts';

const connectTimeoutMs = 15_000;
const lockLimitMs = 30_000;

/**
 * Rows are written and read in the same form on every server, and as slowly as it takes. Only who has locked
 * a table is not waited for without end.
 */
const settings = {
  client_encoding: 'UTF8',
  TimeZone: 'UTC',
  DateStyle: 'ISO, YMD',
  IntervalStyle: 'postgres',
  extra_float_digits: '3',
  bytea_output: 'hex',
  // Rows come in the order in which they lie in the table, wherever another reader is just now.
  synchronize_seqscans: 'off',
  statement_timeout: '0',
  lock_timeout: '30s',
  idle_in_transaction_session_timeout: '0',
  transaction_timeout: '0',
};

/**
 * Connect to the database at `address`, do some work there, and end the connection: whatever the work
 * left open is rolled back. Throws with one sentence where the database does not answer.
 */
export async function withSession<T>(
  address: string,
  name: 'headwater backup' | 'headwater restore',
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({
    connectionString: address,
    application_name: name,
    connectionTimeoutMillis: connectTimeoutMs,
    // The rows of every workspace.
    options: `-c ${workspaceSetting}=${everyWorkspace}`,
    keepAlive: true,
  });
  // A connection that breaks is noticed by the statement that waits for it, or by the next one.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The database can't be reached: ${messageWithRow(error)}.`, { cause: error });
  }
  try {
    // Not every version has all of them.
    await client.query(
      `select set_config(name, given.value, false)
       from json_each_text($1) given (name, value) join pg_settings using (name)`,
      [JSON.stringify(settings)],
    );
    return await work(client);
  } catch (error) {
    throw isOfDriver(error)
      ? new Error(`The database failed: ${messageWithRow(error)}.`, { cause: error })
      : error;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Whether PostgreSQL said it, or node-postgres of a connection that broke. */
function isOfDriver(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return true;
  return error instanceof Error && /^(Connection terminated|Client )/.test(error.message);
}

/**
 * Take the lock of migrations until the session ends: shared, no one changes the tables in the meantime; alone,
 * no one else does so or makes a backup. Throws where others have it for long.
 */
export async function lockMigrations(
  client: pg.ClientBase,
  how: 'shared' | 'alone',
): Promise<void> {
  if (await takeMigrationLock(client, how, lockLimitMs)) return;
  throw new Error(
    'The database is being migrated, backed up or restored: try again when that is over.',
  );
}

/** What an error says, with the row where PostgreSQL names one, such as `COPY tag, line 3`. */
export function messageWithRow(error: unknown): string {
  const message = messageOf(error);
  if (!(error instanceof pg.DatabaseError)) return message;
  // What comes after it is the row itself.
  const [place] = /^COPY \S+, line \d+(, column \w+)?/.exec(error.where ?? '') ?? [];
  return [message, error.detail?.replace(/\.$/, ''), place].filter(Boolean).join('; ');
}
