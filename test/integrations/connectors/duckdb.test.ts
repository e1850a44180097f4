// DuckDB files as live sources.

import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openDuckDbConnector } from '../../../src/integrations/connectors/duckdb/duckdb.ts';
import { findFile } from '../../../src/network/reach.ts';
import { columnsOf, loopback, outcome, readSource } from './read-source.ts';

const duckdb = await import('@duckdb/node-api').catch(() => null);
let folder = '';
let files = '';
const long = { timeoutMs: 30_000 };

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headwater-duckdb-'));
  files = join(folder, 'files');
  await mkdir(join(files, 'deep'), { recursive: true });
  await writeFile(join(folder, 'outside.duckdb'), 'not for anybody');
  await writeFile(join(files, 'text.duckdb'), 'no database');
  await symlink(join(folder, 'outside.duckdb'), join(files, 'link.duckdb'));
  await symlink(join(files, 'deep'), join(files, 'linked'));
  if (!duckdb) {
    console.warn('@duckdb/node-api is not installed: DuckDB is not tried as a source.');
    return;
  }
  const instance = await duckdb.DuckDBInstance.create(join(files, 'deep', 'shop.duckdb'));
  const connection = await instance.connect();
  await connection.run(`create schema sales;
    create table sales.orders (id bigint primary key, "Größe" varchar, amount decimal(10, 2));
    comment on table sales.orders is 'One row an order';
    comment on column sales.orders.amount is 'Net';
    insert into sales.orders select i, null, i from range(500) t(i);
    create table sales.items (order_id bigint references sales.orders (id), place integer,
      unique (order_id, place));
    create view sales.large as select id, amount * 2 as twice from sales.orders where amount > 100;
    create table "odd ""name"".x" ("select" integer); checkpoint`);
  connection.closeSync();
  instance.closeSync();
});

afterAll(async () => {
  await rm(folder, { recursive: true });
});

function open(path = 'deep/shop.duckdb'): Connector {
  return openDuckDbConnector({ id: path, reach: { ...loopback, filesDir: files } }, { path });
}

test('it lists its schemas, tables, views, columns, comments and keys', async ({ skip }) => {
  if (!duckdb) skip();
  const connector = open();
  const all = await readSource(connector);
  await connector.close();
  const { resources } = all;
  expect(resources.get('schema:shop.sales')).toMatchObject({
    parentKey: 'database:shop',
  });
  expect(resources.get('table:shop.sales.orders')).toMatchObject({
    nativeType: 'table',
    description: 'One row an order',
    rowCount: 500,
    metadata: { keys: [{ kind: 'primary', columns: ['id'] }] },
  });
  expect(columnsOf(all, 'table:shop.sales.orders')).toEqual([
    ['id', 'BIGINT', true, ''],
    ['Größe', 'VARCHAR', false, ''],
    ['amount', 'DECIMAL(10,2)', false, 'Net'],
  ]);
  expect(resources.get('column:shop.sales.orders.id')?.metadata).toEqual({ nullable: false });
  expect(resources.get('column:shop.sales.orders.amount')?.metadata).toEqual({ nullable: true });
  expect(resources.get('table:shop.sales.items')?.metadata).toEqual({
    keys: [
      {
        kind: 'foreign',
        columns: ['order_id'],
        definition: 'FOREIGN KEY (order_id) REFERENCES sales.orders(id)',
      },
      { kind: 'unique', columns: ['order_id', 'place'] },
    ],
  });
  expect(resources.get('table:shop.sales.large')).toMatchObject({
    nativeType: 'view',
    creationQuery: expect.stringMatching(/^CREATE VIEW sales\."large" AS SELECT/),
  });
  expect(columnsOf(all, 'table:shop.main.odd "name"%2Ex')).toEqual([
    ['select', 'INTEGER', false, ''],
  ]);
});

test('a file in order is in order', async ({ skip }) => {
  if (!duckdb) skip();
  const connector = open();
  const report = await connector.test();
  await connector.close();
  expect(report).toMatchObject({ ok: true, version: expect.stringMatching(/^DuckDB v1/) });
});

