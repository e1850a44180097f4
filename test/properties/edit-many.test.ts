import { expect, test } from 'vitest';
import { LeaseLost } from '../../src/jobs/run.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { changeEach, manyJob, runMany } from '../../src/properties/edit-many.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { getResource } from '../../src/resources/resource.ts';
import { openCatalog } from '../catalog.ts';
import { ended } from '../jobs/ended.ts';

const mutation = `mutation ($ids: [ID!], $where: ResourceWhere, $input: UpdateResourceInput!, $properties: JSON, $dryRun: Boolean) {
  updateResources(ids: $ids, where: $where, input: $input, customProperties: $properties, dryRun: $dryRun) {
    matched updated failed { id code message }
  }
}`;

test('many resources are changed alike, by their ids or by what holds for them, each with an entry', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag({ name: 'finance' });
  const property = await catalog.property({ name: 'Area' });
  const tables = [];
  for (const title of ['one', 'two', 'three']) tables.push(await catalog.resource({ title }));
  await catalog.resource({ kind: 'dashboard', title: 'other' });
  const where = { kind: { eq: 'table' } };
  const properties = { [property.id]: 'North' };
  const change = { where, input: { addTagIds: [tag.id] }, properties };
  const tried = await catalog.graphql(mutation, { ...change, dryRun: true });
  expect(tried.data.updateResources).toEqual({ matched: 3, updated: 3, failed: [] });
  const read = `{ resources(orderBy: [{ title: asc }]) { nodes { title version tags { name } customProperties { value } } }
    auditLogs { totalCount } }`;
  const before = await catalog.graphql(read);
  expect(before.data.resources.nodes.flatMap((one: { tags: object[] }) => one.tags)).toEqual([]);
  const made = await catalog.graphql(mutation, change);
  expect(made.data.updateResources).toEqual({ matched: 3, updated: 3, failed: [] });
  const { data } = await catalog.graphql(read);
  const tagged = data.resources.nodes.filter(({ tags }: { tags: object[] }) => tags.length === 1);
  expect(tagged.map(({ title }: { title: string }) => title)).toEqual(['one', 'three', 'two']);
  for (const { customProperties } of tagged) expect(customProperties).toEqual([{ value: 'North' }]);
  expect(data.auditLogs.totalCount - before.data.auditLogs.totalCount).toBeGreaterThanOrEqual(3);
});

test('one that is refused is named, and keeps none of the others', async () => {
  await using catalog = await openCatalog();
  const gone = '00000000-0000-4000-8000-000000000001';
  const table = await catalog.resource({ title: 'one' });
  const question = await catalog.resource({ kind: 'dashboard', title: 'other' });
  const { data } = await catalog.graphql(mutation, {
    ids: [table.id, gone, question.id, 'nonsense', table.id],
    input: { description: 'Ours.', isPk: true },
  });
  expect(data.updateResources).toMatchObject({ matched: 4 });
  const failed = data.updateResources.failed.map(({ id, code }: { id: string; code: string }) => [
    id,
    code,
  ]);
  expect(failed).toEqual(
    expect.arrayContaining([
      [gone, 'NOT_FOUND'],
      ['nonsense', 'NOT_FOUND'],
    ]),
  );
  const found = await catalog.graphql(`{ resource(id: "${table.id}") { description } }`);
  expect(found.data.resource.description).toBe('Ours.');
});

test.each([
  [{ input: {} }, /by `ids`, or by a `where`/],
  [{ where: {}, input: {} }, /by `ids`, or by a `where`/],
  [{ ids: [], where: { verified: true }, input: {} }, /by `ids`, or by a `where`/],
  [
    { ids: Array.from({ length: 20_001 }, (_, n) => String(n)), input: {} },
    /20,000 resources at most, and these are 20001/,
  ],
  [{ ids: ['x'], input: {}, properties: [] }, /object of values/],
])('%j is refused in words', async (variables, message) => {
  await using catalog = await openCatalog();
  const { data, errors } = await catalog.graphql(mutation, variables);
  expect(data.updateResources).toBeNull();
  expect(errors?.[0]).toMatchObject({
    message: expect.stringMatching(message),
    extensions: { code: 'BAD_REQUEST' },
  });
});

