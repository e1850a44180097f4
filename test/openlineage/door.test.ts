// The door for events: what it takes, from whom, and what is stored of it.

import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { rows } from '../../src/database/rows.ts';
import { namespaceOf } from '../../src/openlineage/events/dataset-name.ts';
import { createApiKey } from '../../src/people/api-key.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { expectNowhere } from './nowhere.ts';

const event = (more: object = {}) => ({
  ...{ eventType: 'COMPLETE', eventTime: '2026-01-31T09:30:00Z' },
  run: { runId: '0197a186-8ffc-73ac-b5c7-000000000071' },
  job: { namespace: 'shop', name: 'load_orders' },
  ...more,
});

const stored = (catalog: Catalog) =>
  rows<{ at: Date; body: Record<string, unknown> }>(
    catalog.admin,
    `select event_time as at, body from openlineage_event where workspace_id = $1::uuid order by event_time, hash`,
    [catalog.workspaceId],
  );

test.each(['/lineage', '/openlineage/lineage', '/lineage/batch', '/openlineage/lineage/batch'])(
  '%s takes one event, a list, and an object with a list',
  async (path) => {
    await using catalog = await openCatalog();
    const one = await catalog.rest('POST', path, { body: event() });
    expect([one.status, one.body]).toEqual([201, {}]);
    const job = { namespace: 'shop', name: 'other' };
    const list = await catalog.rest('POST', path, { body: [event({ job }), event()] });
    expect([list.status, list.body]).toEqual([200, { accepted: 2, rejected: [] }]);
    const events = { events: [event({ job: {} }), event({ eventTime: 'today' }), event()] };
    const many = await catalog.rest('POST', path, { body: events });
    expect([many.status, many.body]).toEqual([
      200,
      {
        accepted: 1,
        rejected: [
          { index: 0, message: expect.stringContaining('job.name') },
          { index: 1, message: expect.stringContaining('eventTime') },
        ],
      },
    ]);
    // The same event, sent again, is no other one.
    expect(await stored(catalog)).toHaveLength(2);
  },
);

test('what is no event is refused with the reason, and the reason is kept', async () => {
  await using catalog = await openCatalog();
  const refused = async (body: string) => {
    const answer = await catalog.rest('POST', '/lineage', { body });
    return [answer.status, answer.body.detail];
  };
  expect(await refused('{')).toEqual([400, expect.stringContaining('not JSON')]);
  expect(await refused('')).toEqual([400, expect.stringContaining('empty')]);
  expect(await refused('null')).toEqual([400, expect.stringContaining('eventTime')]);
  expect(await refused('7')).toEqual([400, expect.stringContaining('eventTime')]);
  expect(await refused(JSON.stringify(event({ job: { namespace: 'a' } })))).toEqual([
    400,
    'job.name: Send the name of the job, of 1 to 2000 characters.',
  ]);
  expect(await refused(JSON.stringify(event({ job: { name: 'x'.repeat(2_001) } })))).toEqual([
    400,
    expect.stringContaining('job.name'),
  ]);
  const many = Array.from({ length: 1_001 }, () => event());
  expect(await refused(JSON.stringify(many))).toEqual([400, expect.stringContaining('1,000')]);
  const kept = await rows<{ message: string }>(
    catalog.admin,
    'select message from openlineage_refusal where workspace_id = $1::uuid',
    [catalog.workspaceId],
  );
  expect(kept).toHaveLength(4);
  expect(await stored(catalog)).toEqual([]);
});

test.each([
  ['2026-01-31T09:30:00.123456789Z', '2026-01-31T09:30:00.123Z'],
  ['2026-01-31T09:30:00', '2026-01-31T09:30:00.000Z'],
  ['2026-01-31 09:30:00.5+02:00', '2026-01-31T07:30:00.500Z'],
  ['2020-12-28T19:52:00.001+10:00[Australia/Sydney]', '2020-12-28T09:52:00.001Z'],
  ['2026-01-31T09:30:00+0530', '2026-01-31T04:00:00.000Z'],
  ['2026-01-31T09:30Z', '2026-01-31T09:30:00.000Z'],
])('the time %s is taken', async (eventTime, at) => {
  await using catalog = await openCatalog();
  expect((await catalog.rest('POST', '/lineage', { body: event({ eventTime }) })).status).toBe(201);
  expect((await stored(catalog)).map((one) => one.at.toISOString())).toEqual([at]);
});

test.each(['9999-01-01T00:00:00Z', '0001-01-01T00:00:00Z', '2026-13-01T00:00:00Z', '1769851800'])(
  'the time %s is refused',
  async (eventTime) => {
    await using catalog = await openCatalog();
    const answer = await catalog.rest('POST', '/lineage', { body: event({ eventTime }) });
    expect(answer.status).toBe(400);
  },
);

