// People who read and write while an import is under way: no one waits before its last steps.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { failureOf } from '../../../src/database/failure.ts';
import { scratch } from '../../../src/database/scratch.ts';
import { transaction } from '../../../src/database/transaction.ts';
import { deleteIntegration } from '../../../src/integrations/delete-integration.ts';
import { importJsonl } from '../../../src/integrations/imports/sync.ts';
import { updateIntegration } from '../../../src/integrations/integration.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import { enqueueJob } from '../../../src/jobs/job.ts';
import { createLineage, deleteLineage, listLineageEntries } from '../../../src/lineage/edge.ts';
import { archiveResource, restoreResource } from '../../../src/resources/editing/archive.ts';
import { createResource, updateResource } from '../../../src/resources/editing/edit.ts';
import { createQuestion } from '../../../src/resources/questions/question.ts';
import { createTag, deleteTag, updateTag } from '../../../src/tags/tag.ts';
import { archiveTeam } from '../../../src/teams/archive.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { counts, feedJsonl, listening, refusal } from './feed.ts';
import { untilSomebodyWaits } from './planning/meanwhile.ts';

const table = (key: string, more: object = {}) => ({
  ...{ entity_type: 'table', databuilder_id: key, title: key },
  ...more,
});
const edge = (from: string, to: string) => ({
  from_identifier: { internal_resource: { databuilder_id: from } },
  to_identifier: { internal_resource: { databuilder_id: to } },
});

async function idsOf(catalog: Catalog, integrationId: string): Promise<Map<string, string>> {
  const found = await catalog.database.prisma.resource.findMany({
    where: { workspaceId: catalog.workspaceId, integrationId },
    select: { id: true, databuilderId: true },
  });
  return new Map(found.map(({ id, databuilderId }) => [databuilderId ?? '', id]));
}

/** Fails unless something is done while the import stands still. */
async function soon<T>(what: string, work: Promise<T>, withinMs = 20_000): Promise<T> {
  const late = sleep(withinMs, 'late' as const, { ref: false });
  const first = await Promise.race([work.then((value) => ({ value })), late]);
  if (first === 'late') throw new Error(`${what} had to wait.`);
  return first.value;
}

/** Hold a row of the catalog as somebody does who is changing it, until told otherwise. */
async function holding(catalog: Catalog, id: string) {
  let letGo = () => {};
  const gone = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let held = () => {};
  const isHeld = new Promise<void>((resolve) => {
    held = resolve;
  });
  const done = transaction(catalog.admin, async (tx) => {
    await updateResource(tx, id, { pii: true });
    held();
    await gone;
  });
  await Promise.race([isHeld, done]);
  return {
    async letGo() {
      letGo();
      await done;
    },
  };
}

/** Just more than are written besides the reading of their lineage. */
const many = 10_010;

