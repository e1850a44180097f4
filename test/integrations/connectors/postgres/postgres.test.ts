// PostgreSQL as a live source, on a real server.

import { once } from 'node:events';
import { createServer } from 'node:net';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connector } from '../../../../src/integrations/connectors/connector.ts';
import { openPostgresConnector } from '../../../../src/integrations/connectors/postgres/postgres.ts';
import { startPostgres, type TestServer } from '../../../servers.ts';
import { columnsOf, loopback, outcome, readSource } from '../read-source.ts';

let server: TestServer | null;
const long = { timeoutMs: 30_000 };

beforeAll(async () => {
  server = await startPostgres();
  if (!server) {
    console.warn('No PostgreSQL server is installed: it is not tried as a source.');
    return;
  }
  await server.run('create database shop');
  await server.run(
    `create extension pg_stat_statements;
    create schema sales; comment on schema sales is 'What was sold';
    create table sales.orders (id bigint primary key, "Größe" text, amount numeric(10, 2),
      gone integer, made timestamptz default now());
    alter table sales.orders drop column gone;
    comment on table sales.orders is 'One row an order';
    comment on column sales.orders.amount is 'Net';
    create table sales.items (order_id bigint references sales.orders, place integer,
      unique (order_id, place));
    create table sales.parts (day date, n integer) partition by range (day);
    create table sales.parts_2024 partition of sales.parts
      for values from ('2024-01-01') to ('2025-01-01');
    insert into sales.parts select '2024-01-01', i from generate_series(1, 40) i;
    create view sales.large as select id, amount * 2 as twice from sales.orders where amount > 100;
    create materialized view sales.kept as select count(*) as n from sales.orders;
    create table sales."odd ""name"".x" ("select" integer);
    insert into sales.orders (id, amount) select i, i from generate_series(1, 500) i;
    create table sales.daily (id bigint, total numeric);
    create sequence sales.numbers;
    create function sales.wipe() returns integer language plpgsql as
      $$ begin delete from sales.orders; return 1; end $$;
    create procedure sales.escape() language plpgsql as
      $$ begin commit; delete from sales.orders; end $$;
    analyze;
    create role reader login password 'reader''s own';
    grant usage on schema sales to reader;
    grant select on all tables in schema sales to reader;
    grant execute on all functions in schema sales to reader;
    grant all on sales.daily, sales.numbers to reader;
    grant pg_read_all_stats to reader;
    create role stranger login password 'x';
    create role allreader login password 'x'; grant pg_read_all_data to allreader;
    create role modest login password 'x'; grant usage on schema sales to modest;
    grant select on sales.orders to modest;
    create role filereader login password 'x'; grant pg_read_server_files to filereader;
    create role hidden noinherit login password 'x'; create role boss superuser;
    grant boss to hidden`,
    'shop',
  );
}, 120_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

function open(user = 'reader', password = "reader's own", more: object = {}): Connector {
  const port = server?.port ?? 0;
  const login = { host: '127.0.0.1', port, database: 'shop', user, password, ...more };
  return openPostgresConnector('postgres', { id: `${user} ${port}`, reach: loopback }, login);
}

test('it lists its schemas, tables, views, columns, comments, keys, counts and sizes', async ({
  skip,
}) => {
  if (!server) skip();
  const connector = open();
  const all = await readSource(connector);
  const { resources, notes } = all;
  await connector.close();
  expect(notes).toEqual([]);
  expect(resources.get('schema:shop.sales')).toMatchObject({
    description: 'What was sold',
    parentKey: 'database:shop',
  });
  expect(resources.get('table:shop.sales.orders')).toMatchObject({
    nativeType: 'table',
    description: 'One row an order',
    rowCount: 500,
    byteSize: expect.any(Number),
    externalUsage: expect.any(Number),
    metadata: { keys: [{ name: 'orders_pkey', kind: 'primary', columns: ['id'] }] },
  });
  expect(columnsOf(all, 'table:shop.sales.orders')).toEqual([
    ['id', 'bigint', true, ''],
    ['Größe', 'text', false, ''],
    ['amount', 'numeric(10,2)', false, 'Net'],
    ['made', 'timestamp with time zone', false, ''],
  ]);
  expect(resources.get('table:shop.sales.items')?.metadata).toEqual({
    keys: [
      {
        name: 'items_order_id_fkey',
        kind: 'foreign',
        columns: ['order_id'],
        refers_to: { table: 'sales.orders', columns: ['id'] },
      },
      { name: 'items_order_id_place_key', kind: 'unique', columns: ['order_id', 'place'] },
    ],
  });
  expect(resources.get('table:shop.sales.large')).toMatchObject({
    nativeType: 'view',
    creationQuery: expect.stringMatching(
      /^CREATE VIEW "sales"."large" AS\n SELECT .*FROM sales\.orders/s,
    ),
  });
  expect(resources.get('table:shop.sales.kept')).toMatchObject({
    nativeType: 'materialized view',
    creationQuery: expect.stringContaining('CREATE MATERIALIZED VIEW "sales"."kept" AS'),
  });
  expect(resources.get('table:shop.sales.odd "name"%2Ex')?.title).toBe('odd "name".x');
});

test('a partitioned table is one table, and what extensions bring is none', async ({ skip }) => {
  if (!server) skip();
  const connector = open();
  const { resources } = await readSource(connector);
  await connector.close();
  expect(resources.get('table:shop.sales.parts')).toMatchObject({
    nativeType: 'partitioned table',
    rowCount: 40,
    byteSize: expect.any(Number),
  });
  const keys = [...resources.keys()].join();
  expect(keys).not.toContain('parts_2024');
  expect(keys).not.toContain('pg_stat_statements');
  expect(keys).not.toContain('information_schema');
});

test('a table that somebody locks is listed without its size, and the others are whole', async ({
  skip,
}) => {
  if (!server) return skip();
  const connector = open();
  const { host, port } = server;
  const holder = new pg.Client({ host, port, user: 'owner', database: 'shop' });
  holder.on('error', () => {});
  await holder.connect();
  await holder.query('begin; lock table sales.orders');
  const { resources, notes } = await readSource(connector);
  await holder.end();
  await connector.close();
  expect(resources.get('table:shop.sales.orders')).toMatchObject({ rowCount: 500 });
  expect(resources.get('table:shop.sales.orders')).not.toHaveProperty('byteSize');
  expect(resources.get('table:shop.sales.items')).toHaveProperty('byteSize');
  expect(notes.join()).toContain('sales.orders');
}, 60_000);

test('the queries that ran are listed with how often and by whom; our own are not', async ({
  skip,
}) => {
  if (!server) return skip();
  const insert = 'insert into sales.daily select id, amount from sales.orders where id = 1';
  for (let i = 0; i < 3; i += 1) await server.run(insert, 'shop');
  const connector = open();
  await readSource(connector);
  const queries = [];
  for await (const query of connector.queryHistory?.(null) ?? []) queries.push(query);
  await connector.close();
  expect(queries).toContainEqual(
    expect.objectContaining({
      sql: expect.stringMatching(/^insert into sales.daily .* id = \$1$/),
      count: 3,
      counted: 'ever',
      user: 'owner',
      database: 'shop',
    }),
  );
  expect(
    queries.filter(({ sql, user }) => sql.includes('pg_catalog') || user === 'reader'),
  ).toEqual([]);
});

test('the report of a modest login is in order', async ({ skip }) => {
  if (!server) skip();
  const connector = open();
  const report = await connector.test();
  await connector.close();
  expect(report.ok).toBe(true);
  expect(report.version).toMatch(/^PostgreSQL \d/);
  expect(report.checks.map(({ name, state }) => `${name} ${state}`)).toEqual([
    'connection ok',
    'encryption ok',
    'role ok',
    'rights limited',
    'tables ok',
    'query history ok',
  ]);
});

test('a login that may do too much is refused with the grants that are needed', async ({
  skip,
}) => {
  if (!server) skip();
  const tooMuch = [
    ['owner', 'superuser'],
    ['hidden', 'superuser'],
    ['filereader', 'pg_read_server_files'],
  ] as const;
  for (const [user, why] of tooMuch) {
    const connector = open(user, 'x');
    const { ok, checks } = await connector.test();
    expect(ok, user).toBe(false);
    const role = checks.find(({ name }) => name === 'role');
    expect(role?.message, user).toContain(why);
    expect(role?.fix, user).toContain('ALTER DEFAULT PRIVILEGES');
    await expect(connector.query('select 1', long), user).rejects.toThrow(why);
    await expect(readSource(connector), user).rejects.toThrow('GRANT');
    await connector.close();
  }
});

test('what a login can do beyond reading is found by what it can, whatever its roles are', async ({
  skip,
}) => {
  if (!server) skip();
  const rightsOf = async (user: string, password = 'x') => {
    await using connector = disposable(open(user, password));
    const { checks } = await connector.connector.test();
    return checks.find(({ name }) => name === 'rights');
  };
  expect(await rightsOf('modest')).toMatchObject({ state: 'ok', fix: null });
  const all = await rightsOf('allreader');
  expect(all).toMatchObject({ state: 'limited' });
  expect(all?.message).toContain('pg_authid');
  expect(all?.fix).not.toContain('pg_read_all_data');
  const reader = await rightsOf('reader', "reader's own");
  expect(reader?.message).toContain('write to tables or views (1)');
  expect(reader?.message).not.toContain('pg_authid');
});

const disposable = (connector: Connector) => ({
  connector,
  [Symbol.asyncDispose]: () => connector.close(),
});

test('what is missing is said in words, with what mends it', async ({ skip }) => {
  if (!server) skip();
  const report = async (connector: Connector) => {
    const { ok, checks } = await connector.test();
    await connector.close();
    return { ok, last: checks.at(-1), all: checks.map(({ name }) => name) };
  };
  const stranger = await report(open('stranger', 'x'));
  expect(stranger.ok).toBe(false);
  const readers = await open('stranger', 'x').test();
  expect(readers.checks.find(({ name }) => name === 'tables')?.fix).toContain(
    'GRANT SELECT ON ALL TABLES IN SCHEMA "sales" TO "stranger"',
  );
  const nobody = await report(open('reader', "reader's own", { database: 'nowhere' }));
  expect(nobody.ok).toBe(false);
  expect(nobody.last?.message).toContain('a place that does not exist (3D000)');
  const closed = await report(open('reader', "reader's own", { port: 1 }));
  expect(closed.last?.message).toContain('Nothing listens');
  const encrypted = await report(open('reader', "reader's own", { ssl: 'require' }));
  expect(encrypted.last?.message).toContain('SSL');
});

test('a server that asks for a password is told of as such, where none was given', async () => {
  // It answers whatever it is sent by asking for a password in clear text.
  const asking = createServer((socket) => {
    socket.once('data', () => socket.write(Buffer.from([0x52, 0, 0, 0, 8, 0, 0, 0, 3])));
    socket.on('error', () => {});
  });
  asking.listen(0, '127.0.0.1');
  await once(asking, 'listening');
  const address = asking.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const login = { host: '127.0.0.1', port, database: 'shop', user: 'reader', ssl: 'disable' };
  const connector = openPostgresConnector('postgres', { id: 'asking', reach: loopback }, login);
  await expect(connector.query('select 1', long)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: 'The source asks for a password, and the credentials have none.',
  });
  await connector.close();
  asking.close();
});

