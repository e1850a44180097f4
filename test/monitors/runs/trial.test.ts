// A condition or query is tried on its source when a monitor is made or changed, and without making one.

import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import { measure } from '../../../src/monitors/runs/measure.ts';
import { readSubjects } from '../../../src/monitors/runs/subject.ts';
import { createTriedMonitor, testMonitor } from '../../../src/monitors/runs/trial.ts';
import { parsePrivateHosts } from '../../../src/network/address.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { startPostgres, type TestServer } from '../../servers.ts';

let server: TestServer | null = null;
beforeAll(async () => {
  server = await startPostgres();
  await server?.run('create database shop');
  await server?.run(
    `create role reader login;
     create table orders (id int, status text, amount numeric);
     insert into orders select n, case when n > 30 then 'paid' else 'open' end, n from generate_series(1, 40) n;
     grant select on orders to reader`,
    'shop',
  );
});
afterAll(() => server?.[Symbol.asyncDispose]());

/** A table of a source at a port, and a column of it. */
async function orders(catalog: Catalog, port: number) {
  catalog.surroundings.reach = { privateHosts: parsePrivateHosts('127.0.0.0/8'), filesDir: null };
  const { id } = await createIntegration(catalog.admin, {
    type: 'postgres',
    credentials: { host: '127.0.0.1', port, database: 'shop', user: 'reader', password: 'none' },
  });
  const { prisma } = catalog.database;
  const place = { integrationId: id, databaseName: 'shop', schemaName: 'public' };
  const table = await catalog.resource({ title: 'orders' });
  const parentId = table.id;
  const column = await catalog.resource({
    ...{ kind: 'column', parentId, title: 'amount', type: 'numeric' },
  });
  for (const { id } of [table, column]) {
    await prisma.resource.update({
      where: { workspaceId_id: { workspaceId: catalog.workspaceId, id } },
      data: place,
    });
  }
  return { table: table.id, column: column.id };
}

const count = (catalog: Catalog) =>
  catalog.database.prisma.monitor.count({ where: { workspaceId: catalog.workspaceId } });

const create = `mutation ($input: CreateMonitorInput!) {
  createMonitor(input: $input) { id version lastErrorMessage status }
}`;
const trial = `mutation ($input: CreateMonitorInput!) {
  testMonitor(input: $input) { outcome value message warning }
}`;

test('a table that somebody locks is no reason to refuse a condition, and is asked once', async ({
  skip,
}) => {
  const { port } = server ?? skip('PostgreSQL is not installed.');
  await using catalog = await openCatalog();
  const { column } = await orders(catalog, port);
  const locking = new pg.Client({ host: '127.0.0.1', port, user: 'owner', database: 'shop' });
  locking.on('error', () => {});
  await locking.connect();
  await locking.query('begin; lock table orders in access exclusive mode');
  const made = [];
  for (const metricType of ['minimum', 'maximum', 'mean']) {
    const where = metricType === 'minimum' ? { metricConfig: { where: "status = 'paid'" } } : {};
    made.push(await createTriedMonitor(catalog.admin, { targetId: column, metricType, ...where }));
  }
  const words = 'A table is locked by someone else at the source. Try again later.';
  expect(made[0]?.lastErrorMessage).toBe(`Tried when it was saved: ${words}`);

  const statements: string[] = [];
  const subjects = await readSubjects(
    catalog.admin,
    made.slice(1).map(({ id }) => id),
  );
  const openCounting = async (...[ctx, integration]: Parameters<typeof openConnector>) => {
    const connector = await openConnector(ctx, integration);
    return {
      dialect: connector.dialect,
      close: () => connector.close(),
      query: (sql: string, options: Parameters<typeof connector.query>[1]) => {
        statements.push(sql);
        return connector.query(sql, options);
      },
    };
  };
  for await (const { readings } of measure(catalog.admin, subjects, openCounting)) {
    for (const reading of readings.values()) expect(reading).toEqual({ error: words, why: 'away' });
  }
  // Both together, one alone: the other is not asked for again.
  expect(statements).toHaveLength(2);
  await locking.end();
});

