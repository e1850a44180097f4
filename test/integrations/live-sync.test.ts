// Syncing with a live source, from the trigger to lineage: on a real PostgreSQL server.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import type { Job, Resource } from '../../src/generated/prisma/client.ts';
import { createIntegration, updateIntegration } from '../../src/integrations/integration.ts';
import { nextExtraction } from '../../src/integrations/syncs/next-time.ts';
import { startDueSyncs } from '../../src/integrations/syncs/schedule.ts';
import { startWorker, type Worker } from '../../src/jobs/worker.ts';
import { handlers } from '../../src/work.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { ended } from '../jobs/ended.ts';
import { startPostgres, type TestServer } from '../servers.ts';

let server: TestServer | null;
beforeAll(async () => {
  server = await startPostgres();
}, 60_000);
afterAll(async () => {
  await server?.[Symbol.asyncDispose]();
});

const warehouse = `
  drop schema if exists sales cascade;
  create schema sales;
  comment on schema sales is 'What was sold';
  create table sales.orders (id bigint primary key, amount numeric(10, 2), "Größe" text);
  comment on table sales.orders is 'One row an order';
  comment on column sales.orders.amount is 'Net, in euros';
  create table sales.items (order_id bigint references sales.orders, place integer,
    unique (order_id, place));
  create view sales.large as select id, amount * 2 as twice from sales.orders where amount > 100;
  create table sales.daily (id bigint, total numeric);
  create table sales."dot.t" ("dot.c" integer);
  create view sales.dotted as select "dot.c" as c from sales."dot.t";
  insert into sales.orders select i, i from generate_series(1, 500) i;
  analyze sales.orders;
  do $$ begin create role reader login password 'pässwörd-of-the-reader'; exception
    when duplicate_object then null; end $$;
  grant usage on schema sales to reader; grant select on all tables in schema sales to reader;
  grant pg_read_all_stats to reader;
  create extension if not exists pg_stat_statements; select pg_stat_statements_reset()`;

interface Place extends AsyncDisposable {
  readonly catalog: Catalog;
  readonly integrationId: string;
  readonly worker: Worker;
  resources(kind?: string): Promise<Resource[]>;
  sync(): Promise<Job>;
}

async function openPlace(credentials: object = {}): Promise<Place> {
  const catalog = await openCatalog({ alone: true });
  await catalog.app({ ALLOW_PRIVATE_HOSTS: '127.0.0.0/8' });
  const worker = startWorker({
    database: catalog.database,
    surroundings: catalog.surroundings,
    handlers,
    pollSeconds: 1,
    onError: (error) => console.error(error),
  });
  const { id } = await createIntegration(catalog.admin, {
    name: 'Warehouse',
    type: 'postgres',
    credentials: {
      host: '127.0.0.1',
      port: server?.port ?? 0,
      database: 'postgres',
      user: 'reader',
      password: 'pässwörd-of-the-reader',
      ...credentials,
    },
  });
  const trigger = `mutation ($id: ID!) { triggerSync(integrationId: $id) { id kind title state } }`;
  return {
    catalog,
    integrationId: id,
    worker,
    resources: (kind = 'table') =>
      catalog.database.prisma.resource.findMany({
        where: { workspaceId: catalog.workspaceId, kind },
        orderBy: { titleFull: 'asc' },
      }),
    async sync() {
      const answer = await catalog.graphql(trigger, { id });
      expect(answer.errors).toBeUndefined();
      return ended(catalog.admin, answer.data.triggerSync);
    },
    async [Symbol.asyncDispose]() {
      await worker.stop();
      await catalog[Symbol.asyncDispose]();
    },
  };
}
/** Wait until nothing of the workspace waits or runs. */
async function settled({ catalog }: Place): Promise<void> {
  const { prisma } = catalog.database;
  const busy = { workspaceId: catalog.workspaceId, state: { in: ['queued', 'running'] } };
  await expect.poll(() => prisma.job.count({ where: busy }), { timeout: 60_000 }).toBe(0);
}