test('credentials that lack something are named by field, never by value', () => {
  const opening = (credentials: object) =>
    openPostgresConnector('postgres', { id: 'x', reach: loopback }, { ...credentials });
  const problems = (credentials: object) => {
    try {
      opening(credentials);
      return [];
    } catch (error) {
      expect(error).toMatchObject({ code: 'BAD_REQUEST' });
      expect(JSON.stringify(error)).not.toContain('hush');
      return error instanceof Error && 'fields' in error ? error.fields : [];
    }
  };
  expect(problems({ password: 'hush hush' })).toMatchObject([
    { field: 'credentials.host' },
    { field: 'credentials.database' },
    { field: 'credentials.user' },
  ]);
  const whole = { host: 'h', dbname: 'd', username: 'u', password: 'hush' };
  expect(problems(whole)).toEqual([]);
  expect(problems({ ...whole, port: 0 })).toMatchObject([{ field: 'credentials.port' }]);
  expect(problems({ ...whole, port: 'hush' })).toMatchObject([{ field: 'credentials.port' }]);
  expect(problems({ ...whole, sslmode: 'hush' })).toMatchObject([{ field: 'credentials.ssl' }]);
  expect(problems({ ...whole, password: 5 })).toMatchObject([{ field: 'credentials.password' }]);
});

