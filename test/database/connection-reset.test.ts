// A connection that the network resets is nobody's fault, in whatever words the driver says so.

import { connect, createServer, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../src/context.ts';
import { failureOf } from '../../src/database/failure.ts';
import { openDatabase } from '../../src/database/open.ts';
import { transaction } from '../../src/database/transaction.ts';
import { openTestDatabase } from '../database.ts';

interface Network extends AsyncDisposable {
  readonly url: string;
  /** Reset every connection, as a firewall or a server that crashed does. */
  reset(): void;
}

/** A way to a database server that can be interrupted. */
async function networkTo(url: string): Promise<Network> {
  const to = new URL(url);
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const ahead = connect(Number(to.port || 5432), to.hostname);
    for (const [one, other] of [
      [socket, ahead],
      [ahead, socket],
    ] as const) {
      one.on('error', () => other.destroy()).on('close', () => other.destroy());
      one.pipe(other);
    }
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('There is no port.');
  const through = new URL(url);
  through.host = `127.0.0.1:${address.port}`;
  return {
    url: through.href,
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
      sockets.clear();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const between = async (tx: Context, network: Network) => {
  network.reset();
  await tx.db.setting.count();
};

const meanwhile = async (tx: Context, network: Network) => {
  setTimeout(() => network.reset(), 200);
  await tx.db.$executeRaw`select pg_sleep(30)`;
};

test.each([
  ['between its statements', between],
  ['in the middle of one', meanwhile],
])(
  'a transaction whose connection is reset %s is unavailable, and the next one works',
  async (_, breaks) => {
    await using opened = await openTestDatabase();
    await using network = await networkTo(opened.url);
    const database = await openDatabase({
      databaseUrl: network.url,
      migrations: null,
      maxConnections: 2,
    });
    try {
      const ctx = contextFor(database, serverViewer('00000000-0000-4000-8000-000000000001'));
      const broken = transaction(ctx, async (tx) => {
        await tx.db.setting.create({ data: { name: 'half', value: 'done' } });
        await breaks(tx, network);
      });
      const failure = await broken.then(
        () => null,
        (error) => failureOf(error),
      );
      expect(failure?.code).toBe('UNAVAILABLE');
      const names = await transaction(ctx, async (tx) => {
        await tx.db.setting.create({ data: { name: 'after', value: '' } });
        return tx.db.setting.findMany({ where: { name: { in: ['half', 'after'] } } });
      });
      expect(names).toEqual([expect.objectContaining({ name: 'after' })]);
    } finally {
      await database.close();
    }
  },
);