const many = `mutation ($where: ResourceWhere, $input: UpdateResourceInput!, $dryRun: Boolean) {
  updateResources(where: $where, input: $input, dryRun: $dryRun) {
    matched updated failed { id code message } job { id state title }
  }
}`;

test('more than some hundreds are changed by a job, each with an entry', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { workspaceId, database } = catalog;
  const { prisma } = database;
  const total = 503;
  await prisma.resource.createMany({
    data: Array.from({ length: total }, (_, n) => ({
      ...{ workspaceId, kind: 'table', title: `t${n}`, titleFull: `t${n}`, definition: 'before' },
    })),
  });
  const input = { definition: 'after' };
  const where = { kind: { eq: 'table' } };
  const tried = await catalog.graphql(many, { where, input, dryRun: true });
  const made = await catalog.graphql(many, { where, input });
  const { job, ...rest } = made.data.updateResources;
  expect(rest).toEqual({ matched: total, updated: 0, failed: [] });
  expect(job).toMatchObject({ state: 'queued', title: 'Change 503 resources' });
  // One of them goes before its turn comes.
  const [gone] = await prisma.resource.findMany({ where: { workspaceId, title: 't7' } });
  await archiveResource(catalog.admin, gone?.id ?? '');
  const worker = startWorker({
    ...{ database, surroundings: catalog.surroundings, handlers: { [manyJob]: runMany } },
    onError: (error) => expect(error).toBeInstanceOf(LeaseLost),
  });
  const dry = await ended(catalog.admin, tried.data.updateResources.job);
  const done = await ended(catalog.admin, job);
  await worker.stop();
  expect(dry).toMatchObject({ state: 'succeeded', title: 'Try to change 503 resources' });
  expect(done).toMatchObject({
    state: 'succeeded',
    result: {
      ...{ matched: total, updated: total - 1, refused: 1 },
      failed: [{ id: gone?.id, code: 'NOT_FOUND' }],
    },
    ...{ progressDone: total, progressTotal: total },
  });
  const changed = await prisma.resource.count({ where: { workspaceId, definition: 'after' } });
  expect(changed).toBe(total - 1);
  const entries = await prisma.auditLog.groupBy({
    by: ['resourceId'],
    where: { workspaceId, activityType: 'table_updated' },
    _count: true,
  });
  expect(entries).toHaveLength(total - 1);
  expect(entries.every(({ _count }) => _count === 1)).toBe(true);
}, 60_000);

test('a job that another worker goes on with knows what was refused, and what had no effect, before', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { workspaceId, database, surroundings } = catalog;
  const { prisma } = database;
  const total = 502;
  await prisma.resource.createMany({
    data: Array.from({ length: total }, (_, n) => {
      const title = `t${String(n).padStart(3, '0')}`;
      return { workspaceId, kind: n === 0 ? 'column' : 'table', title, titleFull: title };
    }),
  });
  const input = { description: 'Ours.', isPk: true };
  const made = await catalog.graphql(many, { where: { kind: { in: ['table', 'column'] } }, input });
  const gone = await prisma.resource.findMany({
    where: { workspaceId, title: { in: ['t003', 't400'] } },
    orderBy: { title: 'asc' },
  });
  for (const { id } of gone) await archiveResource(catalog.admin, id);
  const lost = new Error('The worker was lost.');
  let attempts = 0;
  const worker = startWorker({
    ...{ database, surroundings },
    handlers: {
      [manyJob]: (run) => {
        attempts += 1;
        const isFirst = attempts === 1;
        return runMany({
          ...run,
          progress(step, done, of) {
            if (isFirst && done === 10) throw lost;
            run.progress(step, done, of);
          },
        });
      },
    },
    onError: (error) => expect(error).toBe(lost),
  });
  const done = await ended(catalog.admin, made.data.updateResources.job);
  await worker.stop();
  expect([attempts, done.state]).toEqual([2, 'succeeded']);
  expect(done.result).toEqual({
    ...{ matched: total, updated: total - 2, refused: 2 },
    failed: gone.map(({ id }) => ({ id, code: 'NOT_FOUND', message: 'Resource not found.' })),
    warnings: [
      {
        field: 'is_pk',
        message: 'This has no effect on a table. Kinds that have it: column.',
      },
    ],
  });
}, 60_000);