/** What must not change anything, nor run on. */
const hostile = [
  'drop table sales.orders',
  'delete from sales.orders',
  'update sales.orders set amount = 0',
  'insert into sales.daily values (1, 1)',
  'truncate sales.orders',
  'create table sales.made (n integer)',
  'create temp table made (n integer)',
  'alter table sales.daily add n integer',
  'commit; drop table sales.daily',
  'commit',
  'rollback',
  'end; delete from sales.daily',
  'select 1; delete from sales.daily',
  'abort; begin; delete from sales.daily; commit',
  'set transaction read write',
  'set session characteristics as transaction read write',
  "select set_config('transaction_read_only', 'off', false)",
  "select set_config('default_transaction_read_only', 'off', false)",
  "select set_config('role', 'owner', false)",
  'set role owner',
  'reset role',
  'set session authorization owner',
  'select sales.wipe()',
  'call sales.escape()',
  'do $$ begin delete from sales.daily; end $$',
  'with gone as (delete from sales.daily returning 1) select count(*) from gone',
  'with made as (insert into sales.daily values (1, 1) returning 1) select * from made',
  'select * into sales.made from sales.orders',
  "select nextval('sales.numbers')",
  "select setval('sales.numbers', 99)",
  'select * from sales.orders for update',
  "copy sales.orders to '/tmp/orders'",
  "copy sales.orders to program 'cat'",
  "copy sales.daily from program 'echo 1'",
  "select pg_read_file('/etc/passwd')",
  "select pg_ls_dir('/')",
  "select lo_import('/etc/passwd')",
  "select lo_from_bytea(424242, 'x')",
  'vacuum sales.orders',
  'cluster',
  'listen x',
  "notify x, 'y'",
  "prepare transaction 'x'",
  'explain analyze delete from sales.daily',
  'grant all on sales.orders to public',
  'create role other',
  'alter role reader createdb',
  'refresh materialized view sales.kept',
  "select pg_terminate_backend(pid) from pg_stat_activity where usename = 'owner'",
  'security label on table sales.daily is null',
];

