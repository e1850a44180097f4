// Imports as syncs: who may, one at a time, what comes again, goes stale, and what people edited.

import { EventEmitter, once } from 'node:events';
import { expect, test } from 'vitest';
import { importArtifacts, importCsv, importJsonl } from '../../../src/integrations/imports/sync.ts';
import { textSource } from '../../../src/integrations/readers/source.ts';
import { readDeclaredMonitors } from '../../../src/monitors/declarations/declare.ts';
import { archiveResource } from '../../../src/resources/editing/archive.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { openCatalog } from '../../catalog.ts';
import { bakery, bakeryCatalog, bakeryRun } from './bakery.ts';
import {
  counts,
  digest,
  edgesOf,
  feedCsv,
  feedJsonl,
  feedProject,
  listening,
  refusal,
  resourceAt,
  resourcesOf,
} from './feed.ts';

const header = 'col_name,database,schema,name';
const csv = (...names: string[]) =>
  [header, ...names.map((name) => `id,shop,public,${name}`)].join('\n');
const table = (databuilder_id: string, more: object = {}) => ({
  entity_type: 'table',
  databuilder_id,
  title: databuilder_id,
  ...more,
});
const edge = (from: string, to: string) => ({
  from_identifier: { internal_resource: { databuilder_id: from } },
  to_identifier: { internal_resource: { databuilder_id: to } },
});

test('only admins feed integrations, and others are told so whatever they send', async () => {
  await using catalog = await openCatalog();
  const custom = await catalog.integration();
  const project = await catalog.integration({ type: 'dbt_core' });
  const before = await digest(catalog);
  for (const role of ['editor', 'viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    const source = () => textSource('file', csv('orders'));
    const refused = await Promise.all([
      refusal(importCsv(ctx, custom.id, source())),
      refusal(importCsv(ctx, custom.id, textSource('file', '"'), { dryRun: true })),
      refusal(importJsonl(ctx, custom.id, { resources: source() })),
      refusal(importArtifacts(ctx, project.id, { manifest: source() }, readDeclaredMonitors)),
      // Nor do they learn whether it is there.
      refusal(importCsv(ctx, '00000000-0000-4000-8000-000000000000', source())),
    ]);
    expect(refused.map(({ code }) => code)).toEqual(Array(5).fill('FORBIDDEN'));
  }
  expect(await digest(catalog)).toEqual(before);
});

test("another workspace's integration is not found, nor what is no id at all", async () => {
  await using catalog = await openCatalog();
  const other = await catalog.another();
  const theirs = await other.integration();
  const before = await digest(other);
  for (const id of [theirs.id, 'nonsense', '00000000-0000-4000-8000-000000000000']) {
    const { code } = await refusal(feedCsv(catalog, { id }, csv('orders')));
    expect({ id, code }).toEqual({ id, code: 'NOT_FOUND' });
  }
  expect(await digest(other)).toEqual(before);
});

test('an integration takes the files of its type and no others', async () => {
  await using catalog = await openCatalog();
  const before = await digest(catalog);
  const of = async (type: string) => catalog.integration({ type });
  const [chat, project, custom] = [await of('chat'), await of('dbt_core'), await of('custom')];
  const refused = [
    await refusal(feedCsv(catalog, chat, csv('a'))),
    await refusal(feedCsv(catalog, project, csv('a'))),
    await refusal(feedJsonl(catalog, project, { resources: [] })),
    await refusal(feedProject(catalog, custom, { manifest: bakery() })),
    await refusal(feedProject(catalog, chat, { manifest: bakery() })),
  ];
  expect(refused.map(({ code, message }) => [code, message])).toEqual([
    ['BAD_REQUEST', expect.stringMatching(/type chat takes no files/)],
    ['BAD_REQUEST', expect.stringMatching(/type dbt_core takes the artifacts of a project/)],
    ['BAD_REQUEST', expect.stringMatching(/type dbt_core takes the artifacts of a project/)],
    ['BAD_REQUEST', expect.stringMatching(/type custom takes CSV or JSONL files/)],
    ['BAD_REQUEST', expect.stringMatching(/type chat takes no files/)],
  ]);
  expect({ ...(await digest(catalog)), integration: '' }).toEqual({ ...before, integration: '' });
  // A warehouse that nothing here connects to is fed like a custom integration.
  expect(await feedCsv(catalog, await of('snowflake'), csv('a'))).toEqual(counts({ created: 4 }));
});

test('a second sync while one runs is a conflict; another integration is not held up', async () => {
  await using catalog = await openCatalog();
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  const gate = new EventEmitter();
  const begun = once(gate, 'begun');
  const opened = once(gate, 'opened');
  const slow = {
    file: 'slow.jsonl',
    bytes: (async function* () {
      gate.emit('begun');
      await opened;
      yield Buffer.from(JSON.stringify(table('slow')));
    })(),
  };
  const running = importJsonl(catalog.admin, one.id, { resources: slow });
  await begun;

  const refused = await refusal(feedJsonl(catalog, one, { resources: [table('second')] }));
  expect(refused).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringMatching(/in progress/),
  });
  const dry = await refusal(feedCsv(catalog, one, csv('x'), { dryRun: true }));
  expect(dry.code).toBe('CONFLICT');
  expect(await feedCsv(catalog, other, csv('x'))).toEqual(counts({ created: 4 }));
  gate.emit('opened');

  expect(await running).toEqual(counts({ created: 1 }));
  expect(await feedJsonl(catalog, one, { resources: [table('slow')] })).toEqual(
    counts({ unchanged: 1 }),
  );
  expect([...(await resourcesOf(catalog)).keys()]).not.toContain('second');
});

