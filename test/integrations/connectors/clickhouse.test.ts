// ClickHouse as a live source, against a server of ours that speaks its HTTP interface.

import { expect, test } from 'vitest';
import { openClickHouseConnector } from '../../../src/integrations/connectors/clickhouse/clickhouse.ts';
import { type Answer, type Asked, startFake } from './http-fake.ts';
import { columnsOf, loopback, readSource } from './read-source.ts';

const long = { timeoutMs: 30_000 };
const data = (...rows: unknown[][]) => ({ body: { data: rows, rows: rows.length } });
const refusal = (code: number, message: string) => ({
  status: code === 164 ? 500 : 400,
  body: `Code: ${code}. DB::Exception: ${message}`,
});

/** A small warehouse. */
function warehouse({ body }: Asked): Answer {
  if (body === 'SHOW GRANTS') return data(['GRANT SELECT, SHOW ON shop.* TO reader']);
  if (body === 'SELECT version()') return data(['24.8.1']);
  if (/system\.enabled_roles/.test(body)) return data();
  if (/FROM system\.users/.test(body)) return refusal(497, 'Not enough privileges.');
  if (/FROM system\.databases/.test(body)) return data(['shop', 'What was sold']);
  if (/count\(\) FROM system\.tables/.test(body)) return data(['2']);
  if (/FROM system\.tables/.test(body) && /name > /.test(body)) return data();
  if (/FROM system\.tables/.test(body)) {
    const made = '2024-05-01 10:00:00';
    return data(
      [
        'large',
        'View',
        '',
        null,
        null,
        made,
        'CREATE VIEW shop.large AS SELECT id FROM shop.orders',
        '',
      ],
      ['orders', 'MergeTree', 'One row an order', '500', '4096', made, 'CREATE TABLE ...', 'id'],
    );
  }
  if (/FROM system\.columns/.test(body)) {
    return data(
      ['large', 'id', 'UInt64', '1', '', 0],
      ['orders', 'id', 'UInt64', '1', '', 1],
      ['orders', "o'name", 'Nullable(String)', '2', 'Quoted', 0],
    );
  }
  if (/FROM system\.query_log/.test(body)) {
    return data([
      'INSERT INTO daily SELECT id FROM orders',
      '3',
      'etl',
      '2024-05-02 11:00:00',
      'shop',
    ]);
  }
  return data([1]);
}

const open = (port: number, more: object = {}) =>
  openClickHouseConnector(
    { id: `clickhouse ${port}`, reach: loopback },
    { host: '127.0.0.1', port, user: 'reader', password: 'hush-hush', database: 'shop', ...more },
  );

test('it lists its databases as schemas, with tables, views and columns', async () => {
  await using fake = await startFake(warehouse);
  const connector = open(fake.port);
  const all = await readSource(connector);
  await connector.close();
  expect(all.resources.get('schema:clickhouse.shop')?.description).toBe('What was sold');
  expect(all.resources.get('table:clickhouse.shop.orders')).toMatchObject({
    nativeType: 'table',
    description: 'One row an order',
    rowCount: 500,
    byteSize: 4096,
    externalUpdatedAt: new Date('2024-05-01T10:00:00Z'),
    metadata: { engine: 'MergeTree', sorting_key: 'id' },
  });
  expect(columnsOf(all, 'table:clickhouse.shop.orders')).toEqual([
    ['id', 'UInt64', true, ''],
    ["o'name", 'Nullable(String)', false, 'Quoted'],
  ]);
  expect(all.resources.get('table:clickhouse.shop.large')).toMatchObject({
    nativeType: 'view',
    creationQuery: 'CREATE VIEW shop.large AS SELECT id FROM shop.orders',
  });
});

test('each statement says that it only reads and how long it may take, and who asks', async () => {
  await using fake = await startFake(warehouse);
  const connector = open(fake.port);
  expect(await connector.query('SELECT 1', { timeoutMs: 2_500 })).toEqual({ rows: [[1]] });
  await connector.close();
  const last = fake.asked.at(-1);
  expect(last?.method).toBe('POST');
  expect(last?.body).toBe('SELECT 1');
  expect(Object.fromEntries(last?.url.searchParams ?? [])).toMatchObject({
    database: 'shop',
    readonly: '1',
    max_execution_time: '2.5',
    cancel_http_readonly_queries_on_client_close: '1',
  });
  expect(last?.headers).toMatchObject({
    'x-clickhouse-user': 'reader',
    'x-clickhouse-key': 'hush-hush',
    host: `127.0.0.1:${fake.port}`,
  });
  // A secret in an address would stand in logs.
  expect(fake.asked.map(({ url }) => url.href).join()).not.toContain('hush');
});

