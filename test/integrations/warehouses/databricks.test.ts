// Databricks as a live source, against a server of ours that speaks its REST interfaces over data in DuckDB.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { openDatabricksConnector } from '../../../src/integrations/connectors/databricks/databricks.ts';
import { databricksValue } from '../../../src/integrations/connectors/databricks/values.ts';
import { columnsOf, loopback, readSource } from '../connectors/read-source.ts';
import { clientSecret, startDatabricks } from './databricks-fake.ts';
import { expectSyncAndMonitor } from './sync-and-monitor.ts';
import type { WarehouseFake } from './warehouse-fake.ts';

const limits = { timeoutMs: 20_000 };
let fake: WarehouseFake | null = null;
beforeEach(async () => {
  fake = await startDatabricks();
});
afterEach(() => fake?.[Symbol.asyncDispose]());

const credentials = (port: number) => ({
  ...{ host: '127.0.0.1', port, ssl: 'disable', warehouse_id: '/sql/1.0/warehouses/w1' },
  ...{ auth: 'service_principal', client_id: 'principal', client_secret: clientSecret },
});

function opened(more: object = {}) {
  if (!fake) throw new Error('DuckDB is not installed.');
  const { port } = fake.http;
  const all = { ...credentials(port), ...more };
  return {
    server: fake,
    connector: openDatabricksConnector({ id: `dbx ${port}`, reach: loopback }, all),
  };
}

test('it lists catalogs, schemas, tables, views and columns, and needs a warehouse for tags and use alone', async () => {
  const { server, connector } = opened();
  const all = await readSource(connector);
  await connector.close();
  const titles = (kind: string) =>
    [...all.resources.values()].filter((one) => one.kind === kind).map(({ title }) => title);
  expect(titles('database')).toEqual(['shop']);
  expect(titles('schema')).toEqual(['sales', 'staging']);
  expect(titles('table').sort()).toEqual(['daily', 'large', 'orders', 'raw']);
  expect(all.resources.get('table:shop.sales.orders')).toMatchObject({
    ...{ nativeType: 'table', description: "One row an order, it's said", externalUsage: 3 },
    ...{ tags: ['tier: gold'], metadata: { format: 'DELTA', owner: 'loader' } },
  });
  expect(columnsOf(all, 'table:shop.sales.orders')).toEqual([
    ['id', 'bigint', false, ''],
    ['amount', 'decimal(18,2)', false, 'Net, in euros'],
    ['placed_at', 'timestamp', false, ''],
    ['name', 'varchar', false, ''],
  ]);
  expect(all.resources.get('column:shop.sales.orders.amount')).toMatchObject({
    ...{ sortOrder: 2, tags: ['confidential'], metadata: { nullable: true } },
  });
  expect(all.resources.get('column:shop.sales.orders.id')?.metadata).toEqual({ nullable: false });
  expect(all.resources.get('table:shop.sales.large')?.creationQuery).toContain(
    'CREATE VIEW `shop`',
  );
  expect(server.executed.every((sql) => /_tags|query\.history|_lineage/.test(sql))).toBe(true);
  const placed = { by: 'name', database: 'shop', schema: 'staging', table: 'raw' };
  const into = { by: 'name', database: 'shop', schema: 'sales', table: 'orders' };
  // What was not seen for 90 days is left out.
  expect(all.lineage.map(({ from, to }) => [from, to])).toEqual([
    [{ ...placed, database: 'SHOP', schema: 'Staging', table: 'RAW' }, into],
    [
      { ...placed, column: 'ID' },
      { ...into, column: 'id' },
    ],
    [placed, into],
  ]);
  expect(server.tokens).toBe(1);
});

test('patterns choose what is read', async () => {
  for (const [more, expected] of [
    [{ include: 'shop.s*les' }, ['sales']],
    [{ exclude: ['shop.sales'] }, ['staging']],
    [{ include: 'other' }, []],
  ] as const) {
    const { connector } = opened(more);
    const { resources } = await readSource(connector);
    await connector.close();
    const schemas = [...resources.values()].filter(({ kind }) => kind === 'schema');
    expect(schemas.map(({ title }) => title)).toEqual(expected);
  }
});

test('an answer is read chunk by chunk, and a statement that takes its time is asked for until it is done', async () => {
  const { server, connector } = opened();
  server.partRows = 7;
  server.polls = 3;
  const sql = 'SELECT id, amount, placed_at, name FROM `shop`.`sales`.`orders` ORDER BY 1';
  const { rows } = await connector.query(sql, limits);
  expect(rows).toHaveLength(500);
  expect(rows[9]).toEqual([10, '15.00', new Date('2026-01-01T10:00:00Z'), 'n10']);
  server.polls = 0;
  server.fault = ({ url }) =>
    url.pathname.endsWith('/chunks/2') ? { body: { data_array: [] } } : undefined;
  await expect(connector.query(sql, limits)).rejects.toThrow('lacks rows');
  server.fault = ({ url }) =>
    url.pathname.endsWith('/chunks/2') ? { body: { next_chunk_index: 1 } } : undefined;
  await expect(connector.query(sql, limits)).rejects.toThrow('circle');
  await connector.close();
});