test('a source becomes resources with lineage, stale and back again, and reveals no secret', async ({
  skip,
}) => {
  if (!server) return skip();
  await server.run(warehouse);
  await server.run('insert into sales.daily select id, sum(amount) from sales.orders group by id');
  await using place = await openPlace();
  const { catalog, integrationId } = place;
  expect(await place.sync()).toMatchObject({ state: 'succeeded', kind: 'sync' });
  await settled(place);
  expect((await place.resources()).map(({ title }) => title)).toEqual([
    'daily',
    'dot.t',
    'dotted',
    'items',
    'large',
    'orders',
  ]);
  const edges = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId },
    include: { source: true, target: true },
  });
  const drawn = edges.map(({ source, target }) => `${source.titleFull} > ${target.titleFull}`);
  expect(drawn).toContain('postgres.sales.orders.amount > postgres.sales.large.twice');
  expect(drawn).toContain('postgres.sales.orders.amount > postgres.sales.daily.total');
  expect(drawn).toContain('postgres.sales.dot.t.dot.c > postgres.sales.dotted.c');
  const queries = await place.resources('query');
  expect(queries.some(({ sql }) => sql?.startsWith('insert into sales.daily'))).toBe(true);

  await server.run('alter table sales.items rename to places');
  await place.sync();
  const stale = async () =>
    (await place.resources()).filter((table) => table.stale).map(({ title }) => title);
  expect(await stale()).toEqual(['items']);
  expect((await place.resources('query')).filter((query) => query.stale)).toEqual([]);
  await server.run('alter table sales.places rename to items');
  await place.sync();
  expect(await stale()).toEqual(['places']);

  const shown = await catalog.rest('GET', `/integration/integrations/${integrationId}`);
  expect(shown.body.credentials).toEqual({});
  const { prisma } = catalog.database;
  const kept = [await prisma.job.findMany(), await prisma.integration.findMany()];
  const said = JSON.stringify([
    shown.text,
    kept,
    await prisma.auditLog.findMany({ omit: { sequence: true } }),
  ]);
  expect(said).not.toContain('pässwörd-of-the-reader');
}, 180_000);

test('only one sync at a time, and only where there is something to read', async ({ skip }) => {
  if (!server) return skip();
  await using place = await openPlace();
  const { catalog, integrationId } = place;
  await place.worker.stop();
  const trigger = (id: string, as: 'admin' | 'editor' = 'admin') =>
    catalog.rest('POST', `/integration/transform/${id}/trigger/`, { caller: { as } });
  expect((await trigger(integrationId, 'editor')).status).toBe(403);
  expect((await trigger(integrationId)).status).toBe(204);
  expect((await trigger(integrationId)).status).toBe(409);
  for (const type of ['custom', 'dbt_core', 'looker', 'mysql']) {
    const { id } = await catalog.integration({ type });
    expect((await trigger(id)).status, type).toBe(400);
  }
}, 60_000);

test('a schedule makes one job for each instant', async ({ skip }) => {
  if (!server) return skip();
  await using place = await openPlace();
  await place.worker.stop();
  const { catalog, integrationId } = place;
  const { prisma } = catalog.database;
  const schedule = { scheduledExtractionsHour: 3, scheduledExtractionsFrequency: 6 };
  await updateIntegration(catalog.admin, integrationId, schedule);
  await prisma.integration.updateMany({
    data: { scheduledExtractionsNextRun: new Date('2024-01-01T03:00:00Z') },
  });
  const db = acrossWorkspaces(catalog.database);
  const now = new Date();
  expect(await startDueSyncs(db)).toEqual(
    nextExtraction({ type: 'postgres', hasCredentials: true, hour: 3, frequency: 6 }, now),
  );
  await startDueSyncs(db);
  expect(await prisma.job.count({ where: { kind: 'sync' } })).toBe(1);
}, 60_000);
