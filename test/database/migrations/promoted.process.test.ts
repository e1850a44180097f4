// A standby that takes over before its first restartpoint, when it has on disk only what replay itself flushed.

import { expect, test } from 'vitest';
import { createLineage } from '../../../src/lineage/edge.ts';
import { archiveResource } from '../../../src/resources/editing/archive.ts';
import { type Catalog, openCatalogOn } from '../../catalog.ts';
import { openDatabaseAt } from '../../database.ts';
import { feedJsonl } from '../../integrations/imports/feed.ts';
import { postgresProgram, startPostgres, startStandby, type TestServer } from '../../servers.ts';
import { migrationsBefore } from './older.ts';

const isInstalled = postgresProgram('pg_basebackup') !== undefined;

/** No checkpoint of their own for as long as the test takes. */
const rare = ['checkpoint_timeout=1h', 'max_wal_size=4GB'];

/** A server that was promoted while it had replayed a first start of some migrations, and not one checkpoint more. */
async function promoteAfterStart(migrations?: string): Promise<TestServer & { url: string }> {
  const primary = await startPostgres(rare);
  if (!primary) throw new Error('There is no PostgreSQL.');
  try {
    await primary.run(`create role headwater login; alter database postgres owner to headwater;
      alter schema public owner to headwater`);
    const standby = await startStandby(primary, rare);
    if (!standby) throw new Error('There is no PostgreSQL.');
    const urlOf = ({ port }: TestServer) => `postgresql://headwater@127.0.0.1:${port}/postgres`;
    await using _migrated = await openDatabaseAt(urlOf(primary), {
      ...(migrations && { migrations }),
    });
    // By SQL: the program of today knows columns that an older version lacks.
    await primary.run(`insert into workspace (id, name) values (gen_random_uuid(), 'Before')`);
    const lag = async () =>
      standby.run(`select '${await place(primary)}'::pg_lsn <= pg_last_wal_replay_lsn() as there`);
    await expect.poll(lag).toEqual([{ there: true }]);
    await standby.run('select pg_promote()');
    return { ...standby, url: urlOf(standby) };
  } finally {
    await primary[Symbol.asyncDispose]();
  }
}

async function place(primary: TestServer): Promise<string> {
  const [row] = await primary.run('select pg_current_wal_lsn()::text as place');
  return typeof row === 'object' && row !== null && 'place' in row ? String(row.place) : '';
}

/** Every kind of change that something unlogged is written in. */
async function changeEverything(catalog: Catalog): Promise<void> {
  await catalog.app({ RATE_LIMIT_WRITES_PER_MINUTE: '1000' });
  const [from, to] = [await catalog.resource(), await catalog.resource()];
  await createLineage(catalog.admin, { fromId: from.id, toId: to.id });
  expect((await catalog.rest('POST', '/tag', { body: { name: 'counted' } })).status).toBe(201);
  await archiveResource(catalog.admin, to.id);
  const key = 'pg/shop/public/orders';
  const line = { entity_type: 'table', databuilder_id: key, title: 'orders' };
  await feedJsonl(catalog, await catalog.integration(), { resources: [line], lineages: [] });
  expect(catalog.unexpected).toEqual([]);
}

test.skipIf(!isInstalled)('takes every change at once', async () => {
  await using promoted = await promoteAfterStart();
  await using catalog = await openCatalogOn(await openDatabaseAt(promoted.url));
  await changeEverything(catalog);
});

test.skipIf(!isInstalled)('takes changes again where an older version is upgraded', async () => {
  using older = migrationsBefore('20261126150100_logged_sequence');
  await using promoted = await promoteAfterStart(older.folder);
  await using catalog = await openCatalogOn(await openDatabaseAt(promoted.url));
  await changeEverything(catalog);
});
