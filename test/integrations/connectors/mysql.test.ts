// MariaDB as a live source, on a real server.

import { createConnection } from 'mysql2/promise';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Connector } from '../../../src/integrations/connectors/connector.ts';
import { openMySqlConnector } from '../../../src/integrations/connectors/mysql/mysql.ts';
import { startMariaDb, type TestServer } from '../../servers.ts';
import { columnsOf, loopback, outcome, readSource } from './read-source.ts';

let server: TestServer | null;
const long = { timeoutMs: 30_000 };

beforeAll(async () => {
  server = await startMariaDb();
  if (!server) {
    console.warn('No MariaDB server is installed: it is not tried as a source.');
    return;
  }
  await server.run(`create database shop; use shop;
    create table orders (id bigint primary key, \`Größe\` varchar(20), amount decimal(10, 2)
      comment 'Net', made timestamp default now()) comment 'One row an order';
    create table items (order_id bigint references orders (id), place int, unique (order_id, place));
    create view large as select id, amount * 2 as twice from orders where amount > 100;
    create table \`odd "name'\\x\` (\`select\` int);
    insert into orders (id, amount) select seq, seq from seq_1_to_500;
    create table daily (id bigint, total decimal(20, 2)); create sequence places;
    analyze table orders;
    create procedure escape_it()
      begin commit; set session transaction read write; delete from shop.orders; end;
    create function wipe() returns int begin delete from shop.orders; return 1; end;
    create user reader identified by 'reader\\'s own';
    grant select, show view, execute on shop.* to reader;
    grant select on performance_schema.* to reader;
    create user writer identified by 'writers own'; grant all on shop.* to writer;
    create user stranger identified by 'strangers own';
    create user filereader identified by 'files own'; grant select, file on *.* to filereader`);
}, 120_000);

afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

function open(user = 'reader', password = "reader's own", more: object = {}): Connector {
  const port = server?.port ?? 0;
  const login = { host: '127.0.0.1', port, database: 'shop', user, password, ...more };
  return openMySqlConnector('mariadb', { id: `${user} ${port}`, reach: loopback }, login);
}

test('it lists its databases as schemas, with tables, views, columns, comments and keys', async ({
  skip,
}) => {
  if (!server) skip();
  const connector = open();
  const all = await readSource(connector);
  await connector.close();
  const { resources, notes } = all;
  expect(notes).toEqual([]);
  expect(resources.get('schema:def.shop')).toMatchObject({ parentKey: 'database:def' });
  expect(
    [...resources.keys()].filter((key) => /^schema:def\.(mysql|sys|info|perf)/.test(key)),
  ).toEqual([]);
  expect(resources.get('table:def.shop.orders')).toMatchObject({
    nativeType: 'table',
    description: 'One row an order',
    rowCount: expect.any(Number),
    byteSize: expect.any(Number),
    externalUsage: expect.any(Number),
    metadata: { keys: [{ name: 'PRIMARY', kind: 'primary', columns: ['id'] }] },
  });
  expect(columnsOf(all, 'table:def.shop.orders')).toEqual([
    ['id', 'bigint(20)', true, ''],
    ['Größe', 'varchar(20)', false, ''],
    ['amount', 'decimal(10,2)', false, 'Net'],
    ['made', 'timestamp', false, ''],
  ]);
  expect(resources.get('table:def.shop.items')?.metadata).toEqual({
    keys: [
      {
        name: 'items_ibfk_1',
        kind: 'foreign',
        columns: ['order_id'],
        refers_to: { table: 'shop.orders', columns: ['id'] },
      },
      { name: 'order_id', kind: 'unique', columns: ['order_id', 'place'] },
    ],
  });
  expect(resources.get('table:def.shop.large')).toMatchObject({
    nativeType: 'view',
    creationQuery: expect.stringMatching(
      /^CREATE VIEW `shop`\.`large` AS\nselect .*`shop`\.`orders`/,
    ),
  });
  expect(resources.has('table:def.shop.places'), 'a sequence').toBe(false);
  const odd = [...resources.values()].find(({ title }) => title === 'odd "name\'\\x');
  expect(columnsOf(all, odd?.key ?? '')).toEqual([['select', 'int(11)', false, '']]);
});