test('files are opened below the allowed folder only, links followed', async () => {
  const reach = { ...loopback, filesDir: files };
  expect(await findFile('linked/../deep/../linked', reach)).toBe(join(files, 'deep'));
  for (const path of [
    '../outside.duckdb',
    join(folder, 'outside.duckdb'),
    'link.duckdb',
    'linked/../../outside.duckdb',
    '/etc/passwd',
    '/proc/self/environ',
    'nowhere.duckdb',
    '.',
    '..',
    '',
    '\0',
    'deep/shop.duckdb\0.txt',
  ]) {
    const error = await findFile(path, reach).catch((caught: unknown) => caught);
    expect(error, path).toMatchObject({ code: 'BAD_REQUEST' });
    // What lies outside is not said, nor where the folder is.
    expect(String(error), path).toContain('There is no file');
  }
  await expect(findFile('deep/shop.duckdb', loopback)).rejects.toThrow('FILES_DIR');
});

test('what cannot be opened is said, without saying where the folder lies', async ({ skip }) => {
  if (!duckdb) skip();
  for (const path of ['text.duckdb', 'nowhere.duckdb', 'link.duckdb']) {
    const connector = open(path);
    const { ok, checks } = await connector.test();
    await connector.close();
    expect(ok, path).toBe(false);
    expect(JSON.stringify(checks), path).not.toContain(folder);
  }
});

const hostile = [
  'drop table sales.orders',
  'delete from sales.orders',
  'update sales.orders set amount = 0',
  'insert into sales.items values (1, 1)',
  'create table made (n integer)',
  'create temp table made (n integer)',
  'select 1; delete from sales.orders',
  "attach '/tmp/other.duckdb'",
  "attach ':memory:' as other",
  "copy sales.orders to '/tmp/orders.csv'",
  "copy sales.orders from '/etc/passwd'",
  "select * from read_csv('/etc/passwd')",
  "select * from read_text('/etc/passwd')",
  "select * from read_blob('/etc/passwd')",
  "select * from read_json('/etc/passwd')",
  "select * from read_parquet('/etc/passwd')",
  "select * from '/etc/passwd'",
  "select * from '/etc/*.csv'",
  "select * from glob('/etc/*')",
  "select * from read_csv('http://127.0.0.1/x.csv')",
  'install httpfs',
  'load httpfs',
  "load '/tmp/evil.duckdb_extension'",
  'set enable_external_access = true',
  "set memory_limit = '100GB'",
  'reset memory_limit',
  'set lock_configuration = false',
  "select set_config('memory_limit', '1GB')",
  "export database '/tmp/x'",
  "import database '/tmp/x'",
  'checkpoint',
  'vacuum',
  'pragma enable_profiling',
  'create secret s (type s3)',
  'select * from duckdb_secrets()',
  'prepare p as delete from sales.orders',
  'call pragma_storage_info(1)',
  'begin; delete from sales.orders; commit',
  'use memory',
  'detach shop',
  'create macro f() as 1',
  'explain analyze delete from sales.orders',
];

test(`${hostile.length} hostile statements change nothing and read nothing else`, async ({
  skip,
}) => {
  if (!duckdb) skip();
  expect(hostile.length).toBeGreaterThanOrEqual(40);
  const connector = open();
  for (const sql of hostile) {
    expect(await outcome(connector, sql, 30_000), sql).toBe('BAD_REQUEST');
  }
  const { rows } = await connector.query('select count(*), sum(amount) from sales.orders', long);
  expect(rows).toEqual([[500, 124_750]]);
  await connector.close();
});

test('what would run for ever is cut, and others can go on', async ({ skip }) => {
  if (!duckdb) skip();
  const connector = open();
  const endless = 'select sum(a.range * b.range) from range(100000000) a, range(100000000) b';
  const cut = Array.from({ length: 3 }, () => outcome(connector, endless, 300));
  expect(await Promise.all(cut)).toEqual(['UNAVAILABLE', 'UNAVAILABLE', 'UNAVAILABLE']);
  expect((await connector.query('select 1', long)).rows).toEqual([[1]]);
  const stop = new AbortController();
  const waiting = connector.query(endless, { timeoutMs: 60_000, signal: stop.signal });
  stop.abort(new Error('no longer wanted'));
  await expect(waiting).rejects.toThrow('no longer wanted');
  await expect(connector.query('select * from range(300000)', long)).rejects.toThrow('rows');
  await connector.close();
});
