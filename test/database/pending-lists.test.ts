// What an import leaves for PostgreSQL to put into its indexes of lists and words.

import { expect, test } from 'vitest';
import { scratch } from '../../src/database/scratch.ts';
import { type Catalog, openCatalogOn } from '../catalog.ts';
import { openDatabaseAt } from '../database.ts';
import { feedJsonl } from '../integrations/imports/feed.ts';
import { makeDatabase } from './backups/databases.ts';

/** A catalog whose requests run as the owner of its tables, as on the packaged server. */
async function openOwned(): Promise<Catalog> {
  const target = await makeDatabase();
  const lineageMemory = { maxBytes: 0, waits: true };
  const opened = await openDatabaseAt(target.url, { lineageMemory });
  return openCatalogOn({
    ...opened,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await target[Symbol.asyncDispose]();
    },
  });
}

/** Put what waits into the indexes of resources; how many pages that were. */
async function pendingPages({ admin }: Catalog): Promise<number> {
  const [found] = await scratch<{ pages: number }>(
    admin,
    `select sum(gin_clean_pending_list(indexrelid))::integer as pages from pg_index i
      join pg_class c on c.oid = i.indexrelid join pg_am a on a.oid = c.relam
      where a.amname = 'gin' and i.indrelid in ('resource'::regclass, 'title_word'::regclass)`,
  );
  return found?.pages ?? -1;
}

test('after a large import nothing waits to be put into indexes, so they are used at once', async () => {
  await using catalog = await openOwned();
  const integration = await catalog.integration();
  const lines = (count: number, description: string) => ({
    resources: Array.from({ length: count }, (_, n) => ({
      ...{ entity_type: 'table', databuilder_id: `t${n}`, title: `table ${n}` },
      ...{ description: `${description} ${n}`, tags: [`tag ${n % 20}`] },
    })),
  });
  // A small one leaves it to autovacuum, which is off here.
  await feedJsonl(catalog, integration, lines(500, 'Small'));
  expect(await pendingPages(catalog)).toBeGreaterThan(0);

  await feedJsonl(catalog, integration, lines(2_000, 'Large'));
  expect(await pendingPages(catalog)).toBe(0);
});
