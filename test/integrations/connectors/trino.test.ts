// Trino as a live source, against a server of ours that speaks its protocol.

import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { openTrinoConnector } from '../../../src/integrations/connectors/trino/trino.ts';
import { type Answer, type Asked, startFake } from './http-fake.ts';
import { columnsOf, loopback, readSource } from './read-source.ts';

const long = { timeoutMs: 30_000 };

/** What a small catalog answers to a statement. */
function rowsFor(sql: string): unknown[][] {
  if (sql === 'SELECT version()') return [['450']];
  if (/count\(\*\) FROM "hive"\.information_schema\.tables/.test(sql)) return [[2]];
  if (/enabled_roles$|system\.metadata|system\.runtime/.test(sql)) return [];
  if (/table_privileges/.test(sql)) return [[0]];
  if (/information_schema\.schemata/.test(sql)) return [['sales']];
  if (/information_schema\.tables/.test(sql)) {
    return [
      ['orders', 'BASE TABLE'],
      ['large', 'VIEW'],
    ];
  }
  if (/information_schema\.views/.test(sql)) return [['large', 'SELECT id FROM hive.sales.orders']];
  if (/information_schema\.columns/.test(sql)) {
    return [
      ['large', 'id', 'bigint', 1],
      ['orders', 'id', 'bigint', 1],
      ['orders', 'amount', 'decimal(10,2)', 2],
    ];
  }
  return [[1], [2], [3]];
}

/** The protocol: a page that says where the next one is, a page for each row, and a last one. */
function protocol(base = 'http://somewhere.else:1') {
  const statements: string[] = [];
  return ({ method, url, body }: Asked): Answer => {
    if (method === 'DELETE') return { status: 204 };
    if (method === 'POST') {
      const id = statements.push(body) - 1;
      return { body: { id: `q${id}`, nextUri: `${base}/v1/statement/queued/${id}/0` } };
    }
    const [id = 0, place = 0] = url.pathname.split('/').slice(-2).map(Number);
    const rows = rowsFor(statements[id] ?? '');
    const nextUri = `${base}/v1/statement/executing/${id}/${place + 1}?slug=x`;
    return {
      body: {
        id: `q${id}`,
        ...(place < rows.length ? { data: [rows[place]], nextUri } : {}),
      },
    };
  };
}

const open = (port: number, more: object = {}) =>
  openTrinoConnector(
    { id: `trino ${port}`, reach: loopback },
    { host: '127.0.0.1', port, user: 'réader', catalog: 'hive', ...more },
  );

test('it lists its schemas, tables, views and columns', async () => {
  await using fake = await startFake(protocol());
  const connector = open(fake.port);
  const all = await readSource(connector);
  await connector.close();
  expect(all.resources.get('table:hive.sales.orders')).toMatchObject({ nativeType: 'table' });
  expect(columnsOf(all, 'table:hive.sales.orders')).toEqual([
    ['id', 'bigint', false, undefined],
    ['amount', 'decimal(10,2)', false, undefined],
  ]);
  expect(all.resources.get('table:hive.sales.large')).toMatchObject({
    nativeType: 'view',
    creationQuery: 'CREATE VIEW "hive"."sales"."large" AS\nSELECT id FROM hive.sales.orders',
  });
});

test('an answer is fetched page by page, from the checked address alone', async () => {
  await using fake = await startFake(protocol());
  const connector = open(fake.port);
  expect((await connector.query('SELECT n FROM t', { timeoutMs: 2_000 })).rows).toEqual([
    [1],
    [2],
    [3],
  ]);
  await connector.close();
  const [first] = fake.asked;
  expect(first?.headers).toMatchObject({
    'x-trino-user': encodeURIComponent('réader'),
    'x-trino-catalog': 'hive',
    'x-trino-session': 'query_max_run_time=2s',
  });
  expect(fake.asked.map(({ url }) => url.pathname)).toEqual([
    '/v1/statement',
    '/v1/statement/queued/0/0',
    '/v1/statement/executing/0/1',
    '/v1/statement/executing/0/2',
    '/v1/statement/executing/0/3',
  ]);
});

test('a next page that is no page is not fetched', async () => {
  for (const nextUri of [
    'http://169.254.169.254/latest',
    'file:///etc/passwd',
    '/v1/statement/x',
    'x',
  ]) {
    await using fake = await startFake(() => ({ body: { nextUri } }));
    const connector = open(fake.port);
    await expect(connector.query('SELECT 1', long), nextUri).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(fake.asked.length).toBe(1);
    await connector.close();
  }
});

test('a report says what it is connected to', async () => {
  await using fake = await startFake(protocol());
  const connector = open(fake.port);
  expect(await connector.test()).toMatchObject({ ok: true, version: 'Trino 450' });
  await connector.close();
});