test('a job that does something again with the version it was meant for has done it', async () => {
  await using catalog = await openCatalog();
  const one = await catalog.resource({ title: 'one', description: 'Old' });
  const item = (description: string) => ({
    ...{ id: one.id, expectedVersion: one.version },
    ...{ changes: { description }, values: new Map<string, string>() },
  });
  const change = async (description: string) =>
    (await changeEach(catalog.admin, { items: [item(description)], dryRun: false })).failed;
  expect(await change('New')).toEqual([]);
  expect(await change('New')).toEqual([]);
  expect(await change('Another')).toMatchObject([{ id: one.id, code: 'CONFLICT' }]);
  const { description, version } = await getResource(catalog.admin, one.id);
  expect([description, version]).toEqual(['New', one.version + 1]);
});

test('fields that some of the kinds lack are named, and left out there', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'one' });
  const column = await catalog.resource({ kind: 'column', title: 'id' });
  const dashboard = await catalog.resource({ kind: 'dashboard', title: 'other' });
  const { data, extensions } = await catalog.graphql(mutation, {
    ids: [table.id, column.id, dashboard.id],
    input: { isPk: true, sortOrder: null },
  });
  expect(data.updateResources).toEqual({ matched: 3, updated: 3, failed: [] });
  expect(extensions?.warnings).toEqual(
    ['table', 'dashboard'].map((kind) => ({
      field: 'isPk',
      message: `This has no effect on a ${kind}. Kinds that have it: column.`,
    })),
  );
});

test('what was changed is undone by the versions that were kept', async () => {
  await using catalog = await openCatalog();
  const ids: string[] = [];
  for (const title of ['one', 'two']) {
    ids.push((await catalog.resource({ title, definition: `# ${title}` })).id);
  }
  await catalog.graphql(mutation, { ids, input: { definition: '# Both' } });
  // Somebody has written on since.
  const [first, second] = ids;
  await catalog.graphql(mutation, { ids: [second], input: { definition: '# Newer' } });
  const read = `query ($id: ID!) { resource(id: $id) { version definition
    versions(last: 1) { nodes { version definition } } } }`;
  const undo = `mutation ($id: ID!, $definition: String, $version: Int) {
    updateResource(id: $id, input: { definition: $definition }, expectedVersion: $version) { definition } }`;
  for (const id of ids) {
    const { data } = await catalog.graphql(read, { id });
    const { versions, version } = data.resource;
    const [kept] = versions.nodes;
    const at = id === first ? version : version - 1;
    const undone = await catalog.graphql(undo, { id, definition: kept.definition, version: at });
    if (id === first) expect(undone.data.updateResource).toEqual({ definition: '# one' });
    else expect(undone.errors?.[0]?.extensions.code).toBe('CONFLICT');
  }
});

test('the same over REST, by ids or by a filter', async () => {
  await using catalog = await openCatalog();
  const tag = await catalog.tag();
  const property = await catalog.property();
  const { id } = await catalog.resource({ title: 'one' });
  await catalog.resource({ kind: 'dashboard', title: 'other' });
  const path = '/resource/all_v2/bulk_update/';
  const filter = { operator: 'exact', field: 'type', value: 'table' };
  const change = { add_tags: [tag.id], custom_properties: { [property.id]: 'x' } };
  const tried = await catalog.rest('PATCH', path, { body: { filter, ...change, dry_run: true } });
  expect(tried).toMatchObject({
    ...{ status: 200, body: { matched: 1, updated: 1, failed: [], job: null } },
  });
  const read = () => catalog.rest('GET', `/table/tables/${id}?custom_properties=true`);
  expect((await read()).body).toMatchObject({ tags: [], custom_properties: {} });
  const unknown = '00000000-0000-4000-8000-000000000001';
  const made = await catalog.rest('PATCH', path, {
    body: { entity_ids: [id, unknown], ...change },
  });
  expect(made.body).toMatchObject({
    ...{ matched: 2, updated: 1, failed: [{ id: unknown, code: 'NOT_FOUND' }] },
  });
  expect((await read()).body).toMatchObject({
    ...{ tags: [tag.id], custom_properties: { [property.id]: 'x' } },
  });
  for (const wrong of [{}, { entity_ids: [id], filter }, { filter: { field: 'x' } }]) {
    expect((await catalog.rest('PATCH', path, { body: { ...wrong, pii: true } })).status).toBe(400);
  }
});
