// BigQuery as a live source, against a server of ours that speaks its REST interface over data in DuckDB.

import { afterEach, beforeEach, expect, test } from 'vitest';
import { openBigQueryConnector } from '../../../src/integrations/connectors/bigquery/bigquery.ts';
import { bigQueryValue } from '../../../src/integrations/connectors/bigquery/values.ts';
import { columnsOf, loopback, readSource } from '../connectors/read-source.ts';
import { type BigQueryFake, failed, serviceAccount, startBigQuery } from './bigquery-fake.ts';
import { openLivePlace } from './live-place.ts';
import { expectSyncAndMonitor } from './sync-and-monitor.ts';

const limits = { timeoutMs: 20_000 };
let fake: BigQueryFake | null = null;
beforeEach(async () => {
  fake = await startBigQuery();
});
afterEach(() => fake?.[Symbol.asyncDispose]());

const credentials = (port: number) => ({
  ...{ project: 'shop-prod', service_account: serviceAccount('127.0.0.1', port) },
  ...{ host: '127.0.0.1', port, ssl: 'disable' },
});

function opened(more: object = {}) {
  if (!fake) throw new Error('DuckDB is not installed.');
  const { port } = fake.http;
  const all = { ...credentials(port), ...more };
  return {
    server: fake,
    connector: openBigQueryConnector({ id: `bq ${port}`, reach: loopback }, all),
  };
}

test('it lists datasets, tables, shards as one, views, columns and the fields in them', async () => {
  const { server, connector } = opened();
  const all = await readSource(connector);
  await connector.close();
  const titles = (kind: string) =>
    [...all.resources.values()].filter((one) => one.kind === kind).map(({ title }) => title);
  expect(titles('schema')).toEqual(['sales', 'staging']);
  expect(titles('table').sort()).toEqual([
    ...['daily', 'events_*', 'large', 'old', 'orders', 'raw', 'version_20261399'],
  ]);
  expect(all.resources.get('table:shop-prod.sales.orders')).toMatchObject({
    ...{ nativeType: 'table', description: 'One row an "order"', rowCount: 500, byteSize: 4_000 },
    ...{
      tags: ['tier: gold', 'pii'],
      externalUsage: 3,
      externalUpdatedAt: new Date(1772360000123),
    },
  });
  expect(columnsOf(all, 'table:shop-prod.sales.orders').map(([name]) => name)).toEqual([
    ...['id', 'amount', 'placed_at', 'address', 'address.city', 'name'],
  ]);
  const facts = (name: string) =>
    all.resources.get(`column:shop-prod.sales.orders.${name}`)?.metadata;
  expect(['id', 'amount', 'placed_at', 'address%2Ecity'].map(facts)).toEqual([
    { nullable: false },
    { nullable: true, default: '1.5' },
    { nullable: true },
    undefined,
  ]);
  const events = all.resources.get('table:shop-prod.sales.events_*');
  expect(events).toMatchObject({
    ...{ nativeType: 'sharded table', rowCount: 30, metadata: { shards: 2 }, externalUsage: 1 },
  });
  expect(columnsOf(all, 'table:shop-prod.sales.events_*').map(([name]) => name)).toEqual([
    'id',
    'kind',
  ]);
  expect(all.resources.get('table:shop-prod.sales.large')?.creationQuery).toContain(
    'CREATE VIEW `shop-prod.sales.large` AS',
  );
  expect(all.notes).toEqual([expect.stringContaining('sales.old is a view in legacy SQL')]);
  // One token for all of it.
  expect(server.tokens).toBe(1);
});

test('patterns choose what is read', async () => {
  for (const [more, expected] of [
    [{ include: '*.s*les' }, ['sales']],
    [{ exclude: ['shop-prod.sales'] }, ['staging']],
    [{ projects: 'shop-prod', include: 'other' }, []],
  ] as const) {
    const { connector } = opened(more);
    const { resources } = await readSource(connector);
    await connector.close();
    const schemas = [...resources.values()].filter(({ kind }) => kind === 'schema');
    expect(schemas.map(({ title }) => title)).toEqual(expected);
  }
});