test('what a login can do beyond reading is said, as far as the server says it', async () => {
  const rightsBy = async (answers: Readonly<Record<string, unknown[][] | null>>) => {
    const answer = (sql: string) => {
      const found = Object.entries(answers).find(([part]) => sql.includes(part));
      return found ? found[1] : rowsFor(sql);
    };
    await using fake = await startFake(({ body }) => {
      const rows = answer(body);
      if (rows) return { body: { id: 'q', data: rows } };
      return { body: { error: { message: 'Access Denied', errorName: 'PERMISSION_DENIED' } } };
    });
    const connector = open(fake.port);
    const { checks } = await connector.test();
    await connector.close();
    return checks.find(({ name }) => name === 'rights');
  };
  expect(await rightsBy({})).toMatchObject({ state: 'ok', fix: null });
  for (const [part, rows, said] of [
    ['SELECT role_name FROM "hive".information_schema.enabled_roles', [['admin']], 'role admin'],
    ['table_privileges', [[7]], 'write to tables (7)'],
    ['system.metadata.catalogs', [['crm'], ['billing']], 'other catalogs (crm, billing)'],
  ] as const) {
    expect(await rightsBy({ [part]: rows.map((row) => [...row]) }), part).toMatchObject({
      state: 'limited',
      message: expect.stringContaining(said),
      fix: expect.stringContaining('SELECT'),
    });
    // What may not be asked is not known of it, and no reason to refuse the source.
    expect(await rightsBy({ [part]: null }), part).toMatchObject({ state: 'ok' });
  }
});

test('queries that ran lately are its history, and whether the login sees any is said', async () => {
  const asked: string[] = [];
  const rows = [['INSERT INTO daily SELECT * FROM orders', 3, 'etl', '2026-03-01T10:00:00.000Z']];
  await using fake = await startFake(({ body }) => {
    asked.push(body);
    const isHistory = body.includes('system.runtime.queries');
    return { body: { id: 'q', data: isHistory ? rows : rowsFor(body) } };
  });
  const connector = open(fake.port, { schema: 'sales' });
  const found = [];
  const since = new Date('2026-02-28T10:00:00Z');
  for await (const query of connector.queryHistory?.(since) ?? []) found.push(query);
  expect(found).toEqual([
    {
      ...{ sql: 'INSERT INTO daily SELECT * FROM orders', count: 3, counted: 'since', user: 'etl' },
      ...{ at: new Date('2026-03-01T10:00:00Z'), database: 'hive', schema: 'sales' },
    },
  ]);
  expect(asked[0]).toContain("TIMESTAMP '2026-02-28 10:00:00 UTC'");
  const historyOf = async () =>
    (await connector.test()).checks.find(({ name }) => name === 'query history');
  expect(await historyOf()).toMatchObject({ state: 'ok' });
  rows.length = 0;
  expect(await historyOf()).toMatchObject({
    state: 'limited',
    fix: expect.stringMatching(/access/),
  });
  await connector.close();
});

test('only queries are sent, one at a time', async () => {
  await using fake = await startFake(protocol());
  const connector = open(fake.port);
  for (const sql of [
    'INSERT INTO t VALUES (1)',
    'DELETE FROM t',
    'DROP TABLE t',
    'CALL system.runtime.kill_query(1)',
    'EXPLAIN ANALYZE DELETE FROM t',
    'START TRANSACTION READ WRITE',
    "EXECUTE IMMEDIATE 'DELETE FROM t'",
    'SELECT 1; DELETE FROM t',
  ]) {
    await expect(connector.query(sql, long), sql).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(fake.asked).toEqual([]);
  await connector.close();
});

test('an error of the statement is reported in its words', async () => {
  await using fake = await startFake(() => ({
    body: {
      error: { message: "line 1:1: Table 'x' does not exist", errorName: 'TABLE_NOT_FOUND' },
    },
  }));
  const connector = open(fake.port);
  await expect(connector.query('SELECT 1 FROM x', long)).rejects.toThrow(
    'it names a table that does not exist (TABLE_NOT_FOUND)',
  );
  await connector.close();
});

test('a statement that takes too long is cancelled on the server', async () => {
  await using fake = await startFake((asked) =>
    asked.url.pathname.includes('executing') && asked.method === 'GET'
      ? { hang: true }
      : protocol()(asked),
  );
  const connector = open(fake.port);
  const waiting = connector.query('SELECT 1', { timeoutMs: 200 });
  await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  await expect.poll(() => fake.asked.some(({ method }) => method === 'DELETE')).toBe(true);
  await connector.close();
});

test('a server that is busy is asked again, and one that stays so is left', async () => {
  let busy = 3;
  const answer = protocol();
  await using fake = await startFake((asked) => {
    busy -= 1;
    return busy >= 0 ? { status: 503 } : answer(asked);
  });
  const connector = open(fake.port);
  expect((await connector.query('SELECT 1', long)).rows.length).toBe(3);
  busy = Number.POSITIVE_INFINITY;
  await expect(connector.query('SELECT 1', { timeoutMs: 300 })).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });
  await connector.close();
});

test('a password is not sent where it could be read', async () => {
  await using fake = await startFake(protocol());
  const connector = open(fake.port, { password: 'hush-hush' });
  const { ok } = await connector.test();
  await connector.close();
  expect(ok).toBe(false);
  expect(fake.asked).toEqual([]);
});

test('many statements in a row on one signal leave no warning behind', async () => {
  await using fake = await startFake(protocol());
  const connector = open(fake.port);
  const { signal } = new AbortController();
  const warnings: string[] = [];
  const onWarning = ({ message }: Error) => warnings.push(message);
  process.on('warning', onWarning);
  for (let i = 0; i < 15; i += 1) await connector.query('select 1', { timeoutMs: 5_000, signal });
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  await connector.close();
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