test('a column of times that is not there is said at once', async ({ skip }) => {
  const { port } = server ?? skip('PostgreSQL is not installed.');
  await using catalog = await openCatalog();
  const { table } = await orders(catalog, port);
  const input = { targetId: table, metricType: 'freshness' };
  const made = await createTriedMonitor(catalog.admin, {
    ...input,
    metricConfig: { timestamp_column: 'laoded_at' },
  });
  expect(made.lastErrorMessage).toBe(
    'Tried when it was saved: No freshness source: there is no column laoded_at.',
  );
  const wrongType = { ...input, metricConfig: { timestamp_column: 'amount' } };
  await expect(createTriedMonitor(catalog.admin, wrongType)).rejects.toMatchObject({
    fields: [{ field: 'metric_config.timestamp_column' }],
  });
});

test('booleans, dates and texts are measured, and a pattern the source refuses is refused', async ({
  skip,
}) => {
  const { port } = server ?? skip('PostgreSQL is not installed.');
  await using catalog = await openCatalog();
  await server?.run(
    `drop table if exists people;
     create table people (email text, is_active boolean, born date);
     insert into people values ('a@example.com', true, current_date - 10), ('none', false, current_date + 10),
       (null, null, null), ('b@example.com', true, current_date), ('B@EXAMPLE.COM', true, 'infinity');
     grant select on people to reader`,
    'shop',
  );
  const { table, column } = await orders(catalog, port);
  const { prisma, workspaceId } = { ...catalog.database, ...catalog };
  const rename = async (id: string, data: { title: string; type?: string }) => {
    await prisma.resource.update({ where: { workspaceId_id: { workspaceId, id } }, data });
  };
  await rename(table, { title: 'people' });
  const measured = async (title: string, type: string, metricType: string, more = {}) => {
    await rename(column, { title, type });
    const input = { targetId: column, metricType, ...more };
    const { data } = await catalog.graphql(trial, { input });
    return data?.testMonitor;
  };
  expect(await measured('is_active', 'boolean', 'true_percentage')).toMatchObject({ value: 75 });
  const days = async (metricType: string) => {
    const found = await measured('born', 'date', metricType);
    return [Math.floor(found.value / 86_400), found.warning];
  };
  // Infinity is no date; what lies ahead is less than 0.
  expect(await days('oldest_age')).toEqual([10, 'Left out: 1 value that is NaN or infinity.']);
  expect(await days('newest_age')).toEqual([-10, 'Left out: 1 value that is NaN or infinity.']);
});

test('what the source refuses is refused, and what it takes is made', async ({ skip }) => {
  const { port } = server ?? skip('PostgreSQL is not installed.');
  await using catalog = await openCatalog();
  const { table, column } = await orders(catalog, port);
  const refusals = [
    [{ targetId: table, metricType: 'row_count', metricConfig: { where: 'stat = 1' } }, 'where'],
    [
      {
        targetId: table,
        metricType: 'custom_sql',
        metricConfig: { querySelect: 'select count(*) from order' },
      },
      'querySelect',
    ],
    [{ targetId: column, metricType: 'mean', metricConfig: { where: 'amount = true' } }, 'where'],
  ] as const;
  for (const [input, field] of refusals) {
    const { errors } = await catalog.graphql(create, { input });
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
    expect(errors?.[0]?.message).toContain(`metricConfig.${field}: The source refused`);
    const tried = await catalog.graphql(trial, { input });
    expect(tried.data.testMonitor).toMatchObject({ outcome: 'REFUSED', value: null });
  }
  expect(await count(catalog)).toBe(0);

  const where = { where: "status = 'paid'" };
  const input = { targetId: table, metricType: 'row_count', metricConfig: where };
  const tried = await catalog.graphql(trial, { input });
  expect(tried.data.testMonitor).toMatchObject({ outcome: 'MEASURED', value: 10, message: null });
  expect(await count(catalog)).toBe(0);
  const made = await catalog.graphql(create, { input });
  expect(made.data.createMonitor).toMatchObject({ lastErrorMessage: '', status: 'pending' });

  const { id } = made.data.createMonitor;
  const change = await catalog.rest('PATCH', `/monitor/monitors/${id}`, {
    body: { metric_config: { where: 'stat = 1' } },
  });
  expect([change.status, change.body.errors[0].field]).toEqual([400, 'metric_config.where']);
  const other = await catalog.rest('PATCH', `/monitor/monitors/${id}`, { body: { name: 'Paid' } });
  expect(other.status).toBe(200);
});