test('an answer is read page by page, and a statement that takes its time is asked for until it is done', async () => {
  const { server, connector } = opened();
  server.partRows = 7;
  server.polls = 3;
  const { rows } = await connector.query(
    'SELECT id, amount, placed_at, name FROM `shop-prod.sales.orders` ORDER BY 1',
    limits,
  );
  expect(rows).toHaveLength(500);
  expect(rows[9]).toEqual([10, '15.000000000', new Date('2026-01-01T10:00:00Z'), 'n10']);
  await connector.close();
});

test('a job that no one waits for is cancelled', async () => {
  const { server, connector } = opened();
  server.polls = 1_000_000;
  await expect(connector.query('SELECT 8', { timeoutMs: 700 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await expect.poll(() => server.cancelled).toEqual(['SELECT 8']);
  await connector.close();
});

test('throttling, a refused token and a lost connection run nothing twice', async () => {
  const { server, connector } = opened();
  await connector.query('SELECT 1', limits);
  const faults = [
    failed(403, 'rateLimitExceeded'),
    failed(503, 'backendError'),
    failed(401, 'authError'),
    { body: { half: 'an answer' }, cutAfter: 3 },
  ];
  server.fault = ({ url }) => (url.pathname === '/token' ? undefined : faults.shift());
  expect((await connector.query('SELECT 2', limits)).rows).toEqual([[2]]);
  expect(server.executed.filter((sql) => sql === 'SELECT 2')).toHaveLength(1);
  expect(server.tokens).toBe(2);
  await connector.close();
});

test('a statement that would read too much is not run, and how much that is is said', async () => {
  const { server, connector } = opened({ max_scan_gib: 2 });
  server.bytes = 3.5 * 1024 ** 3;
  await expect(connector.query('SELECT 1', limits)).rejects.toThrow(
    'it would read 3.50 GiB, and max_scan_gib allows 2 GiB',
  );
  server.bytes = 1.5 * 1024 ** 3;
  expect((await connector.query('SELECT 1', limits)).rows).toEqual([[1]]);
  await connector.close();
});

test('what a monitor would read is said before it runs', async () => {
  const { server } = opened();
  await using place = await openLivePlace('bigquery', credentials(server.http.port));
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const orders = (await place.resources('table')).find(({ title }) => title === 'orders');
  server.bytes = 123_456_789;
  const before = server.executed.length;
  const input = { targetId: orders?.id, metricType: 'row_count' };
  const ask = `mutation ($input: CreateMonitorInput!, $run: Boolean) {
    testMonitor(input: $input, run: $run) { outcome value message estimatedBytes } }`;
  const tried = async (run: boolean) =>
    (await place.catalog.graphql(ask, { input, run })).data.testMonitor;
  expect(await tried(false)).toEqual({
    ...{ outcome: 'ESTIMATED', value: null, message: null, estimatedBytes: 123_456_789 },
  });
  expect(server.executed.slice(before)).toEqual([]);
  expect(await tried(true)).toMatchObject({ outcome: 'MEASURED', estimatedBytes: 123_456_789 });
  // What it refuses to estimate it refuses.
  server.fault = ({ url }) =>
    url.pathname.endsWith('/queries')
      ? failed(400, 'invalidQuery', 'No such function.')
      : undefined;
  expect(await tried(false)).toMatchObject({ outcome: 'REFUSED', estimatedBytes: null });
}, 60_000);

test('what the server says is said in words, and no secret is in it', async () => {
  const { server, connector } = opened();
  for (const [answer, said] of [
    [failed(403, 'accessDenied'), 'accessDenied'],
    [failed(404, 'notFound'), 'notFound'],
    [{ status: 200, body: '<html>sign in</html>' }, 'not an answer of BigQuery'],
    [{ status: 302, headers: { location: 'http://127.0.0.1/' } }, 'redirect'],
    [failed(400, 'invalidQuery', 'it was token-1-of-the-account'), 'invalidQuery'],
  ] as const) {
    server.fault = ({ url }) => (url.pathname === '/token' ? undefined : answer);
    const error = await connector.query('SELECT 1', limits).catch((one) => one);
    expect(`${error.message} ${error.said ?? ''}`).toContain(said);
    expect(`${error.message} ${error.said ?? ''}`).not.toContain('token-1-of');
  }
  await connector.close();
});

test('an account that is not accepted is said, and a statement of it goes nowhere else', async () => {
  const { server, connector } = opened();
  server.fault = ({ url }) =>
    url.pathname === '/token' ? { status: 400, body: { error: 'invalid_grant' } } : undefined;
  const { ok, checks } = await connector.test();
  expect([ok, checks[0]?.message]).toEqual([false, expect.stringContaining('invalid_grant')]);
  await connector.close();
  const file = {
    ...JSON.parse(serviceAccount('127.0.0.1', 1)),
    token_uri: 'https://evil.example/token',
  };
  expect(() => opened({ service_account: JSON.stringify(file) })).toThrow('below googleapis.com');
  expect(() => opened({ service_account: '{"a":1}' })).toThrow('client_email');
  expect(() => opened({ service_account: JSON.stringify({ ...file, private_key: 'x' }) })).toThrow(
    'private_key cannot be read',
  );
});

test('a report says of each role whether it is there', async () => {
  const { server, connector } = opened();
  expect(await connector.test()).toMatchObject({ ok: true, version: 'BigQuery' });
  server.denied = /JOBS/;
  const { ok, checks } = await connector.test();
  expect(ok).toBe(true);
  expect(checks.find(({ name }) => name === 'history')).toMatchObject({
    ...{ state: 'limited', fix: expect.stringContaining('resourceViewer') },
  });
  await connector.close();
});

test('only queries are run, and no function that reaches elsewhere', async () => {
  const { server, connector } = opened();
  for (const sql of [
    'DELETE FROM t WHERE TRUE',
    'EXPORT DATA OPTIONS() AS SELECT 1',
    'SELECT 1; DROP TABLE t',
    `SELECT * FROM EXTERNAL_QUERY('c', 'SELECT 1')`,
    `SELECT * FROM ML.PREDICT(MODEL m, TABLE t)`,
    'BEGIN SELECT 1; END',
  ]) {
    await expect(connector.query(sql, limits), sql).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(server.executed).toEqual([]);
  await connector.close();
});

test('values are decoded by the schema, however deep', () => {
  const city = { name: 'city', type: 'STRING' };
  const address = { name: 'address', type: 'RECORD', mode: 'REPEATED', fields: [city] };
  for (const [cell, type, value] of [
    ['42', 'INTEGER', 42],
    ['9223372036854775807', 'INTEGER', 9223372036854775807n],
    ['NaN', 'FLOAT', Number.NaN],
    ['1.5', 'NUMERIC', '1.5'],
    ['true', 'BOOLEAN', true],
    ['1616173619123456', 'TIMESTAMP', new Date('2021-03-19T17:06:59.123Z')],
    ['2026-01-01', 'DATE', '2026-01-01'],
    [null, 'RECORD', null],
  ] as const) {
    expect(bigQueryValue(cell, { name: 'x', type }), type).toEqual(value);
  }
  const nested = { name: 'x', type: 'RECORD', fields: [{ name: 'n', type: 'INT64' }, address] };
  expect(bigQueryValue({ f: [{ v: '7' }, { v: [{ v: { f: [{ v: 'Bonn' }] } }] }] }, nested)).toBe(
    '{"n":7,"address":[{"city":"Bonn"}]}',
  );
});

test('a sync brings lineage, a second one changes nothing, and a monitor opens an incident', async () => {
  if (!fake) return;
  await expectSyncAndMonitor('bigquery', credentials(fake.http.port), [
    'shop-prod.sales.orders.amount > shop-prod.sales.large.twice',
    'shop-prod.sales.orders.amount > shop-prod.sales.daily.total',
  ]);
});