test('while an import writes and reads, everybody else goes on as if there were none', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 10 });
  const { admin } = catalog;
  const gone = await catalog.team();
  const integration = await catalog.integration({ teamIds: [gone.id] });
  const keys = Array.from({ length: many }, (_, n) => `t${n}`);
  const first = {
    resources: keys.slice(0, 50).map((key) => table(key, { description: 'Old.', tags: ['known'] })),
    lineages: [edge('t0', 't1'), edge('t1', 't2'), edge('t2', 't3')],
  };
  await feedJsonl(catalog, integration, first);
  const ids = await idsOf(catalog, integration.id);
  const id = (key: string) => ids.get(key) ?? '';
  const { id: known } = await admin.database.prisma.tag.findFirstOrThrow({
    where: { name: 'known' },
  });
  const other = await catalog.tag({ name: 'other' });

  // The second file changes all of these but the last two, and more come with them.
  const lines = keys.map((key) => table(key, { description: 'New.', tags: ['known', 'fresh'] }));
  let goOn = () => {};
  const opened = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let written = () => {};
  const isWritten = new Promise<void>((resolve) => {
    written = resolve;
  });
  const lineages = (async function* () {
    yield Buffer.from(`${JSON.stringify(edge('t0', 't1'))}\n`);
    await opened;
    yield Buffer.from(`${JSON.stringify(edge('t5', 't6'))}\n`);
  })();
  const resources = lines.slice(0, 48).concat(lines.slice(50));
  const read: number[] = [];
  const imported = importJsonl(
    admin,
    integration.id,
    {
      resources: textSource('resources', resources.map((line) => JSON.stringify(line)).join('\n')),
      lineages: { file: 'lineages', bytes: lineages },
    },
    {
      watch: {
        log() {},
        progress(step, done, total) {
          if (step === 'writing resources' && done === total) written();
          if (step === 'reading lineage') read.push(done);
        },
      },
    },
  );
  await Promise.race([isWritten, imported]);

  const entries = await listLineageEntries(admin, { fromIds: [id('t1')] }, { first: 10 });
  const drawn = entries.nodes.find(({ toId }) => toId === id('t2'));
  const { id: asked } = await createQuestion(admin, { title: 'How?' });
  const writes: Record<string, () => Promise<unknown>> = {
    'making a tag': () => createTag(admin, { name: 'mine' }),
    'making a tag that the import makes, too': () => createTag(admin, { name: 'FRESH' }),
    'changing a tag that the import names': () => updateTag(admin, known, { color: '#112233' }),
    'deleting a tag': () => deleteTag(admin, other.id),
    'editing what the import changes': () =>
      updateResource(admin, id('t0'), { description: 'Mine.' }),
    'editing what becomes stale': () => updateResource(admin, id('t48'), { verified: true }),
    'deleting what the import changes': () => archiveResource(admin, id('t7')),
    'restoring it': () => restoreResource(admin, id('t7')),
    'adding a column to it': () =>
      catalog.resource({ kind: 'column', parentId: id('t8'), title: 'mine' }),
    asking: () => createQuestion(admin, { title: 'Why?' }),
    replying: () => createResource(admin, 'question_reply', { parentId: asked, definition: 'So.' }),
    'drawing lineage': () => createLineage(admin, { fromId: id('t0'), toId: id('t9') }),
    'deleting lineage of the import': () => deleteLineage(admin, drawn?.id ?? ''),
    'making a team': () => catalog.team(),
    'deleting the team that the import is for': () => archiveTeam(admin, gone.id),
    'renaming the integration': () => updateIntegration(admin, integration.id, { name: 'Renamed' }),
    'starting a job': () => enqueueJob(admin, { kind: 'test', title: 'Test' }),
    'another import': async () =>
      feedJsonl(catalog, await catalog.integration(), {
        resources: [table('elsewhere', { tags: ['known', 'mine'] })],
      }),
  };
  try {
    for (const [what, write] of Object.entries(writes)) await soon(what, write());
    const busy = await refusal(soon('deleting it', deleteIntegration(admin, integration.id)));
    expect(busy).toMatchObject({ code: 'CONFLICT', message: expect.stringContaining('progress') });
    expect(await catalog.database.prisma.resource.count({ where: { title: 't9999' } })).toBe(0);
  } finally {
    goOn();
  }
  // Of the edges that the file no longer names somebody had deleted one before.
  const lineage = { created: 1, ended: 1, unchanged: 1 };
  expect(await imported).toEqual(counts({ created: many - 50, updated: 48, staled: 2 }, lineage));
  // Once resources are written the import says how far its reading is, to the last line.
  expect(read.at(-1)).toBe(2);
  const found = (key: string) =>
    admin.database.prisma.resource.findFirstOrThrow({ where: { id: ids.get(key) ?? '' } });
  expect(await found('t0')).toMatchObject({ description: 'Mine.' });
  expect(await found('t1')).toMatchObject({ description: 'New.', archived: false });
  expect(await found('t48')).toMatchObject({ stale: true, verified: true });
  expect(await found('t7')).toMatchObject({ archived: false });
  const general = await catalog.defaultTeam();
  const ofTheImport = { integrationId: integration.id, createdById: null };
  const teams = await admin.database.prisma.resource.findMany({
    where: ofTheImport,
    distinct: ['teamIds'],
    select: { teamIds: true },
  });
  expect(teams).toEqual([{ teamIds: [general.id] }]);
  const tags = await admin.database.prisma.tag.findMany({
    where: { name: { in: ['FRESH', 'fresh'] } },
  });
  expect(tags.map(({ name }) => name)).toEqual(['FRESH']);
  const tagged = { tagIds: { has: tags[0]?.id ?? '' } };
  expect(await admin.database.prisma.resource.count({ where: tagged })).toBe(many - 2);
  const dangling = await scratch(
    admin,
    `select r.id from resource r where exists (select from unnest(r.tag_ids) t
      where not exists (select from tag g where g.id = t))`,
  );
  expect(dangling).toEqual([]);
});

