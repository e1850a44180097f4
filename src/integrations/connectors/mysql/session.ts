// One connection to MySQL or MariaDB: read only, with limits, one statement.

import { connect as connectSocket, isIP, type Socket } from 'node:net';
import type { ConnectionOptions as TlsOptions } from 'node:tls';
import { type Connection, type ConnectionOptions, createConnection } from 'mysql2/promise';
import { invalid } from '../../../errors.ts';
import type { Host } from '../../../network/reach.ts';
import type { RunSession } from '../assemble.ts';
import { bounded } from '../byte-limit.ts';
import { codeOf, locked, tooSlow } from '../failure.ts';
import { connectEncrypted, type EncryptionSetting, encryptionOf } from '../tls.ts';

/** How to log in. */
export interface MySqlLogin {
  readonly port: number;
  readonly database?: string | undefined;
  readonly user: string;
  readonly password: string;
  readonly ssl: EncryptionSetting;
  readonly ca?: string | undefined;
}

const connectTimeoutMs = 10_000;
const lockTimeoutSeconds = 2;

/** Connect to a checked address. */
export async function openMySql(
  host: Host,
  login: MySqlLogin,
  signal: AbortSignal,
): Promise<RunSession> {
  const { connection, socket, link } = await connect(host, login, signal);
  const { isMariaDb, id } = await greet(connection);
  let isRunning = false;
  return {
    lasts: true,
    link,
    destroy() {
      socket.destroy();
      // The server notices a closed connection only when it has something to say on it.
      if (isRunning) void kill(host, login, id);
    },
    async run(sql, timeoutMs) {
      await connection.query(limits(isMariaDb, timeoutMs));
      await connection.query('START TRANSACTION READ ONLY');
      isRunning = true;
      const started = performance.now();
      try {
        // A prepared statement is one statement; a row is a list, whatever its columns are called.
        const [rows] = await bounded(socket, () =>
          connection.execute<unknown[][] & never>({ sql, rowsAsArray: true }),
        );
        // Functions that only take time (sleep, benchmark) answer a number when they are cut, without any error.
        if (performance.now() - started >= timeoutMs) throw tooSlow('The query', timeoutMs);
        return { rows: Array.isArray(rows) ? rows : [] };
      } catch (error) {
        if (numberOf(error) === lockWaitNumber) throw locked();
        throw cutNumbers.includes(numberOf(error)) ? tooSlow('The query', timeoutMs) : error;
      } finally {
        isRunning = false;
        if (!socket.destroyed) await forget(connection).catch(() => socket.destroy());
      }
    },
  };
}

function connect(host: Host, login: MySqlLogin, signal: AbortSignal) {
  return connectEncrypted(
    login,
    host,
    (tls) => connectOnce(host, login, tls, signal),
    (error) => codeOf(error) === 'HANDSHAKE_NO_SSL_SUPPORT',
  );
}

async function connectOnce(
  host: Host,
  login: MySqlLogin,
  tls: TlsOptions | null,
  signal: AbortSignal,
): Promise<{ connection: Connection; socket: Socket }> {
  signal.throwIfAborted();
  const verifyIdentity = tls !== null && encryptionOf(login.ssl, host) === 'verify-full';
  // The driver would compare `localhost`.
  if (verifyIdentity && isIP(host.name) !== 0) throw invalid(namelessHost);
  const socket = connectSocket({ host: host.address, port: login.port, keepAlive: true });
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  try {
    const { ca, rejectUnauthorized } = tls ?? {};
    const connection = await createConnection({
      // The driver takes the name for certificates only: the socket is connected to the address.
      host: host.name,
      stream: socket,
      port: login.port,
      user: login.user,
      password: login.password,
      // What runs there is ours, and counts as no use of a table (`history.ts`).
      database: login.database ?? 'information_schema',
      ...(tls
        ? {
            ssl: {
              rejectUnauthorized: rejectUnauthorized ?? false,
              verifyIdentity,
              ...(typeof ca === 'string' ? { ca } : {}),
            },
          }
        : {}),
      ...always,
    });
    // A connection that breaks fails the statement it is at.
    connection.on('error', () => {});
    return { connection, socket };
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

const namelessHost =
  "The certificate of an address can't be verified here: set host to the name that it is for, or ssl to verify-ca.";

const always: ConnectionOptions = {
  connectTimeout: connectTimeoutMs,
  multipleStatements: false,
  // The server may otherwise ask for any file of this machine.
  flags: ['-LOCAL_FILES'],
  dateStrings: true,
  supportBigNumbers: true,
  charset: 'utf8mb4',
};

async function greet(connection: Connection): Promise<{ isMariaDb: boolean; id: number }> {
  const [rows] = await connection.query({
    sql: `select version(), connection_id()`,
    rowsAsArray: true,
  });
  const [row]: unknown[] = Array.isArray(rows) ? rows : [];
  const [version, id] = Array.isArray(row) ? row : [];
  // Moments are given in UTC, and the transactions of this connection read, unless they say otherwise.
  // MySQL 8 would answer for a day what it once knew of the sizes and changes of tables.
  await connection.query(
    `SET SESSION time_zone = '+00:00' /*!80003 , information_schema_stats_expiry = 0 */`,
  );
  await connection.query('SET SESSION TRANSACTION READ ONLY');
  return { isMariaDb: String(version).includes('MariaDB'), id: Number(id) };
}

function limits(isMariaDb: boolean, ms: number): string {
  const time = isMariaDb
    ? `max_statement_time = ${ms / 1_000}`
    : `max_execution_time = ${Math.ceil(ms)}`;
  return `SET SESSION ${time}, innodb_lock_wait_timeout = ${lockTimeoutSeconds}, lock_wait_timeout = ${lockTimeoutSeconds}`;
}

/** End the transaction, and give back locks that outlast it. */
async function forget(connection: Connection): Promise<void> {
  await connection.query('ROLLBACK');
  await connection.query('DO RELEASE_ALL_LOCKS()');
}

/** Statement cut after its time in MySQL and in MariaDB, and cut by the one who ended the connection. */
const cutNumbers: readonly unknown[] = [3024, 1969, 1317];
/** A lock, of rows or of the table as such, was waited for in vain. */
const lockWaitNumber = 1205;

const numberOf = (error: unknown): unknown =>
  error instanceof Error && 'errno' in error ? error.errno : null;

/** End what a connection that is gone has left running. */
async function kill(host: Host, login: MySqlLogin, id: number): Promise<void> {
  const waiting = AbortSignal.timeout(connectTimeoutMs);
  try {
    const { connection, socket } = await connect(host, login, waiting);
    await connection.query(`KILL ${id}`);
    socket.destroy();
  } catch {
    // It has ended by itself, or the server is gone: there is nothing left to end.
  }
}
