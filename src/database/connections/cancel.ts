// Ends a statement on the server while it runs.

import { connect } from 'node:net';
import type pg from 'pg';

/** A server that has not ended the statement by then is not waited for. */
const patienceMs = 2_000;
/** What the first message of a connection is that asks for this: PostgreSQL's CancelRequest. */
const cancelRequest = 80_877_102;

/**
 * Ask the server to end what runs on a connection, by a connection of its own that needs no place
 * among the others. Resolves when the server has taken it, so that the next statement is not meant;
 * where the statement still runs a while later, its connection is closed.
 */
export async function cancelStatement(
  client: pg.PoolClient,
  stillRuns: () => boolean,
): Promise<void> {
  const late = setTimeout(() => {
    if (stillRuns()) void client.end();
  }, patienceMs);
  late.unref();
  await ask(client);
}

async function ask(client: pg.PoolClient): Promise<void> {
  const { host, port } = client;
  const [id, secret] = [numberOf(client, 'processID'), numberOf(client, 'secretKey')];
  if (id === null || secret === null) return;
  const message = Buffer.alloc(16);
  message.writeInt32BE(message.length, 0);
  message.writeInt32BE(cancelRequest, 4);
  message.writeInt32BE(id, 8);
  message.writeInt32BE(secret, 12);
  await new Promise<void>((resolve) => {
    const socket = host.startsWith('/') ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
    socket.setTimeout(patienceMs, () => socket.destroy());
    // The server closes the connection once it has cancelled the other one; nothing is ever answered. A
    // pooler forgets one that is closed, even by half, before it has passed it on.
    socket.on('close', () => resolve());
    socket.on('error', () => socket.destroy());
    socket.resume();
    socket.write(message);
  });
}

/** What node-postgres keeps of the server's greeting, of which its types do not know. */
function numberOf(client: pg.PoolClient, name: 'processID' | 'secretKey'): number | null {
  const value: unknown = Reflect.get(client, name);
  return typeof value === 'number' ? value : null;
}