test('a file that breaks off in the middle leaves nothing behind and frees the way', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const before = await digest(catalog);
  const broken = {
    file: 'resources.jsonl',
    bytes: (async function* () {
      yield Buffer.from(`${JSON.stringify(table('a'))}\n`);
      throw new Error('The client went away.');
    })(),
  };
  await expect(importJsonl(catalog.admin, integration.id, { resources: broken })).rejects.toThrow(
    'The client went away.',
  );
  expect(await digest(catalog)).toEqual(before);
  expect(await feedCsv(catalog, integration, csv('a'))).toEqual(counts({ created: 4 }));
});

test('what comes a second time makes nothing new and touches nothing', async () => {
  await using catalog = await openCatalog();
  const [custom, lines] = [await catalog.integration(), await catalog.integration()];
  const project = await catalog.integration({ type: 'dbt_core' });
  await catalog.user({ email: 'baker@example.com' });
  const resources = [table('a', { tags: ['y', 'x'], owners: ['admin@example.com'] }), table('b')];
  const artifacts = {
    manifest: bakery(),
    catalog: bakeryCatalog(),
    runResults: bakeryRun('r', { 'test.bakery.bread_is_known': 'pass' }),
  };
  const feedAll = async () => [
    await feedCsv(catalog, custom, csv('orders')),
    await feedJsonl(catalog, lines, { resources, lineages: [edge('a', 'b')] }),
    await feedProject(catalog, project, artifacts),
  ];
  const first = await feedAll();
  const contents = async () => {
    const { resource, lineage_edge, tag, data_test, run_result, resource_version } =
      await digest(catalog);
    return { resource, lineage_edge, tag, data_test, run_result, resource_version };
  };
  const before = await contents();
  resources.reverse();

  const second = await feedAll();

  expect(second).toEqual(
    first.map(({ created, lineage, tests, ignored, problems }) => ({
      ...counts(
        { unchanged: created },
        { unchanged: lineage.created },
        { unchanged: tests.created },
      ),
      ...{ ignored, problems },
    })),
  );
  expect(first.map(({ created }) => created > 0)).toEqual([true, true, true]);
  expect(await contents()).toEqual(before);
});

