// In charge of databases that are reached through a pooler, such as PgBouncer, which gives each
// transaction whichever of its connections is free.

import net from 'node:net';
import pg from 'pg';

/** Names under which PostgreSQL knows the one time zone that sessions may have. */
const utc = ['utc', 'etc/utc', 'uct', 'etc/uct', 'gmt', 'etc/gmt', 'zulu', 'etc/zulu'];

/**
 * A pooler passes on no settings of ours, so its sessions have to be in UTC by themselves: in any other
 * zone times would be stored and read hours off. Throws, saying what to do, where they are not.
 */
export async function mustBeInUtc(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ zone: string; login: string }>(
    `select current_setting('TimeZone') as zone, current_user as login`,
  );
  const { zone = '', login = '' } = rows[0] ?? {};
  if (utc.includes(zone.toLowerCase())) return;
  throw new Error(
    `The sessions behind DATABASE_URL are in the time zone ${zone}, and have to be in UTC. On the ` +
      `server: ALTER ROLE ${pg.escapeIdentifier(login)} SET timezone TO 'UTC'; then let the pooler ` +
      'open its connections anew.',
  );
}

/** The code of PostgreSQL's protocol for a request to cancel. */
const cancelCode = 80_877_102;
const cancelBytes = 16;
const cancelTimeoutMs = 5_000;

/**
 * Ask for a connection's statement to be cancelled, as PostgreSQL's protocol has it. No timeout of
 * PostgreSQL's own passes through a pooler. What comes of it shows on the connection itself.
 */
export function cancelStatement(client: pg.PoolClient): void {
  const [processId, secret] = [Reflect.get(client, 'processID'), Reflect.get(client, 'secretKey')];
  if (typeof processId !== 'number' || typeof secret !== 'number') return;
  const request = Buffer.alloc(cancelBytes);
  request.writeInt32BE(cancelBytes, 0);
  request.writeInt32BE(cancelCode, 4);
  request.writeInt32BE(processId, 8);
  request.writeInt32BE(secret, 12);
  const { host, port } = addressOf(client);
  const socket = host.startsWith('/')
    ? net.connect(`${host}/.s.PGSQL.${port}`)
    : net.connect(port, host);
  socket.on('error', () => {});
  // The other side closes it when the request is passed on; a pooler forgets one that is closed before.
  socket.setTimeout(cancelTimeoutMs, () => socket.destroy());
  socket.resume();
  socket.write(request);
}

function addressOf(client: pg.PoolClient): { host: string; port: number } {
  const [host, port] = [Reflect.get(client, 'host'), Reflect.get(client, 'port')];
  return { host: String(host), port: Number(port) };
}
