import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { serverViewer } from '../../src/auth/viewer.ts';
import { contextFor } from '../../src/context.ts';
import type { Database } from '../../src/database/database.ts';
import { failureOf } from '../../src/database/failure.ts';
import { openDatabase } from '../../src/database/open.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { createBounds, usualBounds } from '../../src/limits/bounds.ts';
import { openTestDatabase } from '../database.ts';
import { openProxy } from './proxy.ts';

// What only a server over a network can do to us.

vi.setConfig({ testTimeout: 60_000 });

async function openBehindProxy() {
  const opened = await openTestDatabase();
  const proxy = await openProxy(opened.url);
  const database = await openDatabase({ databaseUrl: proxy.url, maxConnections: 4 });
  return {
    proxy,
    database,
    async [Symbol.asyncDispose]() {
      await database.close();
      await proxy[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}

const contextOf = (database: Database) =>
  contextFor(database, serverViewer('00000000-0000-4000-8000-000000000001'));
const codeOf = (error: unknown) => failureOf(error)?.code;

describe('a PostgreSQL server', () => {
  test('a black hole is distinguished from a slow statement, and survived', async () => {
    await using opened = await openBehindProxy();
    const { database, proxy } = opened;
    const ctx = contextOf(database);
    await rows(ctx, 'select 1');
    // Slower than the patience with a silent server.
    expect(await rows(ctx, 'select pg_sleep(5)::text as slept')).toEqual([{ slept: '' }]);

    proxy.swallow();
    const failures = await Promise.all([
      rows(ctx, 'select 1').catch(codeOf),
      transaction(ctx, (tx) => tx.db.setting.count()).catch(codeOf),
      transaction(ctx, (tx) => rows(tx, 'select 1')).catch(codeOf),
      transaction(ctx, (tx) => rows(tx, 'select 1'), { long: true }).catch(codeOf),
    ]);
    expect(failures).toEqual(Array.from({ length: 4 }, () => 'UNAVAILABLE'));
    await expect(rows(ctx, 'select 1').catch(codeOf)).resolves.toBe('UNAVAILABLE');

    proxy.resume();
    expect(await rows(ctx, 'select 1 as one')).toEqual([{ one: 1 }]);
    expect(await rows(ctx, 'select name from setting')).toEqual([]);
  });

  test('a request that met the silence once waits for nothing more of the database', async () => {
    await using opened = await openBehindProxy();
    const { database, proxy } = opened;
    const ctx = contextOf(database);
    await rows(ctx, 'select 1');
    const bounds = createBounds({ database, ...usualBounds });
    proxy.swallow();
    const over: boolean[] = [];
    const answer = bounds.run(ctx, async (bounded) => {
      await rows(bounded, 'select 1').catch(() => {});
      over.push(bounded.signal.aborted);
      return 'something else';
    });
    await expect(answer.catch(codeOf)).resolves.toBe('UNAVAILABLE');
    await expect.poll(() => over, { timeout: 20_000 }).toEqual([true]);
    proxy.resume();
    expect(await bounds.run(ctx, (bounded) => rows(bounded, 'select 1 as one'))).toEqual([
      { one: 1 },
    ]);
  });

  test('a restart of the server fails what is under way, and nothing after', async () => {
    await using opened = await openBehindProxy();
    const { database, proxy } = opened;
    const ctx = contextOf(database);
    await Promise.all([1, 2, 3].map(() => rows(ctx, 'select 1')));
    const underWay = transaction(ctx, async (tx) => {
      await tx.db.setting.create({ data: { name: 'lost', value: '' } });
      proxy.cut();
      await rows(tx, 'select 1');
    });
    await expect(underWay.catch(codeOf)).resolves.toBe('UNAVAILABLE');
    expect(await rows(ctx, 'select name from setting')).toEqual([]);
  });

  test('a server behind a socket that restarts is UNAVAILABLE until it is there again', async () => {
    await using opened = await openTestDatabase();
    const folder = mkdtempSync(join(tmpdir(), 'headwater-socket-'));
    await using proxy = await openProxy(opened.url, folder);
    const database = await openDatabase({ databaseUrl: proxy.url, maxConnections: 4 });
    const ctx = contextOf(database);
    const ask = () =>
      Promise.all([
        rows(ctx, 'select 1 as one').then(() => 'ok', codeOf),
        transaction(ctx, (tx) => tx.db.setting.count()).then(() => 'ok', codeOf),
        transaction(ctx, (tx) => rows(tx, 'select 1')).then(() => 'ok', codeOf),
      ]);
    try {
      expect(await ask()).toEqual(['ok', 'ok', 'ok']);
      const underWay = rows(ctx, 'select pg_sleep(10)').catch(codeOf);
      proxy.stop();
      expect(await underWay).toBe('UNAVAILABLE');
      for (let times = 0; times < 3; times += 1) {
        expect(await ask()).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
      }
      await proxy.start();
      expect(await ask()).toEqual(['ok', 'ok', 'ok']);
    } finally {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test('a session is in UTC whatever the server, its address or the machine are in', async () => {
    await using opened = await openTestDatabase();
    const name = new URL(opened.url).pathname.slice(1);
    await opened.owner.query(`alter database ${name} set timezone = 'Asia/Tokyo'`);
    const address = new URL(opened.url);
    address.searchParams.set('options', '-c TimeZone=Asia/Seoul -c work_mem=5MB');
    for (const databaseUrl of [opened.url, address.href]) {
      const database = await openDatabase({ databaseUrl });
      const [session] = await rows<{ zone: string; memory: string }>(
        contextOf(database),
        `select current_setting('timezone') as zone, current_setting('work_mem') as memory`,
      );
      await database.close();
      expect(session?.zone).toBe('UTC');
      // What else the address asks for stays.
      expect(session?.memory === '5MB').toBe(databaseUrl === address.href);
    }
  });

  test('a server that is not there is UNAVAILABLE, and said so at the start', async () => {
    const databaseUrl = 'postgresql://nobody@127.0.0.1:1/nothing';
    await expect(openDatabase({ databaseUrl })).rejects.toSatisfy(
      (error) => codeOf(error) === 'UNAVAILABLE',
    );
  });

  test('of two that wait for each other one runs again, and both get their turn', async () => {
    await using opened = await openTestDatabase();
    const ctx = contextOf(opened.database);
    const names = ['a', 'b'];
    const { prisma } = opened.database;
    for (const name of names) await prisma.setting.create({ data: { name, value: '' } });
    const arrived: (() => void)[] = [];
    const bothArrived = new Promise<void>((resolve) => {
      arrived.push(() => arrived.length === 3 && resolve());
    });
    const race = (first: string, second: string) =>
      transaction(ctx, async (tx) => {
        await rows(tx, 'select 1 from setting where name = $1 for update', [first]);
        arrived.push(() => {});
        arrived[0]?.();
        await bothArrived;
        await tx.db.setting.update({ where: { name: second }, data: { value: 'x' } });
        return 'won';
      }).catch(codeOf);
    const outcomes = await Promise.all([race('a', 'b'), race('b', 'a')]);
    expect(outcomes).toEqual(['won', 'won']);
    // They did wait for each other: one of them came here a third time.
    expect(arrived).toHaveLength(4);
  });
});
