// Many imports at once: they wait for each other, and no one else for them.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeImportPlace } from '../../../src/database/connections/limits.ts';
import { rows } from '../../../src/database/rows.ts';
import { isReady } from '../../../src/http/health.ts';
import { runImport } from '../../../src/integrations/imports/import.ts';
import { importJsonl } from '../../../src/integrations/imports/sync.ts';
import { readResources } from '../../../src/integrations/readers/jsonl.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import { cancelJob, listJobs } from '../../../src/jobs/job.ts';
import { createTag } from '../../../src/tags/tag.ts';
import { openCatalog } from '../../catalog.ts';
import { feedJsonl, leftovers } from './feed.ts';

const imports = 12;
const tables = 3_000;

const lines = (prefix: string) => ({
  resources: Array.from({ length: tables }, (_, n) => ({
    ...{ entity_type: 'table', databuilder_id: `${prefix}${n}`, title: `${prefix} ${n}` },
    tags: ['shared', `of ${prefix}`],
  })),
  lineages: Array.from({ length: tables - 1 }, (_, n) => ({
    from_identifier: { internal_resource: { databuilder_id: `${prefix}${n}` } },
    to_identifier: { internal_resource: { databuilder_id: `${prefix}${n + 1}` } },
  })),
});

test('twelve imports at once on ten connections all end well, while readers are served', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 10 });
  const { database, admin } = catalog;
  const integrations = await Promise.all(
    Array.from({ length: imports }, () => catalog.integration()),
  );
  let most = 0;
  let isOver = false;
  let served = 0;
  const meanwhile = (async () => {
    for (let n = 0; !isOver; n++) {
      await rows(admin, 'select count(*) from tag');
      await createTag(admin, { name: `mine ${n}` });
      if (!isOver) served += 1;
      expect(await isReady(database)).toBe(true);
      const [running] = await rows<{ n: number }>(
        admin,
        `select count(distinct left(relname, 40))::integer as n from pg_class
          where relname like 'import\\_%' and relkind = 'r'`,
      );
      most = Math.max(most, running?.n ?? 0);
      await sleep(5);
    }
  })();
  const all = await Promise.all(
    integrations.map((integration, n) => feedJsonl(catalog, integration, lines(`i${n}-`))),
  );
  isOver = true;
  await meanwhile;
  for (const { created, lineage } of all) {
    expect([created, lineage.created]).toEqual([tables, tables - 1]);
  }
  // Two fifths of the connections.
  expect(most).toBe(4);
  // Anyone who waited for an import to end each time would be served twelve times at most.
  expect(served).toBeGreaterThan(2 * imports);
  const shared = await admin.database.prisma.tag.findMany({ where: { name: 'shared' } });
  expect(shared).toHaveLength(1);
  const tagged = { where: { tagIds: { has: shared[0]?.id ?? '' } } };
  expect(await admin.database.prisma.resource.count(tagged)).toBe(imports * tables);
  expect(await leftovers(catalog)).toEqual([]);
});

test('an import in line says so, and can be cancelled there', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 5 });
  const { pool } = catalog.database;
  const { signal } = new AbortController();
  const places = [1, 2].map(() => takeImportPlace(pool, signal, () => {}));
  const [first, second] = await Promise.all(places);
  const { id } = await catalog.integration();
  const resources = textSource('resources', '{"entity_type":"table","databuilder_id":"t"}');
  const imported = importJsonl(catalog.admin, id, { resources });
  const cancelled = expect(imported).rejects.toMatchObject({ code: 'CONFLICT' });
  const job = async () => (await listJobs(catalog.admin, {}, { first: 1 })).nodes[0];
  while ((await job())?.progressStep !== 'waiting for other imports') await sleep(20);
  await cancelJob(catalog.admin, (await job())?.id ?? '');
  await cancelled;
  expect(await job()).toMatchObject({ state: 'cancelled' });
  first?.[Symbol.dispose]();
  second?.[Symbol.dispose]();
  // The one that left the line took no place with it.
  const again = textSource('resources', '{"entity_type":"table","databuilder_id":"t"}');
  expect(await importJsonl(catalog.admin, id, { resources: again })).toMatchObject({ created: 1 });
});

test('a live source that takes its time keeps no import of a file waiting', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 5 });
  let answer = () => {};
  const answered = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const live = await Promise.all([1, 2, 3].map(() => catalog.integration()));
  const syncs = live.map((integration) =>
    runImport(catalog.admin, {
      integration,
      readDeclarations: null,
      extraction: (async function* () {
        await answered;
        yield* readResources(textSource('source', JSON.stringify(lines('live').resources[0])), {
          maxBytes: 1_000,
        });
      })(),
      ...{ file: 'source', title: 'Source', origin: 'IMPORT', isLive: true },
      covers: { resources: true, lineage: false, tests: false },
      ...{ stale: 'everything', isProject: false, dryRun: false },
      watch: { log() {}, progress() {} },
    }),
  );
  const integration = await catalog.integration();
  expect(await feedJsonl(catalog, integration, lines('file'))).toMatchObject({ created: tables });
  answer();
  for (const { created } of await Promise.all(syncs)) expect(created).toBe(1);
});
