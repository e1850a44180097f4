import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { failureOf } from '../../src/database/failure.ts';
import { maintain } from '../../src/database/maintain.ts';
import { type Database, openDatabase } from '../../src/database/open.ts';
import { templateArchive, templateFolder } from '../template.ts';

vi.setConfig({ testTimeout: 120_000 });

// What is special about the embedded database; these run it whatever DATABASE_URL says.

const endless = 'select count(md5(i::text)) from generate_series(1, 1000000000) i';

async function openFolder(options: { statementTimeoutMs?: number } = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-embedded-'));
  const notices: string[] = [];
  const database = await openDatabase({
    dataDir,
    durability: 'relaxed',
    template: await templateFolder(),
    onNotice: (notice) => notices.push(notice),
    ...options,
  });
  return {
    database,
    notices,
    async [Symbol.asyncDispose]() {
      await database.close();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

const count = (database: Database) => database.prisma.setting.count();

test('an endless statement is cut while the process stays awake, and what was committed stays', async () => {
  await using opened = await openFolder({ statementTimeoutMs: 2000 });
  const { database, notices } = opened;
  notices.length = 0;
  await database.prisma.setting.create({ data: { name: 'before', value: '' } });
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 10);
  const cut = database.pool.query(endless).finally(() => clearInterval(timer));
  await expect(cut).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: 'A statement ran longer than 2 s and was cut.',
  });
  // On its own thread it would have been none at all.
  expect(ticks).toBeGreaterThan(5);
  expect(notices).toEqual(['A statement ran longer than 2 s and was cut.']);
  expect(await count(database)).toBe(1);
  await database.prisma.setting.create({ data: { name: 'after', value: '' } });
  expect(await count(database)).toBe(2);
});

test('a transaction that is cut is undone, and who waited behind it is served', async () => {
  await using opened = await openFolder({ statementTimeoutMs: 2000 });
  const { database } = opened;
  const cut = database.prisma.$transaction(async (tx) => {
    await tx.setting.create({ data: { name: 'undone', value: '' } });
    await tx.$queryRawUnsafe(endless);
  });
  const behind = count(database);
  await expect(cut).rejects.toSatisfy((error) => failureOf(error)?.code === 'UNAVAILABLE');
  expect(await behind).toBe(0);
  expect(await count(database)).toBe(0);
});

test('a database in memory that was cut says so, and does not come back empty', async () => {
  const archive = await templateArchive();
  const database = await openDatabase({ archive, durability: 'relaxed', statementTimeoutMs: 300 });
  await expect(database.pool.query(endless)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect(database.pool.query('select 1')).rejects.toThrow('The database is gone');
  await database.close();
});

describe('a database that nothing cuts', () => {
  let opened: Awaited<ReturnType<typeof openFolder>>;
  beforeAll(async () => {
    opened = await openFolder();
  });
  afterAll(() => opened[Symbol.asyncDispose]());

  test('settings and prepared statements of a broken connection do not reach the next one', async () => {
    const { pool } = opened.database;
    const client = await pool.connect();
    await client.query('set search_path = nowhere');
    await client.query({ name: 'same', text: 'select 1 as n' });
    await client.query('begin');
    await client.query(`insert into public.setting values ('lost', '')`);
    client.release(true);
    const { rows } = await pool.query(`select current_setting('search_path') as path,
    current_setting('timezone') as zone, (select count(*)::int from setting) as n`);
    expect(rows).toEqual([{ path: 'public', zone: 'UTC', n: 0 }]);
    expect((await pool.query({ name: 'same', text: 'select 2 as n' })).rows).toEqual([{ n: 2 }]);
  });

  test('large values go in and come out whole', async () => {
    const value = 'x🌊'.repeat(2_000_000);
    await opened.database.prisma.setting.create({ data: { name: 'large', value } });
    const found = await opened.database.prisma.setting.findUnique({ where: { name: 'large' } });
    expect(found?.value === value).toBe(true);
  });

  test('tables with many dead rows are vacuumed, and what was written is checkpointed', async () => {
    const { database } = opened;
    const settled = await maintain(database, '');
    expect(await maintain(database, settled.position)).toMatchObject({
      checkpoint: false,
      vacuumed: [],
    });
    await database.pool.query(
      `insert into setting select i::text, '' from generate_series(1, 500) i`,
    );
    await database.pool.query('delete from setting');
    const { position, ...done } = await maintain(database, settled.position);
    expect(done).toEqual({ checkpoint: true, vacuumed: ['setting'] });
    const { rows } = await database.pool.query(
      `select (select n_dead_tup::int from pg_stat_user_tables where relname = 'setting') as dead,
       pg_wal_lsn_diff(redo_lsn, $1::pg_lsn) >= 0 as written from pg_control_checkpoint()`,
      [settled.position],
    );
    expect(rows).toEqual([{ dead: 0, written: true }]);
    expect(position).not.toBe(settled.position);
  });
});

test('a closed database refuses work instead of hanging', async () => {
  const archive = await templateArchive();
  const database = await openDatabase({ archive, durability: 'relaxed' });
  await database.close();
  await expect(database.pool.query('select 1')).rejects.toThrow();
});