/** What would run on for ever, and has to be cut. */
const endless = [
  'select pg_sleep(3600)',
  "select set_config('statement_timeout', '0', false), pg_sleep(3600)",
  "select set_config('statement_timeout', '0', true) from pg_sleep(3600)",
  'select count(*) from generate_series(1, 1e12)',
  'with recursive r as (select 1 as n union all select n + 1 from r) select count(*) from r',
  'select count(*) from sales.orders a, sales.orders b, sales.orders c, sales.orders d, sales.orders e',
];

const fingerprint = `select md5(string_agg(t::text, '|' order by t::text)) as sum from (
  select tableoid::regclass::text, id::text, amount::text from sales.orders
  union all select 'daily', id::text, total::text from sales.daily
  union all select 'kept', n::text, '' from sales.kept
  union all select 'relation', oid::text, relname || relacl::text from pg_class
    where relnamespace = 'sales'::regnamespace
  union all select 'role', rolname, rolcreatedb::text from pg_roles
  union all select 'numbers', last_value::text, is_called::text from sales.numbers
  union all select 'large objects', count(*)::text, '' from pg_largeobject_metadata) t`;

test(`${hostile.length} hostile statements change nothing`, async ({ skip }) => {
  if (!server) return skip();
  expect(hostile.length).toBeGreaterThanOrEqual(40);
  const before = await server.run(fingerprint, 'shop');
  const connector = open();
  for (const sql of hostile) {
    expect(['answered', 'BAD_REQUEST'], sql).toContain(await outcome(connector, sql, 30_000));
    expect(await server.run(fingerprint, 'shop'), sql).toEqual(before);
  }
  // The connection is still one that reads.
  expect(await outcome(connector, 'delete from sales.daily', 30_000)).toBe('BAD_REQUEST');
  expect((await connector.query('select count(*) from sales.orders', long)).rows).toEqual([[500]]);
  await connector.close();
}, 120_000);