test('what is no longer named goes stale with its time, and comes back fresh', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const bystander = await catalog.resource({ title: 'by hand' });
  await feedCsv(catalog, integration, csv('orders', 'customers'));
  const before = await resourceAt(catalog, 'shop.public.orders');
  const gone = new Date('2031-05-01T00:00:00Z');
  catalog.setTime(gone);

  expect(await feedCsv(catalog, integration, csv('customers'))).toEqual(
    counts({ staled: 2, unchanged: 4 }),
  );
  const stale = [...(await resourcesOf(catalog)).values()].filter((each) => each.stale);
  expect(stale.map(({ titleFull, staleAt }) => [titleFull, staleAt]).sort()).toEqual([
    ['shop.public.orders', gone],
    ['shop.public.orders.id', gone],
  ]);
  // It stays so, from that time on, and is not counted again.
  catalog.setTime(new Date('2031-06-01T00:00:00Z'));
  expect(await feedCsv(catalog, integration, csv('customers'))).toEqual(counts({ unchanged: 4 }));
  expect((await resourceAt(catalog, 'shop.public.orders')).staleAt).toEqual(gone);

  expect(await feedCsv(catalog, integration, csv('orders', 'customers'))).toEqual(
    counts({ updated: 2, unchanged: 4 }),
  );
  expect(await resourceAt(catalog, 'shop.public.orders')).toMatchObject({
    id: before.id,
    stale: false,
    staleAt: null,
  });
  expect((await resourceAt(catalog, bystander.titleFull)).stale).toBe(false);
});

test('with stale: false, what a file leaves out is left alone, lineage too', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, {
    resources: [table('a'), table('b'), table('c')],
    lineages: [edge('a', 'b')],
  });
  const made = await feedJsonl(
    catalog,
    integration,
    { resources: [table('b')], lineages: [edge('b', 'c')] },
    { stale: false },
  );
  expect(made).toEqual(counts({ unchanged: 1 }, { created: 1 }));
  expect([...(await resourcesOf(catalog)).values()].filter(({ stale }) => stale)).toEqual([]);
  expect(await edgesOf(catalog)).toEqual(['a > b', 'b > c']);
});

test("each integration's syncs leave what others brought alone", async () => {
  await using catalog = await openCatalog();
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  await feedCsv(catalog, one, csv('orders'));
  // The same names, yet resources of their own: no project is there to be decorated.
  expect(await feedCsv(catalog, other, csv('orders'))).toEqual(counts({ created: 4 }));
  expect(await feedCsv(catalog, other, header, { force: true })).toEqual(counts({ staled: 4 }));
  const { workspaceId, database } = catalog;
  const stale = await database.prisma.resource.findMany({ where: { workspaceId, stale: true } });
  expect(new Set(stale.map(({ integrationId }) => integrationId))).toEqual(new Set([other.id]));
});

test('what a person edited is not overwritten, and what no one edited still is', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const line = (version: string) =>
    table('orders', {
      description: `Source ${version}`,
      definition: `Docs ${version}`,
      native_type: version,
      tags: [version],
      owners: ['editor@example.com'],
    });
  await feedJsonl(catalog, integration, { resources: [line('v1'), table('other')] });
  const { id } = await resourceAt(catalog, 'orders');
  const tag = await catalog.tag({ name: 'mine' });
  await updateResource(catalog.admin, id, { description: 'By hand' });

  await feedJsonl(catalog, integration, { resources: [line('v2'), table('other')] });
  expect(await resourceAt(catalog, 'orders')).toMatchObject({
    description: 'By hand',
    definition: 'Docs v2',
    nativeType: 'v2',
  });

  const owner = catalog.idOf('viewer');
  await updateResource(catalog.admin, id, {
    definition: 'Docs by hand',
    tagIds: [tag.id],
    ownerIds: [owner],
  });
  await feedJsonl(catalog, integration, { resources: [line('v3'), table('other')] });
  const edited = {
    description: 'By hand',
    definition: 'Docs by hand',
    tagIds: [tag.id],
    ownerIds: [owner],
    nativeType: 'v3',
  };
  expect(await resourceAt(catalog, 'orders')).toMatchObject(edited);

  // Nor when a person cleared a field: that there is nothing is an edit, too.
  await updateResource(catalog.admin, id, { description: null, tagIds: [] });
  await feedJsonl(catalog, integration, { resources: [line('v4'), table('other')] });
  expect(await resourceAt(catalog, 'orders')).toMatchObject({
    ...edited,
    description: null,
    tagIds: [],
    nativeType: 'v4',
  });

  // Until it is handed back: then the source decides, with its next words.
  await updateResource(catalog.admin, id, { releaseFields: ['description', 'tags', 'owners'] });
  await feedJsonl(catalog, integration, { resources: [line('v4'), table('other')] });
  const handedBack = await resourceAt(catalog, 'orders');
  expect(handedBack).toMatchObject({
    ...{ description: 'Source v4', definition: 'Docs by hand' },
    ...{ ownerIds: [catalog.idOf('editor')], editedFields: ['definition'] },
  });
  expect(handedBack.tagIds).toHaveLength(1);
});