test('what an import leaves as it was is neither written nor locked', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const resources = Array.from({ length: 40 }, (_, n) => table(`t${n}`, { tags: ['tag'] }));
  const lineages = Array.from({ length: 30 }, (_, n) => edge(`t${n}`, `t${n + 1}`));
  await feedJsonl(catalog, integration, { resources, lineages });
  const versions = async () => {
    const parts = ['resource', 'lineage_edge', 'tag', 'integration'].map(
      (name) => `select '${name}' as name, id, ctid::text, xmin::text, xmax::text from ${name}
        where workspace_id = $1::uuid`,
    );
    const sql = `${parts.join(' union all ')} order by 1, 2`;
    return scratch<{ name: string }>(catalog.admin, sql, [catalog.workspaceId]);
  };
  // The first import looked up the ends of its edges, which leaves a mark.
  const before = await versions();
  expect(await feedJsonl(catalog, integration, { resources, lineages })).toEqual(
    counts({ unchanged: 40 }, { unchanged: 30 }),
  );
  const after = await versions();
  const untouched = ({ name }: { name: string }) => name === 'resource' || name === 'lineage_edge';
  expect(after.filter(untouched)).toEqual(before.filter(untouched));
  expect(before.filter(untouched)).toHaveLength(70);
});

test('in its last steps an import makes those wait who edit what it changes, and no others', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 10 });
  const { admin } = catalog;
  const integration = await catalog.integration();
  const resources = ['a', 'b', 'c', 'd'].map((key) => table(key, { description: 'Old.' }));
  await feedJsonl(catalog, integration, { resources });
  const ids = await idsOf(catalog, integration.id);
  const [low = '', high = ''] = ['a', 'b'].map((key) => ids.get(key) ?? '').sort();
  const keyOf = (wanted: string) => [...ids].find(([, id]) => id === wanted)?.[0];

  // Somebody holds the one that the import locks last: it waits with the other in its hands.
  const person = await holding(catalog, high);
  const next = resources.map((line) =>
    ['a', 'b'].includes(line.databuilder_id) ? { ...line, description: 'New.', tags: ['n'] } : line,
  );
  const imported = feedJsonl(catalog, integration, { resources: next });
  await untilSomebodyWaits(catalog);
  await soon('an unchanged one', updateResource(admin, ids.get('c') ?? '', { verified: true }));
  await soon('a tag', createTag(admin, { name: 'another' }));
  await soon('the integration', updateIntegration(admin, integration.id, { name: 'Renamed' }));
  await soon('a question', createQuestion(admin, { title: 'Why?' }));
  const edit = updateResource(admin, low, { definition: 'Mine.' });
  const same = createTag(admin, { name: 'N' }).catch(failureOf);
  await expect(soon('the one in its hands', edit, 1_000)).rejects.toThrow('had to wait');
  await person.letGo();
  expect(await imported).toMatchObject({ updated: 2, unchanged: 2 });
  expect(await edit).toMatchObject({ description: 'New.', definition: 'Mine.' });
  expect(await same).toMatchObject({ code: 'CONFLICT' });
  expect(keyOf(high)).toBeDefined();
  const kept = await admin.database.prisma.resource.findFirstOrThrow({ where: { id: high } });
  expect(kept).toMatchObject({ description: 'New.', pii: true });
});

test('where an import and somebody else wait for each other, both get their turn', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 10 });
  const integration = await catalog.integration();
  const resources = ['a', 'b'].map((key) => table(key, { description: 'Old.' }));
  await feedJsonl(catalog, integration, { resources });
  const sorted = [...(await idsOf(catalog, integration.id)).values()].sort();
  const [low = '', high = ''] = sorted;
  let attempts = 0;
  let holds = () => {};
  const isHeld = new Promise<void>((resolve) => {
    holds = resolve;
  });
  let goOn = () => {};
  const isWaitedFor = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  const person = transaction(catalog.admin, async (tx) => {
    attempts += 1;
    await updateResource(tx, high, { pii: true });
    holds();
    await isWaitedFor;
    // The import has this one, and waits for the other.
    await updateResource(tx, low, { pii: true });
  });
  await Promise.race([isHeld, person]);
  const next = resources.map((line) => ({ ...line, description: 'New.' }));
  const { lines, watch } = listening();
  const imported = feedJsonl(catalog, integration, { resources: next }, { watch });
  await untilSomebodyWaits(catalog);
  goOn();
  await person;
  expect(await imported).toMatchObject({ updated: 2 });
  // PostgreSQL ended one of the two, which began again.
  const isAgain = lines.some((line) => line.includes('writing again'));
  expect([attempts, isAgain]).toEqual(isAgain ? [1, true] : [2, false]);
  const found = await catalog.admin.database.prisma.resource.findMany({
    where: { id: { in: sorted } },
  });
  expect(found.map(({ description, pii }) => [description, pii])).toEqual([
    ['New.', true],
    ['New.', true],
  ]);
});