test('the queries that ran are listed with how often; our own are not', async ({ skip }) => {
  if (!server) return skip();
  const insert = 'insert into daily select id, amount from orders where id = 1';
  for (let i = 0; i < 3; i += 1) await server.run(insert, 'shop');
  const connector = open();
  await readSource(connector);
  const queries = [];
  for await (const query of connector.queryHistory?.(null) ?? []) queries.push(query);
  await connector.close();
  expect(queries).toContainEqual(
    expect.objectContaining({
      sql: expect.stringMatching(/^INSERT INTO `daily` SELECT/),
      count: 3,
      counted: 'ever',
      schema: 'shop',
    }),
  );
  expect(queries.filter(({ sql }) => /information_schema|performance_schema/.test(sql))).toEqual(
    [],
  );
});

test('a table that somebody locks is said to be locked', async ({ skip }) => {
  if (!server) return skip();
  const { port } = server;
  const locking = await createConnection({
    ...{ host: '127.0.0.1', port, user: 'writer', password: 'writers own', database: 'shop' },
  });
  await locking.query('lock tables items write');
  const connector = open();
  await expect(connector.query('select count(*) from items', long)).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(/^A table is locked by someone else/),
  });
  await connector.close();
  await locking.end();
});

test('a modest login is in order, also one that may write where it is to read', async ({
  skip,
}) => {
  if (!server) skip();
  for (const [user, password] of [
    ['reader', "reader's own"],
    ['writer', 'writers own'],
  ] as const) {
    const connector = open(user, password);
    const { ok, version, checks } = await connector.test();
    expect(ok, user).toBe(true);
    expect(version).toMatch(/^MariaDB \d/);
    expect(checks.find(({ name }) => name === 'query history')?.state, user).toBe(
      user === 'reader' ? 'ok' : 'limited',
    );
    expect(checks.find(({ name }) => name === 'rights')).toMatchObject(
      user === 'reader'
        ? { state: 'ok' }
        : { state: 'limited', message: expect.stringContaining('write (to `shop`.*)') },
    );
    await connector.close();
  }
});

test('a login that may do too much is refused with the grants that are needed', async ({
  skip,
}) => {
  if (!server) skip();
  for (const [user, password, why] of [
    ['root', '', 'ALL PRIVILEGES'],
    ['filereader', 'files own', 'FILE'],
  ] as const) {
    const connector = open(user, password);
    const { ok, checks } = await connector.test();
    expect(ok).toBe(false);
    expect(checks.at(-1)).toMatchObject({
      name: 'role',
      fix: expect.stringContaining('GRANT SELECT'),
    });
    expect(checks.at(-1)?.message).toContain(why);
    await expect(connector.query('select 1', long)).rejects.toThrow(why);
    await expect(readSource(connector)).rejects.toThrow('GRANT');
    await connector.close();
  }
});

test('what is missing is said in words', async ({ skip }) => {
  if (!server) skip();
  const last = async (connector: Connector) => {
    const { ok, checks } = await connector.test();
    await connector.close();
    expect(ok).toBe(false);
    return checks.filter(({ state }) => state === 'missing').at(-1);
  };
  const stranger = open('stranger', 'strangers own', { database: undefined });
  expect(await last(stranger)).toMatchObject({
    name: 'tables',
    fix: expect.stringContaining('GRANT SELECT'),
  });
  expect((await last(open('reader', 'wrong password')))?.message).toContain('Access denied');
  expect((await last(open('reader', "reader's own", { port: 1 })))?.message).toContain(
    'Nothing listens',
  );
  expect((await last(open('reader', "reader's own", { ssl: 'require' })))?.message).toMatch(
    /SSL|secure/i,
  );
});

