// The grants that the pages about sources show, given as they stand to a login on a real server: they suffice.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { root } from '../../house/sources.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { loopback, readSource } from './read-source.ts';

let postgres: TestServer | null;
let maria: TestServer | null;

beforeAll(async () => {
  postgres = await startPostgres();
  maria = await startMariaDb();
  if (!postgres || !maria) console.warn('Skipped: grants of servers that are not installed.');
}, 120_000);
afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await maria?.[Symbol.asyncDispose]();
});

/** The statements that the page of a source shows, block by block. */
function grantsOf(page: string): readonly string[] {
  const text = readFileSync(join(root, 'docs/sources', `${page}.md`), 'utf8');
  return [...text.matchAll(/```sql\n(.*?)```/gs)].map(([, code = '']) => code);
}

async function expectReads(connector: Connector, table: string) {
  const { ok, checks } = await connector.test();
  expect(checks.filter(({ state }) => state === 'missing')).toEqual([]);
  expect(ok).toBe(true);
  expect([...(await readSource(connector)).resources.keys()]).toContain(table);
  expect(await connector.query('select count(*) from orders', { timeoutMs: 30_000 })).toBeTruthy();
  await connector.close();
}

test('PostgreSQL: a login, and a schema that it may read, tables of later ones included', async () => {
  if (!postgres) return;
  const [database, user] = ['shop', 'headwater'];
  await postgres.run(`create database ${database}`);
  await postgres.run('create table public.customers (id integer primary key)', database);
  const blocks = grantsOf('postgres');
  expect(blocks).toHaveLength(2);
  await postgres.run(blocks.join(''), database);
  await postgres.run('create table public.orders (id integer primary key)', database);
  const { port } = postgres;
  const credentials = { host: '127.0.0.1', port, database, user, password: '...' };
  const source = { id: user, reach: loopback };
  await expectReads(
    openPostgresConnector('postgres', source, credentials),
    `table:${database}.public.orders`,
  );
});

test('MySQL and MariaDB', async () => {
  if (!maria) return;
  await maria.run('create database shop; create table shop.orders (id integer primary key)');
  const [block = ''] = grantsOf('mysql');
  await maria.run(block);
  const { port } = maria;
  const credentials = {
    host: '127.0.0.1',
    port,
    user: 'headwater',
    password: '...',
    database: 'shop',
  };
  const source = { id: 'headwater', reach: loopback };
  await expectReads(openMySqlConnector('mariadb', source, credentials), 'table:def.shop.orders');
});
