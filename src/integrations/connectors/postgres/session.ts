// One connection to PostgreSQL or Redshift: read only, with limits, one statement.

import { Socket } from 'node:net';
import pg from 'pg';
import { invalid } from '../../../errors.ts';
import type { Host } from '../../../network/reach.ts';
import type { RunSession } from '../assemble.ts';
import { bounded } from '../byte-limit.ts';
import { codeOf, locked, tooSlow } from '../failure.ts';
import { connectEncrypted, type EncryptionSetting } from '../tls.ts';

/** How to log in. */
export interface PostgresLogin {
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

const connectTimeoutMs = 10_000;
const lockTimeoutMs = 2_000;

/** Connect to a checked address. Each statement runs in a transaction that reads and is rolled back. */
export async function openPostgres(
  host: Host,
  login: PostgresLogin,
  flavor: 'postgres' | 'redshift',
  signal: AbortSignal,
): Promise<RunSession> {
  const { client, socket, link } = await connectEncrypted(
    login,
    host,
    (tls) => connectOnce(host, login, tls ?? false, signal),
    (error) => error instanceof Error && /does not support SSL/.test(error.message),
  );
  return {
    link,
    // Redshift has no statement that makes a connection as new.
    lasts: flavor === 'postgres',
    destroy: () => void socket.destroy(),
    async run(sql, timeoutMs) {
      const limits = flavor === 'postgres' ? postgresLimits : redshiftLimits;
      await client.query(`BEGIN READ ONLY; ${limits(timeoutMs)}`);
      const rows = await bounded(socket, () => readRows(client, sql, timeoutMs));
      await client.query('ROLLBACK');
      // Settings, locks and temporary things of the statement are not for the next one.
      if (flavor === 'postgres') await client.query('DISCARD ALL');
      return { rows };
    },
  };
}

async function connectOnce(
  host: Host,
  { port, database, user, password }: PostgresLogin,
  ssl: pg.ClientConfig['ssl'],
  signal: AbortSignal,
) {
  signal.throwIfAborted();
  const socket = new Socket();
  const client = new pg.Client({
    host: host.address,
    port,
    database,
    user,
    // As a function: an empty password would make the driver look for one of this process.
    password: () => mustBeGiven(password),
    ssl,
    stream: () => socket,
    connectionTimeoutMillis: connectTimeoutMs,
    application_name: 'headwater',
    keepAlive: true,
    types: { getTypeParser },
  });
  // A connection that breaks fails the statement it is at; between statements the next one finds out.
  client.on('error', () => {});
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    await client.connect();
    return { client, socket };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

/** The driver asks for the password when the server does. */
function mustBeGiven(password: string): string {
  if (password !== '') return password;
  throw invalid('The source asks for a password, and the credentials have none.');
}

const postgresLimits = (ms: number) =>
  `SET LOCAL statement_timeout = ${ms}; SET LOCAL lock_timeout = ${lockTimeoutMs};
   SET LOCAL idle_in_transaction_session_timeout = ${ms + connectTimeoutMs}`;

const redshiftLimits = (ms: number) => `SET LOCAL statement_timeout TO ${ms}`;

async function readRows(client: pg.Client, sql: string, timeoutMs: number) {
  // The extended protocol takes one statement: with the simple one `commit; drop table` would leave
  // the transaction. The driver takes the option, its types do not know it.
  const query = { text: sql, values: [], rowMode: 'array' as const, queryMode: 'extended' };
  try {
    const { rows } = await client.query<unknown[]>(query);
    return rows;
  } catch (error) {
    if (codeOf(error) === '57014') throw tooSlow('The query', timeoutMs);
    if (codeOf(error) === '55P03') throw locked();
    throw error;
  }
}

const { builtins } = pg.types;

function parseBigint(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

// Dates are left as they are written: what a driver makes of them depends on where this process runs.
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseBigint],
  [builtins.DATE, (text) => text],
  [builtins.TIMESTAMP, (text) => text],
]);

function getTypeParser(type: number, format?: 'text' | 'binary') {
  return parsers.get(type) ?? pg.types.getTypeParser(type, format);
}
