// Snowflake as a live source, against a server of ours that speaks its SQL API over data in DuckDB.

import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSnowflakeConnector } from '../../../src/integrations/connectors/snowflake/snowflake.ts';
import { snowflakeValue } from '../../../src/integrations/connectors/snowflake/values.ts';
import { columnsOf, loopback, readSource } from '../connectors/read-source.ts';
import { privateKey, type SnowflakeFake, startSnowflake } from './snowflake-fake.ts';
import { expectSyncAndMonitor } from './sync-and-monitor.ts';

const limits = { timeoutMs: 20_000 };
let fake: SnowflakeFake | null = null;
beforeEach(async () => {
  fake = await startSnowflake();
});
afterEach(() => fake?.[Symbol.asyncDispose]());

const credentials = (port: number) => ({
  ...{ account: 'myorg-shop', user: 'reader', private_key: privateKey, role: 'HEADWATER' },
  ...{ warehouse: 'W', host: '127.0.0.1', port, ssl: 'disable' },
});

/** The server and a connector to it. */
function opened(more: object = {}) {
  if (!fake) throw new Error('DuckDB is not installed.');
  const { port } = fake.http;
  const all = { ...credentials(port), ...more };
  return {
    server: fake,
    connector: openSnowflakeConnector({ id: `sf ${port}`, reach: loopback }, all),
  };
}

test('it lists databases, schemas, tables, views and columns with all that the account says', async () => {
  const { server, connector } = opened();
  const all = await readSource(connector);
  await connector.close();
  expect(all.notes).toEqual([]);
  const titles = (kind: string) =>
    [...all.resources.values()].filter((one) => one.kind === kind).map(({ title }) => title);
  expect(titles('database')).toEqual(['SHOP']);
  expect(titles('schema').sort()).toEqual(['EMPTY', 'SALES', 'STAGING']);
  expect(titles('table').sort()).toEqual(['DAILY', 'LARGE', 'LARGER', 'ORDERS', 'RAW', 'a.b "q']);
  expect(all.resources.get('table:SHOP.SALES.ORDERS')).toMatchObject({
    ...{ nativeType: 'table', description: "One row an order, it's said", rowCount: 500 },
    ...{ byteSize: 4_000, tags: ['TIER: gold'], externalUsage: 3 },
    externalUpdatedAt: new Date('2026-03-01T10:00:00.123Z'),
    metadata: { owner_role: 'LOADER' },
  });
  expect(columnsOf(all, 'table:SHOP.SALES.ORDERS')).toEqual([
    ['ID', 'NUMBER(38,0)', true, ''],
    ['AMOUNT', 'NUMBER(38,2)', false, 'Net, in euros'],
    ['PLACED_AT', 'TIMESTAMP', false, ''],
    ['PAID', 'BOOLEAN', false, ''],
    ['Größe', 'VARCHAR', false, ''],
  ]);
  expect(all.resources.get('column:SHOP.SALES.ORDERS.AMOUNT')?.tags).toEqual(['CONFIDENTIAL']);
  const facts = (name: string) => all.resources.get(`column:SHOP.SALES.ORDERS.${name}`)?.metadata;
  expect(['PAID', 'PLACED_AT', 'AMOUNT'].map(facts)).toEqual([
    { nullable: false },
    { nullable: true, default: 'now()' },
    { nullable: true },
  ]);
  // The role does not own this one: its SQL comes from the account's view of all views.
  expect(all.resources.get('table:SHOP.SALES.LARGER')?.creationQuery).toContain('CREATE VIEW');
  // A name in quotes is one part, a table before dbt renames it is that one, and after 90 days nothing is lineage.
  const daily = { by: 'name', database: 'SHOP', schema: 'SALES', table: 'DAILY' };
  const flows = (table: string) => [
    [{ ...daily, table }, daily],
    [
      { ...daily, table, column: 'AMOUNT' },
      { ...daily, column: 'TOTAL' },
    ],
  ];
  expect(all.lineage.map(({ from, to }) => [from, to])).toEqual([
    ...flows('a.b "q'),
    ...flows('ORDERS'),
  ]);
  expect(server.executed.every((sql) => !sql.includes('SHARED'))).toBe(true);
});

test('patterns choose what is read, and nothing is asked of what is left out', async () => {
  for (const [include, exclude, expected] of [
    ['shop.sales', '', ['SALES']],
    ['', '*.s*', ['EMPTY']],
    ['SHOP', ['SHOP.EMPTY', 'other'], ['SALES', 'STAGING']],
    ['nothing', '', []],
    ['*', 'SHOP', []],
  ] as const) {
    const { server, connector } = opened({ include, exclude });
    const { resources } = await readSource(connector);
    await connector.close();
    const schemas = [...resources.values()].filter(({ kind }) => kind === 'schema');
    expect(schemas.map(({ title }) => title).sort(), `${include} ${exclude}`).toEqual(expected);
    expect(server.executed.filter((sql) => /table_schema = 'EMPTY'/.test(sql)).length > 0).toBe(
      schemas.some(({ title }) => title === 'EMPTY'),
    );
    server.executed.length = 0;
  }
});