test('the queries that ran are listed', async () => {
  await using fake = await startFake(warehouse);
  const connector = open(fake.port);
  const queries = [];
  for await (const query of connector.queryHistory?.(new Date('2024-05-01T00:00:00Z')) ?? []) {
    queries.push(query);
  }
  await connector.close();
  expect(queries).toEqual([
    {
      sql: 'INSERT INTO daily SELECT id FROM orders',
      count: 3,
      counted: 'since',
      user: 'etl',
      at: new Date('2024-05-02T11:00:00Z'),
      database: 'clickhouse',
      schema: 'shop',
    },
  ]);
  expect(fake.asked.at(-1)?.body).toContain("'2024-05-01 00:00:00'");
});

test('a login that may do everything is refused', async () => {
  for (const grant of [
    'GRANT ALL ON *.* TO default WITH GRANT OPTION',
    'GRANT SHOW, SELECT, SYSTEM, SOURCES ON *.* TO default',
    'GRANT READ ON FILE TO reader',
  ]) {
    await using fake = await startFake((asked) =>
      asked.body === 'SHOW GRANTS' ? data([grant]) : warehouse(asked),
    );
    const connector = open(fake.port);
    const { ok, checks } = await connector.test();
    expect(ok, grant).toBe(false);
    expect(checks.at(-1)?.fix).toContain('GRANT SELECT');
    await expect(connector.query('SELECT 1', long)).rejects.toThrow('refused');
    await connector.close();
  }
});

/** The check of a login's rights, by its grants and those of a role. */
async function rightsBy(
  grants: readonly string[],
  ofRole: readonly string[] = [],
  more = warehouse,
) {
  await using fake = await startFake((asked) => {
    if (asked.body === 'SHOW GRANTS') return data(...grants.map((grant) => [grant]));
    if (asked.body === 'SHOW GRANTS FOR `ana\\`lyst`') return data(...ofRole.map((one) => [one]));
    if (/system\.enabled_roles/.test(asked.body) && ofRole.length > 0) return data(['ana`lyst']);
    return more(asked);
  });
  const connector = open(fake.port);
  const { checks } = await connector.test();
  await connector.close();
  return checks.find(({ name }) => name === 'rights') ?? checks.find(({ name }) => name === 'role');
}

test('what a login can do beyond reading is said, by its grants and those of its roles', async () => {
  const reads = 'GRANT SELECT, SHOW ON shop.* TO reader';
  expect(await rightsBy([reads, 'GRANT SELECT(id, name) ON crm.people TO reader'])).toMatchObject({
    state: 'ok',
  });
  for (const [grant, said] of [
    ['GRANT SELECT, INSERT ON shop.* TO reader', 'write (INSERT on shop.*)'],
    ['GRANT ALTER DELETE ON shop.orders TO reader', 'write (ALTER DELETE on shop.orders)'],
    ['GRANT URL, S3 ON *.* TO reader', 'reach other servers from the source (URL, S3)'],
    ['GRANT READ ON S3 TO reader', 'reach other servers from the source (READ)'],
    ['GRANT SHOW USERS ON *.* TO reader', 'read secrets and password hashes (SHOW USERS)'],
    [
      'GRANT displaySecretsInShowAndSelect ON *.* TO reader',
      'read secrets and password hashes (displaySecretsInShowAndSelect)',
    ],
  ] as const) {
    const expected = { name: 'rights', state: 'limited', message: expect.stringContaining(said) };
    expect(await rightsBy([reads, grant]), grant).toMatchObject(expected);
    expect(await rightsBy([reads, 'GRANT `ana``lyst` TO reader'], [grant])).toMatchObject(expected);
  }
  const all = ['GRANT ALL ON *.* TO analyst'];
  expect(await rightsBy([reads], all)).toMatchObject({ name: 'role', state: 'missing' });
  const lists = (asked: Asked) =>
    /FROM system\.users/.test(asked.body) ? data(['default']) : warehouse(asked);
  expect((await rightsBy([reads], [], lists))?.message).toContain('the list of logins');
});