test('no value is no refusal: it is said, and the monitor is made', async ({ skip }) => {
  const { port } = server ?? skip('PostgreSQL is not installed.');
  await using catalog = await openCatalog();
  const { column } = await orders(catalog, port);
  const body = { target: column, metric_type: 'mean', metric_config: { where: 'id < 0' } };
  const tried = await catalog.rest('POST', '/monitor/monitors/test', { body });
  expect(tried.body).toEqual({
    outcome: 'FAILED',
    value: null,
    message: 'The metric returned no value.',
    estimated_bytes: null,
  });
  const made = await catalog.rest('POST', '/monitor/monitors', { body });
  expect([made.status, made.body.last_error_message]).toEqual([
    201,
    'Tried when it was saved: The metric returned no value.',
  ]);
});

test('a source that does not answer is said, and is no reason to refuse', async () => {
  await using catalog = await openCatalog();
  const { table } = await orders(catalog, 9);
  const body = { target: table, metric_type: 'row_count', metric_config: { where: 'stat = 1' } };
  const tried = await catalog.rest('POST', '/monitor/monitors/test', { body });
  expect(tried.body).toMatchObject({ outcome: 'NO_ANSWER', value: null });
  const made = await catalog.rest('POST', '/monitor/monitors', { body });
  expect([made.status, made.body.last_error_message]).toEqual([
    201,
    'Tried when it was saved: Nothing listens at the host and port of the source.',
  ]);
  const plain = await catalog.rest('POST', '/monitor/monitors', {
    body: { target: table, metric_type: 'row_count' },
  });
  expect(plain.body.last_error_message).toBe('');
});

test('a monitor of what no source can be asked about says so when it is made', async () => {
  await using catalog = await openCatalog();
  const { id: integrationId } = await catalog.integration({ type: 'custom' });
  const uploaded = await catalog.resource({ title: 'uploaded', integrationId });
  const alone = await catalog.resource({ title: 'alone' });
  const said = async (target: string, metric_type = 'row_count') => {
    const body = { target, metric_type };
    const made = await catalog.rest('POST', '/monitor/monitors', { body });
    return [made.status, made.body.status, made.body.last_error_message];
  };
  expect(await said(uploaded.id)).toEqual([
    201,
    'pending',
    expect.stringMatching(
      /^It cannot be measured: An integration of type custom is fed by uploads/,
    ),
  ]);
  expect(await said(alone.id)).toEqual([
    201,
    'pending',
    expect.stringMatching(/^It cannot be measured: The target belongs to no integration/),
  ]);
  // What is measured of uploaded runs needs no source.
  expect(await said(uploaded.id, 'job_duration')).toEqual([201, 'pending', '']);
});

test('a source that takes too long is left after a while', async () => {
  await using catalog = await openCatalog();
  const { table } = await orders(catalog, 9);
  let closed = 0;
  const open = async () => ({
    dialect: 'postgres' as const,
    query: (_sql: string, { signal }: { readonly signal?: AbortSignal | undefined }) =>
      new Promise<never>((_, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    close: async () => {
      closed += 1;
    },
  });
  const metricConfig = { where: 'id > 0' };
  const input = { targetId: table, metricType: 'row_count', metricConfig };
  const options = { open, timeoutMs: 50 };
  const message = 'The source did not answer within 0.05 s.';
  expect(await testMonitor(catalog.admin, input, options)).toEqual({
    ...{ outcome: 'NO_ANSWER', value: null, message, estimatedBytes: null },
  });
  const made = await createTriedMonitor(catalog.admin, input, options);
  expect(made.lastErrorMessage).toBe(`Tried when it was saved: ${message}`);
  expect(closed).toBe(2);
});

test('viewers try nothing, and no one what they may not see', async () => {
  await using catalog = await openCatalog();
  const { table } = await orders(catalog, 9);
  const input = { targetId: table, metricType: 'row_count' };
  const refused = await catalog.graphql(trial, { input }, { as: 'viewer' });
  expect(refused.errors?.[0]?.extensions).toMatchObject({ code: 'FORBIDDEN' });
  await using other = await openCatalog();
  const unseen = await other.graphql(trial, { input });
  expect(unseen.errors?.[0]?.extensions).toMatchObject({ code: 'BAD_REQUEST' });
});
