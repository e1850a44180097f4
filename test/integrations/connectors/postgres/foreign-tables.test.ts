// Foreign tables of a real PostgreSQL server: their data comes from tables of another database.

import { expect, test } from 'vitest';
import { createIntegration } from '../../../../src/integrations/integration.ts';
import { startPostgres } from '../../../servers.ts';
import { openLivePlace } from '../../warehouses/live-place.ts';

test('a foreign table and its columns are made of those that it shows, until it shows others', async ({
  skip,
}) => {
  await using server = await startPostgres();
  if (!server) return skip();
  const wrapper = `select 1 from pg_available_extensions where name = 'postgres_fdw'`;
  if ((await server.run(wrapper)).length === 0) return skip();
  await server.run('create database till');
  await server.run('create database shop');
  await server.run(
    `create schema web; create table web.visits (id bigint, at timestamptz); create table web.other (id bigint);
    create role reader login password 'x'; grant usage on schema web to reader;
    grant select on all tables in schema web to reader`,
    'till',
  );
  await server.run(
    `create extension postgres_fdw; create server till foreign data wrapper postgres_fdw options (dbname 'till');
    create schema near; create foreign table near.visits (key bigint options (column_name 'id'), at timestamptz)
      server till options (schema_name 'web');
    grant usage on schema near to reader; grant select on all tables in schema near to reader`,
    'shop',
  );
  const login = (database: string) => ({
    ...{ host: '127.0.0.1', port: server.port, database, user: 'reader', password: 'x' },
  });
  await using till = await openLivePlace('postgres', login('till'));
  expect(await till.sync()).toMatchObject({ state: 'succeeded' });
  const { id } = await createIntegration(till.catalog.admin, {
    ...{ name: 'Shop', type: 'postgres', credentials: login('shop') },
  });
  const sync = () => till.sync(id);
  expect(await sync()).toMatchObject({ state: 'succeeded' });
  const edges = [
    'till.web.visits > shop.near.visits',
    'till.web.visits.at > shop.near.visits.at',
    'till.web.visits.id > shop.near.visits.key',
  ];
  expect(await till.edges()).toEqual(edges);
  const { workspaceId, database } = till.catalog;
  const kept = await database.prisma.lineageEdge.findMany({ where: { workspaceId } });
  expect(new Set(kept.map(({ origin }) => origin))).toEqual(new Set(['SOURCE']));
  expect(await sync()).toMatchObject({ state: 'succeeded' });
  expect(await till.edges()).toEqual(edges);
  await server.run(
    `alter foreign table near.visits options (add table_name 'other'); alter foreign table near.visits drop column at`,
    'shop',
  );
  expect(await sync()).toMatchObject({ state: 'succeeded' });
  expect(await till.edges()).toEqual([
    'till.web.other > shop.near.visits',
    'till.web.other.id > shop.near.visits.key',
  ]);
}, 120_000);
