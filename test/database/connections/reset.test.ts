// A connection that the network resets is no one's fault, in whatever words the driver says so.

import { expect, test } from 'vitest';
import { serverViewer } from '../../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../../src/context.ts';
import { failureOf } from '../../../src/database/failure.ts';
import { openDatabase } from '../../../src/database/open.ts';
import { transaction } from '../../../src/database/transaction.ts';
import { openTestDatabase } from '../../database.ts';
import { openProxy, type Proxy as Way } from '../proxy.ts';

const between = async (tx: Context, proxy: Way) => {
  proxy.reset();
  await tx.db.setting.count();
};

const meanwhile = async (tx: Context, proxy: Way) => {
  setTimeout(() => proxy.reset(), 200);
  await tx.db.$executeRaw`select pg_sleep(30)`;
};

test.each([
  ['between its statements', between],
  ['in the middle of one', meanwhile],
])(
  'a transaction whose connection is reset %s is unavailable, and the next one works',
  async (_, breaks) => {
    await using opened = await openTestDatabase();
    await using proxy = await openProxy(opened.url);
    const database = await openDatabase({
      databaseUrl: proxy.url,
      migrations: null,
      maxConnections: 2,
    });
    try {
      const ctx = contextFor(database, serverViewer('00000000-0000-4000-8000-000000000001'));
      const broken = transaction(ctx, async (tx) => {
        await tx.db.setting.create({ data: { name: 'half', value: 'done' } });
        await breaks(tx, proxy);
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