test('an answer in many packed parts is read whole, and one that lacks a row is an error', async () => {
  const { server, connector } = opened();
  server.partRows = 7;
  const sql =
    'SELECT "ID", "AMOUNT", "PLACED_AT", "PAID", "Größe" FROM "SHOP"."SALES"."ORDERS" ORDER BY 1';
  const { rows } = await connector.query(sql, limits);
  expect(rows).toHaveLength(500);
  expect(rows[9]).toEqual([10, '15.00', new Date('2026-01-01T10:00:00Z'), true, 'g10']);
  server.fault = ({ url }) =>
    url.searchParams.get('partition') === '2'
      ? {
          headers: { 'content-encoding': 'gzip' },
          body: gzipSync('{"data":[["1","1.00","1","true","x"]]}'),
        }
      : undefined;
  await expect(connector.query(sql, limits)).rejects.toThrow('lacks rows');
  await connector.close();
});

test('a statement that takes its time is asked for until it is done, and cancelled when no one waits', async () => {
  const { server, connector } = opened();
  server.polls = 2;
  expect((await connector.query('SELECT 7', limits)).rows).toEqual([[7]]);
  server.polls = 1_000_000;
  await expect(connector.query('SELECT 8', { timeoutMs: 700 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await expect.poll(() => server.cancelled).toEqual(['SELECT 8']);
  await connector.close();
});

test('a busy server, a refused token and a lost connection run nothing twice', async () => {
  const { server, connector } = opened();
  expect((await connector.query('SELECT 1', limits)).rows).toEqual([[1]]);
  const faults = [
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 503 },
    { status: 401, body: { code: '390318', message: 'expired' } },
    { body: { half: 'an answer' }, cutAfter: 3 },
  ];
  const expected = faults.length;
  server.fault = () => faults.shift();
  expect((await connector.query('SELECT 2', limits)).rows).toEqual([[2]]);
  const posts = server.http.asked.filter(({ body }) => body.includes('"SELECT 2"'));
  expect(posts).toHaveLength(expected + 1);
  expect(new Set(posts.map(({ url }) => url.searchParams.get('requestId'))).size).toBe(1);
  expect(posts.slice(1).every(({ url }) => url.searchParams.get('retry') === 'true')).toBe(true);
  // The answer is lost after the statement ran: with the same id it is not run again.
  let isLost = false;
  const { fault } = server;
  server.fault = () => undefined;
  const before = server.executed.length;
  expect(fault).toBeDefined();
  const { connector: other } = opened();
  server.polls = 1;
  server.fault = ({ method }) => {
    if (method !== 'GET' || isLost) return undefined;
    isLost = true;
    return { body: '{"statementHandle"', cutAfter: 5 };
  };
  expect((await other.query('SELECT 3', limits)).rows).toEqual([[3]]);
  expect(server.executed.slice(before).filter((sql) => sql === 'SELECT 3')).toHaveLength(1);
  await connector.close();
  await other.close();
});

test('what the server says is said in words, and no secret is in it', async () => {
  const { server, connector } = opened();
  for (const [answer, said] of [
    [{ status: 408, body: {} }, 'timed out'],
    [{ status: 404, body: {} }, 'check the account'],
    [{ status: 403, body: {} }, 'not accepted'],
    [{ status: 200, body: '<html>sign in</html>' }, 'not an answer of Snowflake'],
    [{ status: 302, headers: { location: 'http://127.0.0.1/' } }, 'redirect'],
    [
      { status: 422, body: { code: '002003', sqlState: '42S02', message: `no ${privateKey}` } },
      'does not exist',
    ],
  ] as const) {
    server.fault = () => answer;
    const failed = await connector.query('SELECT 1', limits).catch((error) => error);
    expect(`${failed.message} ${failed.said ?? ''}`).toContain(said);
    expect(`${failed.message} ${failed.said ?? ''}`).not.toContain(privateKey.slice(60, 100));
  }
  await connector.close();
});

test('values are decoded by the types that are declared', () => {
  for (const [type, scale, cell, value] of [
    ['fixed', 0, '42', 42],
    ['FIXED', 0, '-99999999999999999999', -99999999999999999999n],
    ['fixed', 2, '12.50', '12.50'],
    ['real', null, '1.5', 1.5],
    ['real', null, 'inf', Number.POSITIVE_INFINITY],
    ['real', null, '-inf', Number.NEGATIVE_INFINITY],
    ['real', null, 'NaN', Number.NaN],
    ['boolean', null, 'true', true],
    ['boolean', null, '0', false],
    ['boolean', null, '1', true],
    ['date', null, '-1', new Date('1969-12-31T00:00:00Z')],
    ['timestamp_ntz', 9, '1616173619.123456789', new Date('2021-03-19T17:06:59.123Z')],
    ['TIMESTAMP_LTZ', 9, '-1.500000000', new Date('1969-12-31T23:59:58.500Z')],
    ['timestamp_tz', 9, '1616173619.000000000 960', new Date('2021-03-19T17:06:59Z')],
    ['decfloat', null, '1.2E40', '1.2E40'],
    ['variant', null, '{"a":1}', '{"a":1}'],
    ['binary', null, 'ff00', 'ff00'],
    ['text', null, '', ''],
    ['fixed', 0, null, null],
  ] as const) {
    expect(snowflakeValue(cell, { name: 'x', type, scale }), `${type} ${cell}`).toEqual(value);
  }
});

test('a report says of each right whether it is there, and which grant is missing', async () => {
  const { server, connector } = opened();
  const whole = await connector.test();
  expect(whole).toMatchObject({ ok: true, version: 'Snowflake 9.30.1' });
  expect(whole.checks.filter(({ state }) => state !== 'ok').map(({ name }) => name)).toEqual([]);
  server.denied = /ACCOUNT_USAGE/;
  const { ok, checks } = await connector.test();
  expect(ok).toBe(true);
  for (const [name, role] of [
    ['history', 'USAGE_VIEWER'],
    ['views', 'OBJECT_VIEWER'],
    ['tags', 'GOVERNANCE_VIEWER'],
    ['lineage', 'GOVERNANCE_VIEWER'],
  ]) {
    expect(checks.find((check) => check.name === name)).toMatchObject({
      ...{ state: 'limited', fix: `GRANT DATABASE ROLE SNOWFLAKE.${role} TO ROLE HEADWATER;` },
    });
  }
  // What may not be read says nothing: no usage, no tags, rather than none of them.
  const { resources } = await readSource(connector);
  const orders = resources.get('table:SHOP.SALES.ORDERS');
  expect([orders?.externalUsage, orders?.tags]).toEqual([undefined, undefined]);
  server.denied = /INFORMATION_SCHEMA/;
  expect((await connector.test()).checks.find(({ name }) => name === 'tables')).toMatchObject({
    ...{ state: 'missing', fix: expect.stringContaining('GRANT REFERENCES') },
  });
  await connector.close();
});

test('an administrator is refused, and so is what does more than read', async () => {
  const { server, connector } = opened();
  server.role = 'ACCOUNTADMIN';
  await expect(connector.query('SELECT 1', limits)).rejects.toThrow('may change everything');
  server.role = 'HEADWATER';
  const before = server.executed.length;
  for (const sql of [
    'INSERT INTO t VALUES (1)',
    'CALL p()',
    'SELECT 1; DROP TABLE t',
    `SELECT SYSTEM$CANCEL_ALL_QUERIES(1)`,
    `SELECT IDENTIFIER('SYSTEM$WAIT')(1)`,
    `EXECUTE IMMEDIATE 'DROP TABLE t'`,
    'USE ROLE ACCOUNTADMIN',
    'SHOW DATABASES',
  ]) {
    await expect(connector.query(sql, limits), sql).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(server.executed.length).toBe(before);
  await connector.close();
});

test('a key that cannot be read is said without a part of it', () => {
  const bad = privateKey.replace('MII', 'MIX');
  expect(() => opened({ private_key: bad })).toThrow('cannot be read');
  try {
    opened({ private_key: bad });
  } catch (error) {
    expect(String(error)).not.toContain(privateKey.slice(60, 90));
  }
  expect(() => opened({ private_key: '' })).toThrow('Required where auth is key_pair');
  expect(() => opened({ auth: 'token' })).toThrow('Required where auth is token');
});

test('a sync brings lineage, a second one changes nothing, and a monitor opens an incident', async () => {
  if (!fake) return;
  await expectSyncAndMonitor('snowflake', credentials(fake.http.port), [
    'SHOP.SALES.ORDERS.AMOUNT > SHOP.SALES.LARGE.TWICE',
    'SHOP.SALES.LARGE.TWICE > SHOP.SALES.LARGER.TWICE',
    'SHOP.SALES.ORDERS.AMOUNT > SHOP.SALES.DAILY.TOTAL',
    'SHOP.SALES.ORDERS.PLACED_AT > SHOP.SALES.DAILY.DAY',
  ]);
});
