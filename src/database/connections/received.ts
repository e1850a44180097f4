// Bytes received on a connection: counted for the request, and read in turns.

import type pg from 'pg';
import { type FairQueue, mainThread, TickCounter } from '../../limits/fair-queue.ts';

/**
 * What is read of all connections in one round of the event loop, in bytes, before the next piece waits for its
 * turn. Making rows of so much takes some milliseconds; without a bound a round takes two megabytes of each
 * connection that has them, and no one is served in the meantime.
 */
const perRound = 65_536;

const read = new TickCounter();
let lastOwner = 0;

/** Who reads what the server sends, and is told how much it is. */
export interface Receiver {
  readonly owner: string;
  receive(bytes: number): void;
}

/** Who reads what the server sends, by the connection. */
const receivers = new WeakMap<pg.PoolClient, Receiver>();

/**
 * Read what comes on a new connection in turns with all others, and count it. There is one listener for all
 * statements: another one for each would cost more than what it counts.
 */
export function receive(client: pg.PoolClient, turns: FairQueue = mainThread): void {
  const { stream } = client.connection;
  lastOwner += 1;
  const ofNobody = `connection ${lastOwner}`;
  stream.on('data', ({ byteLength }: Uint8Array) => {
    const receiver = receivers.get(client);
    receiver?.receive(byteLength);
    const before = read.add('all connections', byteLength);
    if (before + byteLength < perRound || stream.isPaused()) return;
    stream.pause();
    void turns.next(receiver?.owner ?? ofNobody).then(() => stream.resume());
  });
}

/** Tells a receiver of each piece that the server sends on a connection, until told to stop. */
export function onReceived(client: pg.PoolClient, receiver: Receiver): () => void {
  receivers.set(client, receiver);
  return () => {
    if (receivers.get(client) === receiver) receivers.delete(client);
  };
}