test('what would run for ever is cut, on the server as well', async ({ skip }) => {
  if (!server) return skip();
  const connector = open();
  for (const sql of endless) expect(await outcome(connector, sql, 300), sql).toBe('UNAVAILABLE');
  const running = async () =>
    server?.run(`select query from pg_stat_activity where usename = 'reader' and state = 'active'`);
  await expect.poll(running, { timeout: 10_000 }).toEqual([]);
  await connector.close();
}, 60_000);

test('an answer larger than anybody needs is cut', async ({ skip }) => {
  if (!server) skip();
  const connector = open();
  const sql = "select repeat('x', 1000000) from generate_series(1, 1000)";
  await expect(connector.query(sql, long)).rejects.toThrow('64 MiB');
  await connector.close();
}, 60_000);

test('what one statement leaves behind is not there for the next one', async ({ skip }) => {
  if (!server) return skip();
  const connector = open();
  const once = (sql: string) => connector.query(sql, long);
  await once("select pg_advisory_lock(7), set_config('search_path', 'sales', false)");
  expect((await once("select current_setting('search_path')")).rows).toEqual([['"$user", public']]);
  expect(await server.run(`select 1 from pg_locks where locktype = 'advisory'`)).toEqual([]);
  await connector.close();
});

test('values come as they are: exact, and without a time zone of this process', async ({
  skip,
}) => {
  if (!server) skip();
  const connector = open();
  const sql = `select 9007199254740993, 12, 1.50::numeric, 'NaN'::float8, null, true,
    '2024-05-01 10:00'::timestamp, '2024-05-01'::date, '2024-05-01 10:00+02'::timestamptz`;
  expect((await connector.query(sql, long)).rows).toEqual([
    [
      9007199254740993n,
      12,
      '1.50',
      Number.NaN,
      null,
      true,
      '2024-05-01 10:00:00',
      '2024-05-01',
      new Date('2024-05-01T08:00:00Z'),
    ],
  ]);
  await connector.close();
});

test('a connection is used for the next query, unless it is one to Redshift', async ({ skip }) => {
  if (!server) return skip();
  const login = { host: '127.0.0.1', port: server.port, database: 'shop' };
  const reader = { ...login, user: 'reader', password: "reader's own" };
  const processes = async (flavor: 'postgres' | 'redshift') => {
    const connector = openPostgresConnector(flavor, { id: flavor, reach: loopback }, reader);
    const ask = async () => (await connector.query('select pg_backend_pid()', long)).rows[0]?.[0];
    const asked = [await ask(), await ask()];
    await connector.close();
    return new Set(asked).size;
  };
  expect(await processes('postgres')).toBe(1);
  expect(await processes('redshift')).toBe(2);
});
