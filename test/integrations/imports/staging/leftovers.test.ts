// What a dead import left is dropped; what a living one works with is not.

import { expect, test } from 'vitest';
import { dropLeftovers } from '../../../../src/integrations/imports/staging/leftovers.ts';
import { openStage } from '../../../../src/integrations/imports/staging/open-stage.ts';
import { importCsv } from '../../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../../src/integrations/readers/source.ts';
import { openCatalog } from '../../../catalog.ts';
import { scratchTables } from '../../readers/shop.ts';

const csv = 'col_name,database,schema,name\nid,shop,public,orders\n';

test('an import in progress keeps its tables, no matter who looks', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { id } = await catalog.integration();
  let goOn = () => {};
  const wait = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const bytes = (async function* () {
    yield Buffer.from(csv);
    await wait;
  })();
  const importing = importCsv(catalog.admin, id, { file: 'file', bytes });
  // All that an import begins with.
  await expect.poll(() => scratchTables(catalog), { timeout: 10_000 }).toBe(8);
  const { database } = catalog;
  expect(await Promise.all([dropLeftovers(database), dropLeftovers(database)])).toEqual([0, 0]);
  expect(await scratchTables(catalog)).toBe(8);
  goOn();
  expect(await importing).toMatchObject({ created: 4 });
});

test('the tables of a dead import are dropped, once, also where its integration is gone', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId } = catalog;
  const [kept, gone] = [await catalog.integration(), await catalog.integration()];
  for (const { id } of [kept, gone]) await openStage(catalog.admin, id);
  await database.prisma.integration.delete({
    where: { workspaceId_id: { workspaceId, id: gone.id } },
  });
  // The job of a process that died, whose lease has run out.
  const dead = { workspaceId, kind: 'import', title: 'Dead', state: 'running' };
  const dedupeKey = `import:${kept.id}`;
  await database.prisma.job.create({ data: { ...dead, dedupeKey, leaseUntil: new Date(0) } });
  expect(await dropLeftovers(database)).toBe(2);
  expect(await scratchTables(catalog)).toBe(0);
  expect(await dropLeftovers(database)).toBe(0);
  const jobs = await database.prisma.job.findMany({ where: { workspaceId } });
  expect(jobs.map(({ title, state }) => [title, state])).toEqual([['Dead', 'failed']]);
  expect(await importCsv(catalog.admin, kept.id, textSource('file', csv))).toMatchObject({
    created: 4,
  });
});

test('a sync that waits for another worker keeps its key, and its tables are its own', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database, workspaceId } = catalog;
  const { id } = await catalog.integration();
  await openStage(catalog.admin, id);
  const data = { workspaceId, kind: 'sync', title: 'Sync', dedupeKey: `import:${id}` };
  const job = await database.prisma.job.create({ data });
  expect(await dropLeftovers(database)).toBe(0);
  expect(await scratchTables(catalog)).toBeGreaterThan(0);
  await database.prisma.job.delete({ where: { workspaceId_id: { workspaceId, id: job.id } } });
  expect(await dropLeftovers(database)).toBe(1);
});