test('a statement that no one waits for is cancelled', async () => {
  const { server, connector } = opened();
  server.polls = 1_000_000;
  await expect(connector.query('SELECT 8', { timeoutMs: 700 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await expect.poll(() => server.cancelled).toEqual(['SELECT 8']);
  await connector.close();
});

test('a busy server and a refused token are asked again; a lost statement is not sent twice', async () => {
  const { server, connector } = opened();
  await connector.query('SELECT 1', limits);
  const faults = [
    { status: 429, headers: { 'retry-after': '0' } },
    { status: 503 },
    { status: 401, body: { error_code: 'UNAUTHENTICATED' } },
  ];
  server.fault = ({ url }) => (url.pathname === '/oidc/v1/token' ? undefined : faults.shift());
  expect((await connector.query('SELECT 2', limits)).rows).toEqual([[2]]);
  expect(server.tokens).toBe(2);
  const lost = [{ body: { half: 'an answer' }, cutAfter: 3 }];
  server.fault = () => lost.shift();
  const before = server.http.asked.length;
  await expect(connector.query('SELECT 3', limits)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  expect(server.http.asked.length).toBe(before + 1);
  await connector.close();
});

test('what the server says is said in words, and no secret is in it', async () => {
  const { server, connector } = opened();
  const failedBy = (error: object) => ({
    body: { statement_id: 's', status: { state: 'FAILED', ...error } },
  });
  for (const [answer, said] of [
    [failedBy({ sql_state: '42P01', error: { message: 'no' } }), 'does not exist (42P01)'],
    [failedBy({ error: { error_code: 'X', message: 'token-1-of-the-principal' } }), '(X)'],
    [{ body: { statement_id: 's', status: { state: 'CLOSED' } } }, '(CLOSED)'],
    [{ status: 404, body: { error_code: 'RESOURCE_DOES_NOT_EXIST' } }, 'RESOURCE_DOES_NOT_EXIST'],
    [
      {
        body: {
          statement_id: 's',
          status: { state: 'SUCCEEDED' },
          manifest: { schema: {}, truncated: true },
        },
      },
      'MiB',
    ],
    [{ status: 200, body: '<html>sign in</html>' }, 'not an answer of Databricks'],
    [{ status: 302, headers: { location: 'http://127.0.0.1/' } }, 'redirect'],
  ] as const) {
    server.fault = ({ url }) => (url.pathname === '/oidc/v1/token' ? undefined : answer);
    const error = await connector.query('SELECT 1', limits).catch((one) => one);
    expect(`${error.message} ${error.said ?? ''}`).toContain(said);
    expect(`${error.message} ${error.said ?? ''}`).not.toContain('token-1-of');
  }
  await connector.close();
});

test('a report says of each right whether it is there, and which grant is missing', async () => {
  const { server, connector } = opened();
  expect(await connector.test()).toMatchObject({ ok: true, version: 'Databricks SQL 2026.10' });
  server.denied = /query\.history/;
  const { ok, checks } = await connector.test();
  expect(ok).toBe(true);
  expect(checks.find(({ name }) => name === 'history')).toMatchObject({
    ...{ state: 'limited', fix: expect.stringContaining('system.query') },
  });
  await connector.close();
  const wrong = opened({ client_secret: 'wrong-one' }).connector;
  const report = await wrong.test();
  expect([report.ok, report.checks[0]?.message]).toEqual([
    false,
    expect.stringContaining('not accepted'),
  ]);
  await wrong.close();
});

test('only queries are run, and no function that reaches elsewhere', async () => {
  const { server, connector } = opened();
  for (const sql of [
    'DELETE FROM t',
    'SELECT 1; DROP TABLE t',
    `SELECT http_request(conn => 'c')`,
    `SELECT ai_query('m', 'x')`,
    `SELECT * FROM read_files('/x')`,
    `SELECT secret('a', 'b')`,
    'OPTIMIZE t',
  ]) {
    await expect(connector.query(sql, limits), sql).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(server.executed).toEqual([]);
  await connector.close();
});

test('values are decoded by the types that are declared', () => {
  for (const [type, cell, value] of [
    ['LONG', '42', 42],
    ['LONG', '9223372036854775807', 9223372036854775807n],
    ['DOUBLE', 'NaN', Number.NaN],
    ['DECIMAL', '1.50', '1.50'],
    ['BOOLEAN', 'true', true],
    ['TIMESTAMP', '2026-01-01T10:00:00.123Z', new Date('2026-01-01T10:00:00.123Z')],
    ['TIMESTAMP', '2026-01-01 10:00:00', new Date('2026-01-01T10:00:00Z')],
    ['TIMESTAMP', '2026-01-01T12:00:00+02:00', new Date('2026-01-01T10:00:00Z')],
    ['STRUCT', '{"a":1}', '{"a":1}'],
    ['STRING', null, null],
  ] as const) {
    expect(databricksValue(cell, { name: 'x', type_name: type }), `${type} ${cell}`).toEqual(value);
  }
});

test('a sync brings lineage, a second one changes nothing, and a monitor opens an incident', async () => {
  if (!fake) return;
  await expectSyncAndMonitor('databricks', credentials(fake.http.port), [
    'shop.sales.orders.amount > shop.sales.large.twice',
    'shop.sales.orders.amount > shop.sales.daily.total',
    'shop.staging.raw.id > shop.sales.orders.id',
  ]);
});
