// What the first sync of a real server brings, as the page of the source shows it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startMariaDb, startPostgres } from '../../servers.ts';
import { expectFirstPicture } from './first-picture.ts';
import { openLivePlace } from './live-place.ts';
import { startClickHouse, startTrino } from './small-fakes.ts';

const tables = `create table orders (id int primary key, amount int, placed date);
  create view large as select id, amount * 2 as twice from orders where amount > 100;
  create view daily as select placed, sum(amount) as total from orders group by placed;
  create view best as select max(twice) as most from large;`;

async function expectPictureOf(type: string, credentials: object, settings = {}) {
  await using place = await openLivePlace(type, credentials, settings);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  await expectFirstPicture(place, type);
}

const login = (port: number) => ({
  ...{ host: '127.0.0.1', port, database: 'shop', user: 'reader', password: 'x' },
});

test('PostgreSQL', async ({ skip }) => {
  await using server = await startPostgres();
  if (!server) return skip();
  await server.run('create database shop');
  await server.run(
    `${tables} create role reader login password 'x';
      grant select on all tables in schema public to reader`,
    'shop',
  );
  await expectPictureOf('postgres', login(server.port));
});

test('MariaDB', async ({ skip }) => {
  await using server = await startMariaDb();
  if (!server) return skip();
  await server.run(`create database shop; use shop; ${tables}
    create user reader identified by 'x'; grant select, show view on shop.* to reader`);
  await expectPictureOf('mysql', login(server.port));
});

test('DuckDB', async ({ skip }) => {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (!duckdb) return skip();
  const folder = await mkdtemp(join(tmpdir(), 'headwater-picture-'));
  try {
    const instance = await duckdb.DuckDBInstance.create(join(folder, 'shop.duckdb'));
    const connection = await instance.connect();
    await connection.run(tables);
    connection.closeSync();
    instance.closeSync();
    await expectPictureOf('duckdb', { path: 'shop.duckdb' }, { FILES_DIR: folder });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

const here = { host: '127.0.0.1', ssl: 'disable', user: 'reader' };

test.each([
  ['clickhouse', startClickHouse, {}],
  ['trino', startTrino, { catalog: 'shop' }],
] as const)('%s', async (type, start, more) => {
  await using fake = await start();
  if (!fake) return;
  await expectPictureOf(type, { ...here, ...more, port: fake.http.port });
});
