// What ran on a source: which statements are queries, and how often a table was read by them.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { openPostgresConnector } from '../../../src/integrations/connectors/postgres/postgres.ts';
import { startMariaDb, startPostgres, type TestServer } from '../../servers.ts';
import { loopback, readSource } from './read-source.ts';

let postgres: TestServer | null;
let mariadb: TestServer | null;
const long = { timeoutMs: 30_000 };

beforeAll(async () => {
  [postgres, mariadb] = await Promise.all([startPostgres(), startMariaDb()]);
  if (!postgres || !mariadb)
    console.warn('PostgreSQL or MariaDB is not installed, and is not tried.');
  await postgres?.run('create database shop');
  await postgres?.run(
    `create extension pg_stat_statements; create schema sales;
    create table sales.orders (id bigint primary key, amount numeric);
    create view sales.large as select id from sales.orders;
    create role reader login; grant usage on schema sales to reader;
    grant select on all tables in schema sales to reader; grant pg_read_all_stats to reader;
    create role modest login; grant usage on schema sales to modest;
    grant select on sales.orders to modest`,
    'shop',
  );
  await mariadb?.run(`create database shop; use shop;
    create table orders (id bigint primary key, made timestamp default now());
    create user reader identified by 'x'; grant select, show view on shop.* to reader;
    grant select on performance_schema.* to reader`);
}, 120_000);

afterAll(async () => {
  await postgres?.[Symbol.asyncDispose]();
  await mariadb?.[Symbol.asyncDispose]();
});

function openPostgres(user = 'reader') {
  const port = postgres?.port ?? 0;
  const login = { host: '127.0.0.1', port, database: 'shop', user, password: 'x' };
  return openPostgresConnector('postgres', { id: `${user} ${port}`, reach: loopback }, login);
}

function openMariaDb() {
  const port = mariadb?.port ?? 0;
  const login = { host: '127.0.0.1', port, user: 'reader', password: 'x' };
  return openMySqlConnector('mariadb', { id: `reader ${port}`, reach: loopback }, login);
}

test('DDL of PostgreSQL is no query; what makes a table or view of a query is one, and so is what begins with a comment', async ({
  skip,
}) => {
  if (!postgres) return skip();
  const plain = [
    'create table sales.plain (n integer default 1, as_is text generated always as (n::text) stored)',
    'create unlogged table if not exists sales.fast (n integer)',
    'create function sales.one() returns integer language sql as $$ select 1 $$',
    'create index on sales.plain (n)',
  ];
  const asked = [
    'create table sales.copied as select * from sales.orders',
    'create or replace view sales.seen as (select id from sales.orders)',
    'create materialized view if not exists sales.held as with a as (select 1) select * from a',
    '/* page: * / ** */ select count(*) from sales.copied',
    '-- of a job\nselect id from sales.copied',
  ];
  for (const statement of [...plain, ...asked]) await postgres.run(statement, 'shop');
  const connector = openPostgres();
  const found = [];
  for await (const { sql } of connector.queryHistory?.(null) ?? []) found.push(sql);
  await connector.close();
  const withoutValues = (sql: string) => sql.replace(/\$?\d+/g, '?');
  expect(found.map(withoutValues)).toEqual(expect.arrayContaining(asked.map(withoutValues)));
  for (const statement of plain) expect(found.join('\n')).not.toContain(statement.slice(0, 40));
});

test('usage of PostgreSQL counts the statements that read a table, and no check of a foreign key', async ({
  skip,
}) => {
  if (!postgres) return skip();
  await postgres.run(
    `create schema used; create table used.parent (id bigint primary key);
    create table used.child (id bigint references used.parent); create table used."Odd.Name" (n integer);
    create view used.above as select id from used.parent;
    insert into used.parent select generate_series(1, 20000);
    insert into used.child select generate_series(1, 20000);
    grant usage on schema used to reader; grant select on all tables in schema used to reader;
    select pg_stat_statements_reset()`,
    'shop',
  );
  await postgres.run('insert into used.child select id from used.parent where id < 3', 'shop');
  for (let i = 0; i < 4; i += 1) {
    await postgres.run('SELECT count(*) FROM Used.Parent JOIN used."Odd.Name" ON n = id', 'shop');
  }
  await postgres.run('select * from used.above', 'shop');
  await postgres.run('create view used.beside as select id from used.parent', 'shop');
  const connector = openPostgres();
  await connector.query('select count(*) from used.parent', long);
  const { resources } = await readSource(connector);
  await connector.close();
  const used = (table: string) => resources.get(`table:shop.used.${table}`)?.externalUsage;
  expect({ parent: used('parent'), child: used('child'), above: used('above') }).toEqual({
    parent: 5,
    child: 0,
    above: 1,
  });
  expect(used('Odd%2EName')).toBe(4);
  expect(resources.get('table:shop.used.parent')?.metadata).not.toHaveProperty('scans');
});

test('where a login sees no statements of others, scans are scans and no usage', async ({
  skip,
}) => {
  if (!postgres) return skip();
  const connector = openPostgres('modest');
  const { resources } = await readSource(connector);
  const { checks } = await connector.test();
  await connector.close();
  expect(resources.get('table:shop.sales.orders')).toMatchObject({
    externalUsage: 0,
    metadata: { scans: expect.any(Number) },
  });
  expect(resources.get('table:shop.sales.large')?.metadata).toEqual({});
  expect(checks.find(({ name }) => name === 'query history')).toMatchObject({
    state: 'limited',
    fix: expect.stringContaining('GRANT pg_read_all_stats'),
  });
});

test('DDL of MariaDB is no query; what makes a table or view of a query is one, and a trigger is', async ({
  skip,
}) => {
  if (!mariadb) return skip();
  // Of several statements in one message the server counts the first for all.
  for (const statement of [
    'create table plain (`select` int, `view` int)',
    'create table ctas as select made as day from orders',
    'create table made (id bigint) select id from orders',
    'create or replace view seen as select id from orders',
    'create procedure daily_view() begin select 1; end',
    'create table log (id bigint)',
    'create trigger logged after insert on orders for each row insert into log values (new.id)',
    'select day from ctas',
  ]) {
    await mariadb.run(statement, 'shop');
  }
  const connector = openMariaDb();
  const found: string[] = [];
  for await (const { sql } of connector.queryHistory?.(null) ?? []) found.push(sql);
  await connector.close();
  const created = found.filter((sql) => sql.startsWith('CREATE'));
  for (const name of ['ctas', 'made', 'seen', 'logged']) {
    expect(created.join('\n'), name).toContain(`\`${name}\``);
  }
  expect(created.length).toBe(4);
  expect(found).toContainEqual(expect.stringMatching(/^SELECT `?DAY`? FROM `ctas`/i));
});

test('usage of MariaDB counts the statements that read a table, and none of ours', async ({
  skip,
}) => {
  if (!mariadb) return skip();
  await mariadb.run(
    `create table used (id bigint); insert into used select seq from seq_1_to_2000;
    create table unused (id bigint)`,
    'shop',
  );
  for (let i = 0; i < 3; i += 1) await mariadb.run('select count(*) from used', 'shop');
  const connector = openMariaDb();
  await connector.query('select max(id) from shop.used', long);
  const { resources } = await readSource(connector);
  await connector.close();
  expect(resources.get('table:def.shop.used')?.externalUsage).toBe(3);
  expect(resources.get('table:def.shop.unused')?.externalUsage).toBe(0);
});
