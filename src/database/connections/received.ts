// In charge of what the server sends on a connection: it is counted for who asked, and read in turns.

import type pg from 'pg';
import { mainThread, type Turns } from '../../limits/pace.ts';
import { RoundCount } from '../../limits/round-count.ts';

/**
 * What is read of all connections in one round of the event loop, in bytes, before the next piece waits for its
 * turn. Making rows of so much takes some milliseconds; without a bound a round takes two megabytes of each
 * connection that has them, and nobody is served meanwhile.
 */
const perRound = 65_536;

const read = new RoundCount();
let lastOwner = 0;

/** Who is told of what the server sends, by the connection. */
const receivers = new WeakMap<pg.PoolClient, (bytes: number) => void>();

/**
 * Read what comes on a new connection in turns with all others, and count it. There is one listener for all
 * statements: another one for each would cost more than what it counts.
 */
export function receive(client: pg.PoolClient, turns: Turns = mainThread): void {
  const { stream } = client.connection;
  lastOwner += 1;
  const owner = `connection ${lastOwner}`;
  stream.on('data', ({ byteLength }: Uint8Array) => {
    receivers.get(client)?.(byteLength);
    const before = read.add('all connections', byteLength);
    if (before + byteLength < perRound || stream.isPaused()) return;
    stream.pause();
    void turns.next(owner).then(() => stream.resume());
  });
}

/** Calls back with the size of each piece that the server sends on a connection, until told to stop. */
export function onReceived(client: pg.PoolClient, take: (bytes: number) => void): () => void {
  receivers.set(client, take);
  return () => {
    if (receivers.get(client) === take) receivers.delete(client);
  };
}
