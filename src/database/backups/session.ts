// In charge of the connection that a backup or a restore has to itself, outside of any pool.

import pg from 'pg';

const connectTimeoutMs = 15_000;

/** Rows are written and read in the same form on every server, and as slowly as it takes. */
const settings = [
  "client_encoding = 'UTF8'",
  "timezone = 'UTC'",
  "datestyle = 'ISO, YMD'",
  "intervalstyle = 'postgres'",
  'extra_float_digits = 3',
  "bytea_output = 'hex'",
  // Rows come in the order in which they lie in the table, wherever another reader is just now.
  'synchronize_seqscans = off',
  'statement_timeout = 0',
  'lock_timeout = 0',
  'idle_in_transaction_session_timeout = 0',
];

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
    keepAlive: true,
  });
  // A connection that breaks is heard of by the statement that waits for it, or by the next one.
  client.on('error', () => {});
  try {
    await client.connect();
  } catch (error) {
    throw new Error(`The database can't be reached: ${messageOf(error)}.`, { cause: error });
  }
  try {
    for (const setting of settings) await client.query(`set ${setting}`);
    return await work(client);
  } finally {
    await client.end().catch(() => {});
  }
}

/** What an error says, with the row where PostgreSQL names one, such as `COPY tag, line 3`. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // An error of several addresses that were tried has no message of its own.
  const message = error.message === '' && 'code' in error ? String(error.code) : error.message;
  if (!(error instanceof pg.DatabaseError)) return message;
  // What comes after it is the row itself.
  const [place] = /^COPY \S+, line \d+(, column \w+)?/.exec(error.where ?? '') ?? [];
  return [message, error.detail?.replace(/\.$/, ''), place].filter(Boolean).join('; ');
}