test('a body is packed with gzip, and may hold 10 MiB, but no more', async () => {
  await using catalog = await openCatalog();
  const base = await catalog.listen();
  const send = (body: string | Buffer) =>
    fetch(`${base}/api/v1/lineage`, {
      method: 'POST',
      headers: { authorization: `Bearer ${catalog.keyOf('editor')}` },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
  const large = (bytes: number) =>
    JSON.stringify(
      event({ producer: 'x'.repeat(bytes - JSON.stringify(event({ producer: '' })).length) }),
    );
  expect((await send(gzipSync(JSON.stringify(event())))).status).toBe(201);
  expect((await send(large(10 * 1024 * 1024))).status).toBe(201);
  expect((await send(large(10 * 1024 * 1024 + 1))).status).toBe(413);
  expect((await send(gzipSync(large(11 * 1024 * 1024)))).status).toBe(413);
  expect((await send(Buffer.from([0x1f, 0x8b, 1, 2, 3]))).status).toBe(400);
  expect((await send(Buffer.from([0x7b, 0xff, 0x7d]))).status).toBe(400);
});

test('editors may report, and a key with REPORT can do nothing else', async () => {
  await using catalog = await openCatalog();
  const answers: Record<string, number> = {};
  for (const as of ['guest', 'viewer', 'editor', 'admin'] as const) {
    answers[as] = (
      await catalog.rest('POST', '/lineage', { body: event(), caller: { as } })
    ).status;
  }
  expect(answers).toEqual({ guest: 403, viewer: 403, editor: 201, admin: 201 });
  const { key } = await createApiKey(catalog.as('editor'), { name: 'airflow', scopes: ['REPORT'] });
  const caller = { key };
  expect((await catalog.rest('POST', '/lineage', { body: event(), caller })).status).toBe(201);
  expect((await catalog.rest('GET', '/table/tables', { caller })).status).toBe(403);
  const reads = await createApiKey(catalog.as('editor'), {
    name: 'reads',
    scopes: ['READ', 'WRITE'],
  });
  const refused = await catalog.rest('POST', '/lineage', {
    body: event(),
    caller: { key: reads.key },
  });
  expect(refused.status).toBe(403);
  expect(
    (await catalog.rest('POST', '/lineage', { body: event(), caller: { key: null } })).status,
  ).toBe(401);
});

test('no bound of keys holds for events: many at once are all taken', async () => {
  await using catalog = await openCatalog();
  await catalog.app({
    ...{ REQUESTS_PER_KEY: '1', RATE_LIMIT_WRITES_PER_MINUTE: '1', WRITE_BYTES_PER_DAY: '10' },
    UPLOADS_PER_MINUTE: '1',
  });
  const sent = await Promise.all(
    Array.from({ length: 60 }, (_, n) =>
      catalog.rest('POST', '/lineage', { body: event({ run: { runId: `run ${n}` } }) }),
    ),
  );
  expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([201]));
  expect(await stored(catalog)).toHaveLength(60);
});

test('a full queue is said with the time of a next try, and nothing is lost', async () => {
  await using catalog = await openCatalog();
  await catalog.app({ OPENLINEAGE_QUEUE_EVENTS: '2' });
  const list = (count: number, of: string) =>
    Array.from({ length: count }, (_, n) => event({ run: { runId: `${of} ${n}` } }));
  expect((await catalog.rest('POST', '/lineage', { body: list(2, 'a') })).status).toBe(200);
  const full = await catalog.rest('POST', '/lineage', { body: list(1, 'b') });
  expect(full.status).toBe(503);
  expect(Number(full.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(await stored(catalog)).toHaveLength(2);
});

test('facets that are not known are nowhere in the database, and neither are logins in addresses', async () => {
  await using catalog = await openCatalog({ alone: true });
  const secret = 'hunter2-zzsecret';
  const facets = (more: object = {}) => ({
    debezium_config: { configs: { 'database.password': secret } },
    'spark.logicalPlan': { plan: [secret] },
    environment_variables: { environmentVariables: [{ name: 'TOKEN', value: secret }] },
    spark_properties: { properties: { password: secret } },
    hive_properties: { password: secret },
    dataSource: { name: 'db', uri: `postgres://me:${secret}@db/shop` },
    jobRunParameters: { parameters: { password: secret } },
    ...more,
  });
  const dataset = (name: string) => ({
    ...{ namespace: `postgres://me:${secret}@db:5432?password=${secret}`, name, secret },
    facets: facets(),
    inputFacets: facets(),
    outputFacets: facets(),
  });
  const sent = await catalog.rest('POST', '/lineage', {
    body: event({
      job: {
        ...{ namespace: 'shop', name: 'load', password: secret },
        facets: facets({
          sourceCodeLocation: { url: `https://me:${secret}@git.example.com/a` },
          jobType: { integration: 'SPARK', processingType: 'BATCH', secret },
        }),
      },
      run: {
        runId: '1',
        facets: facets({ errorMessage: { message: 'It failed.', stackTrace: secret } }),
      },
      inputs: [dataset('shop.public.a')],
      outputs: [dataset('shop.public.b')],
      producer: `https://${secret}`,
      secret,
    }),
  });
  expect(sent.status).toBe(201);
  await expectNowhere(catalog, secret);
});

test.each([
  ['postgres://me:p@ss@db:5432', 'postgres://db:5432'],
  ['jdbc:postgresql://me:pass@db:5432/shop?password=pass', 'jdbc:postgresql://db:5432/shop'],
  [
    'abfss://container@account.dfs.core.windows.net',
    'abfss://container@account.dfs.core.windows.net',
  ],
  ['free words', 'free words'],
])('the namespace %s is kept as %s', (given, kept) => {
  expect(namespaceOf(given)).toBe(kept);
});
