// Several databases of one PostgreSQL server as one source: synced together, and measured each where it lies.

import { expect, test } from 'vitest';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { startPostgres } from '../../servers.ts';
import { openLivePlace } from '../warehouses/live-place.ts';

test('the databases that patterns choose are read, and a monitor measures in its own', async ({
  skip,
}) => {
  await using server = await startPostgres();
  if (!server) return skip();
  await server.run("create role reader login; alter role reader set timezone to 'UTC'");
  const databases = { shop: 3, crm: 5, crm_old: 7, secret: 9 };
  for (const [name, rows] of Object.entries(databases)) {
    await server.run(`create database ${name}`);
    await server.run(
      `create table public.people (id integer); insert into people select generate_series(1, ${rows});
        create view public.all_people as select id from people;
        create schema staging; create table staging.raw (id integer);
        grant usage on schema staging to reader; grant select on all tables in schema public, staging to reader`,
      name,
    );
  }
  await server.run('revoke connect on database secret from public');
  await using place = await openLivePlace('postgres', {
    ...{ host: '127.0.0.1', port: server.port, database: '*', user: 'reader', password: 'x' },
    exclude: 'postgres, *_old, *.staging',
  });
  const { catalog, integrationId } = place;
  const report = `mutation ($id: ID!) { testConnection(integrationId: $id) { ok checks { name state message } } }`;
  const { data } = await catalog.graphql(report, { id: integrationId });
  expect(data.testConnection.ok).toBe(true);
  expect(data.testConnection.checks).toContainEqual({
    ...{ name: 'databases', state: 'ok', message: '2 are read: crm, shop.' },
  });
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  const tables = await place.resources('table');
  expect(tables.map(({ titleFull }) => titleFull)).toEqual([
    ...[
      'crm.public.all_people',
      'crm.public.people',
      'shop.public.all_people',
      'shop.public.people',
    ],
  ]);
  expect(await place.edges()).toEqual(
    expect.arrayContaining([
      'crm.public.people.id > crm.public.all_people.id',
      'shop.public.people.id > shop.public.all_people.id',
    ]),
  );
  const versions = tables.map(({ version }) => version);
  expect(await place.sync()).toMatchObject({ state: 'succeeded' });
  expect((await place.resources('table')).map(({ version }) => version)).toEqual(versions);

  const monitors = [];
  for (const { id, title } of tables) {
    if (title !== 'people') continue;
    monitors.push(await createMonitor(catalog.admin, { targetId: id, metricType: 'row_count' }));
  }
  const quiet = { log: () => {}, progress: () => {} };
  const origin = { jobId: null, scheduled: false, fence: async () => {} };
  const ids = monitors.map(({ id }) => id);
  await runAndKeep(catalog.admin, ids, openConnector, origin, quiet);
  const found = await Promise.all(ids.map((id) => getMonitor(catalog.admin, id)));
  expect(found.map(({ lastMeasurementValue }) => lastMeasurementValue)).toEqual([5, 3]);

  // A statement that is for no database, or for one that is left out, is not run.
  const source = await openConnector(catalog.admin, { id: integrationId, type: 'postgres' });
  for (const database of [undefined, 'crm_old', 'nothing']) {
    const asking = source.query('select 1', { timeoutMs: 5_000, database });
    await expect(asking, database).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
  await source.close();
}, 60_000);