test('only queries are sent, one at a time', async () => {
  await using fake = await startFake(warehouse);
  const connector = open(fake.port);
  for (const sql of [
    'INSERT INTO orders VALUES (1)',
    'DROP TABLE orders',
    'SYSTEM SHUTDOWN',
    'KILL QUERY WHERE 1',
    'SELECT 1; DROP TABLE orders',
    'SET readonly = 0',
    'ALTER TABLE orders DELETE WHERE 1',
  ]) {
    await expect(connector.query(sql, long), sql).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  expect(fake.asked).toEqual([]);
  await connector.close();
});

test('a login whose profile is read-only is asked without settings', async () => {
  await using fake = await startFake((asked) =>
    asked.url.searchParams.has('readonly')
      ? refusal(164, "Cannot modify 'max_execution_time' setting in readonly mode")
      : warehouse(asked),
  );
  const connector = open(fake.port);
  expect(await connector.query('SELECT 1', long)).toEqual({ rows: [[1]] });
  await connector.close();
});

test('a redirect is not followed', async () => {
  await using elsewhere = await startFake(warehouse);
  await using fake = await startFake(() => ({
    status: 302,
    headers: { location: `http://127.0.0.1:${elsewhere.port}/` },
  }));
  const connector = open(fake.port);
  await expect(connector.query('SELECT 1', long)).rejects.toThrow('redirect');
  await connector.close();
  expect(elsewhere.asked).toEqual([]);
});

test('what the server says is reported without secrets', async () => {
  await using fake = await startFake(({ headers }) =>
    refusal(516, `Authentication failed for ${headers['x-clickhouse-key']}`),
  );
  const connector = open(fake.port);
  const report = await connector.test();
  await connector.close();
  expect(report.ok).toBe(false);
  expect(JSON.stringify(report)).toContain('Authentication failed');
  expect(JSON.stringify(report)).not.toContain('hush');
});

test('a server that does not answer is left, and learns so from the closed connection', async () => {
  for (const body of ['', '{"data": [']) {
    await using fake = await startFake((asked) =>
      asked.body === 'SHOW GRANTS' ? warehouse(asked) : { hang: true, body },
    );
    const connector = open(fake.port);
    await expect(connector.query('SELECT 2', { timeoutMs: 200 })).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await expect.poll(() => fake.abandoned.length).toBe(1);
    await connector.close();
  }
});

test('an answer in another format, or none, is an error of the source', async () => {
  for (const body of ['1\t2\n', '', '{"data": 5}', '[]', '<html>']) {
    await using fake = await startFake((asked) =>
      asked.body === 'SHOW GRANTS' ? warehouse(asked) : { body },
    );
    const connector = open(fake.port);
    await expect(connector.query('SELECT 2', long), body).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
    await connector.close();
  }
});

test('an answer larger than anybody needs is cut', async () => {
  await using fake = await startFake((asked) =>
    asked.body === 'SHOW GRANTS'
      ? warehouse(asked)
      : { body: 'x'.repeat(70 * 1024 * 1024), hang: true },
  );
  const connector = open(fake.port);
  await expect(connector.query('SELECT 2', long)).rejects.toThrow('64 MiB');
  await connector.close();
}, 30_000);

test('the code of a refusal is what the server calls it, never words of a row in brackets', async () => {
  const bodies = {
    "Code: 6. DB::Exception: Cannot parse '(SECRET)' as Float64. (CANNOT_PARSE_TEXT) (version 24.3.1.1 (official build))":
      'CANNOT_PARSE_TEXT',
    "Code: 6. DB::Exception: Cannot parse '(SECRET)' as Float64": 'Code: 6',
    'Bad gateway (SECRET) of a proxy': 'HTTP 400',
  };
  for (const [body, code] of Object.entries(bodies)) {
    await using fake = await startFake(() => ({ status: 400, body }));
    const connector = open(fake.port);
    const asked = connector.query('select 1', long);
    await expect(asked).rejects.toThrow(`(${code}).`);
    await expect(asked).rejects.not.toThrow('SECRET');
    await connector.close();
  }
});