test('saving a text as it is leaves it to the source', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const line = (n: number) => table('orders', { description: `Told ${n}`, definition: `# ${n}` });
  await feedJsonl(catalog, integration, { resources: [line(1)] });
  const { id } = await resourceAt(catalog, 'orders');
  await updateResource(catalog.admin, id, { description: 'By hand', definition: '# 1' });
  await feedJsonl(catalog, integration, { resources: [line(2)] });
  expect(await resourceAt(catalog, 'orders')).toMatchObject({
    ...{ description: 'By hand', definition: '# 2' },
  });
});

test('what was deleted in the catalog stays deleted, though the source names it', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedCsv(catalog, integration, csv('orders'));
  const { id } = await resourceAt(catalog, 'shop.public.orders');
  await archiveResource(catalog.admin, id);
  const made = await feedCsv(catalog, integration, csv('orders'));
  expect(made).toMatchObject({ created: 0 });
  expect((await resourceAt(catalog, 'shop.public.orders')).archived).toBe(true);
});

test('an import reports its steps and its counts, keeps them as a job, and enters the audit log', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration({ name: 'Files' });
  const { watch, lines, steps } = listening();
  const resources = Array.from({ length: 2_500 }, (_, i) => table(`t${i}`));
  const lineages = resources.slice(1).map((_, i) => edge(`t${i}`, `t${i + 1}`));

  await feedJsonl(
    catalog,
    integration,
    { resources, lineages: [...lineages, edge('t1', 'nobody')] },
    { watch },
  );

  const counts = [
    'Resources: 2500 created, 0 updated, 0 stale, 0 unchanged.',
    'Lineage: 2499 created, 0 ended, 0 unchanged, 1 lines that point at nothing known.',
  ];
  expect(lines).toEqual(expect.arrayContaining(counts));
  const order = [...new Set(steps.map(({ step }) => step))];
  expect(order).toEqual([
    'reading resources',
    'comparing with the catalog',
    'reading lineage',
    'writing resources',
    'writing lineage',
  ]);
  for (const step of order) {
    const done = steps.filter((each) => each.step === step).map((each) => each.done);
    expect(done).toEqual(done.toSorted((one, other) => one - other));
  }
  expect(steps).toContainEqual({ step: 'reading resources', done: 2_500, total: undefined });
  expect(steps).toContainEqual({ step: 'writing resources', done: 2_500, total: 2_500 });
  const { workspaceId, database } = catalog;
  const [job, ...more] = await database.prisma.job.findMany({
    where: { workspaceId, kind: 'import' },
  });
  expect(more).toEqual([]);
  expect(job).toMatchObject({ state: 'succeeded', title: 'JSONL import into Files' });
  for (const line of counts) expect(job?.logs).toContain(line);
  expect(job?.result).toMatchObject({ created: 2_500, lineage: { unknown: 1 } });
  const entries = await database.prisma.auditLog.findMany({
    where: { workspaceId, activityType: 'integration_synced' },
  });
  expect(entries).toMatchObject([
    { resourceId: integration.id, performerId: catalog.idOf('admin') },
  ]);
});

test('an import that is refused is kept as a job that failed, with its reason', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await refusal(feedCsv(catalog, integration, `${header}\nid,shop,public,`));
  const { workspaceId, database } = catalog;
  const jobs = await database.prisma.job.findMany({ where: { workspaceId } });
  expect(jobs).toMatchObject([
    { kind: 'import', state: 'failed', lastError: expect.stringContaining('tables.csv, line 2') },
  ]);
  const entries = await database.prisma.auditLog.count({
    where: { workspaceId, activityType: 'integration_synced' },
  });
  expect(entries).toBe(0);
});