const hostile = [
  'drop table orders',
  'delete from orders',
  'update orders set amount = 0',
  'insert into daily values (1, 1)',
  'truncate orders',
  'create table made (n int)',
  'create temporary table made (n int)',
  'commit; drop table daily',
  'select 1; delete from daily',
  'select 1; select 2',
  'select 1; -- harmless\n delete from daily',
  'commit',
  'rollback',
  'set session transaction read write',
  'set @@session.tx_read_only = 0',
  'set statement tx_read_only = 0 for delete from daily',
  'call escape_it()',
  'select wipe()',
  'with gone as (select 1) delete from daily',
  'replace into daily values (1, 1)',
  'select * from orders for update',
  "select 1 into outfile '/tmp/headwater-outfile'",
  "select 1 into dumpfile '/tmp/headwater-dumpfile'",
  "load data infile '/etc/passwd' into table daily",
  "load data local infile '/etc/passwd' into table daily",
  "select load_file('/etc/passwd')",
  'handler orders open',
  'lock tables orders write',
  'flush tables',
  'grant all on *.* to reader',
  'create user other',
  "set password = password('x')",
  'kill 1',
  'shutdown',
  'begin; delete from daily; commit',
  "prepare p from 'delete from daily'",
  "execute immediate 'delete from daily'",
  'analyze table orders',
  'optimize table orders',
  'alter table daily add n int',
  'rename table daily to nightly',
  'begin not atomic delete from shop.daily; end',
  '/*! delete from daily */',
  'explain delete from daily',
];

test(`${hostile.length} hostile statements change nothing`, async ({ skip }) => {
  if (!server) return skip();
  expect(hostile.length).toBeGreaterThanOrEqual(40);
  const fingerprint = `checksum table shop.orders, shop.items, shop.daily;
    select group_concat(table_name order by table_name) from information_schema.tables
      where table_schema = 'shop'`;
  const before = await server.run(fingerprint);
  const login = open('writer', 'writers own');
  const reader = open();
  for (const connector of [login, reader]) {
    for (const sql of hostile) {
      const came = await outcome(connector, sql, 30_000);
      expect(['answered', 'BAD_REQUEST'], sql).toContain(came);
      expect(await server.run(fingerprint), sql).toEqual(before);
    }
    expect((await connector.query('select count(*) from orders', long)).rows).toEqual([[500]]);
    await connector.close();
  }
}, 120_000);

test('what would run for ever is cut, on the server as well', async ({ skip }) => {
  if (!server) return skip();
  const connector = open();
  for (const sql of [
    'select sleep(3600)',
    'select sum(a.id * b.id * c.id * d.id) from orders a, orders b, orders c, orders d',
    'with recursive r as (select 1 as n union all select 1 - n from r) select count(*) from r, orders a, orders b, orders c, orders d',
    '/*M! select sleep(3600) */ select sleep(3600)',
    // It answers 0 when its time is over.
    "select benchmark(100000000000, md5('x'))",
  ]) {
    expect(['UNAVAILABLE', 'BAD_REQUEST'], sql).toContain(await outcome(connector, sql, 300));
  }
  const running = async () =>
    server?.run(`select info from information_schema.processlist
      where user = 'reader' and command in ('Query', 'Execute')`);
  await expect.poll(running, { timeout: 10_000 }).toEqual([]);
  await connector.close();
}, 60_000);

test('locks of one statement are not there for the next one', async ({ skip }) => {
  if (!server) return skip();
  const connector = open();
  await connector.query("select get_lock('mine', 1)", long);
  expect(await server.run("select is_free_lock('mine') as free")).toEqual([{ free: 1 }]);
  await connector.close();
});

test('values come as they are: exact, and in UTC', async ({ skip }) => {
  if (!server) skip();
  const connector = open();
  const sql = `select 9007199254740993, 12, 1.50, cast(0.5 as double), null, 'ü',
    cast('2024-05-01 10:00:00' as datetime), @@session.time_zone, from_unixtime(0)`;
  expect((await connector.query(sql, long)).rows).toEqual([
    [
      '9007199254740993',
      12,
      '1.50',
      0.5,
      null,
      'ü',
      '2024-05-01 10:00:00',
      '+00:00',
      '1970-01-01 00:00:00',
    ],
  ]);
  await connector.close();
});
