// Several catalogs of one Trino server as one source, on a server of ours that speaks its protocol.

import { expect, test } from 'vitest';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { openLivePlace } from '../warehouses/live-place.ts';
import { type Asked, startFake } from './http-fake.ts';

const tables: Readonly<Record<string, readonly string[]>> = {
  crm: ['people'],
  hive: ['orders', 'people_orders'],
  tpch: ['lineitem'],
};
const view = 'SELECT o.id, p.name FROM orders o JOIN crm.sales.people p ON p.id = o.person';
const columns = ['id', 'name', 'person'];

/** What the server answers to a statement, sent with a catalog for names without one. */
function rowsFor(sql: string, session: string): unknown[][] {
  if (sql === 'SELECT version()') return [['450']];
  if (sql.includes('system.metadata.catalogs')) return Object.keys(tables).map((name) => [name]);
  if (sql.includes('system.runtime.queries')) {
    return [['INSERT INTO crm.sales.people SELECT * FROM hive.sales.orders', 2, 'etl', null]];
  }
  const [, catalog = ''] = /"(\w+)"\.information_schema/.exec(sql) ?? [];
  const own = tables[catalog] ?? [];
  if (/enabled_roles$/.test(sql)) return [];
  if (/table_privileges/.test(sql)) return [[0]];
  if (/count\(\*\) FROM "\w+"\.information_schema\.tables/.test(sql)) return [[own.length]];
  if (/information_schema\.schemata/.test(sql)) return [['sales'], ['staging']];
  if (/'staging'/.test(sql)) return [];
  if (/information_schema\.tables/.test(sql)) {
    return own.map((name) => [name, name === 'people_orders' ? 'VIEW' : 'BASE TABLE']);
  }
  if (/information_schema\.views/.test(sql)) {
    return own.includes('people_orders') ? [['people_orders', view]] : [];
  }
  if (/information_schema\.columns/.test(sql)) {
    return own.flatMap((name) => columns.map((column, at) => [name, column, 'varchar', at + 1]));
  }
  return [[session === 'crm' ? 5 : 3]];
}

const answer = ({ body, headers }: Asked) => ({
  body: { id: 'q', data: rowsFor(body, String(headers['x-trino-catalog'])) },
});

test('the catalogs that patterns choose are read, and a monitor measures in its own', async () => {
  await using fake = await startFake(answer);
  await using place = await openLivePlace('trino', {
    ...{ host: '127.0.0.1', port: fake.port, user: 'reader', catalog: '*' },
    exclude: 'tpch, *.staging',
  });
  const { catalog, integrationId } = place;
  const report = `mutation ($id: ID!) { testConnection(integrationId: $id) { ok checks { name state message } } }`;
  const { data } = await catalog.graphql(report, { id: integrationId });
  expect(data.testConnection.ok).toBe(true);
  expect(data.testConnection.checks).toContainEqual({
    ...{ name: 'catalogs', state: 'ok', message: '2 are read: crm, hive.' },
  });
  // What is left out on purpose is still more than this login needs.
  expect(JSON.stringify(data)).toContain('read other catalogs (tpch)');

  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const found = await place.resources('table');
  expect(found.map(({ titleFull }) => titleFull)).toEqual([
    'crm.sales.people',
    'hive.sales.orders',
    'hive.sales.people_orders',
  ]);
  expect((await place.resources('schema')).map(({ titleFull }) => titleFull)).toEqual([
    'crm.sales',
    'hive.sales',
  ]);
  expect(await place.edges()).toEqual(
    expect.arrayContaining([
      'crm.sales.people.name > hive.sales.people_orders.name',
      'hive.sales.orders.id > hive.sales.people_orders.id',
      'hive.sales.orders.id > crm.sales.people.id',
    ]),
  );
  // The coordinator knows the queries of all catalogs: it is asked for them once.
  const history = (one: Asked) => /count\(\*\), max\("user"\)/.test(one.body);
  expect(fake.asked.filter(history)).toHaveLength(1);
  const versions = found.map(({ version }) => version);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect((await place.resources('table')).map(({ version }) => version)).toEqual(versions);

  const ids: string[] = [];
  for (const { id } of found.filter(({ title }) => title !== 'people_orders')) {
    const monitor = { targetId: id, metricType: 'row_count' } as const;
    ids.push((await createMonitor(catalog.admin, monitor)).id);
  }
  const quiet = { log: () => {}, progress: () => {} };
  const origin = { jobId: null, scheduled: false, fence: async () => {} };
  await runAndKeep(catalog.admin, ids, openConnector, origin, quiet);
  const measured = await Promise.all(ids.map((id) => getMonitor(catalog.admin, id)));
  expect(measured.map(({ lastMeasurementValue }) => lastMeasurementValue)).toEqual([5, 3]);
}, 60_000);

test('catalogs that are named are read without asking which there are', async () => {
  await using fake = await startFake(answer);
  await using place = await openLivePlace('trino', {
    ...{ host: '127.0.0.1', port: fake.port, user: 'reader', catalog: 'crm, tpch' },
  });
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect((await place.resources('table')).map(({ titleFull }) => titleFull)).toEqual([
    'crm.sales.people',
    'tpch.sales.lineitem',
  ]);
  expect(fake.asked.filter(({ body }) => body.includes('metadata.catalogs'))).toEqual([]);
}, 60_000);
