import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

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
    { ids: Array.from({ length: 501 }, (_, n) => String(n)), input: {} },
    /500 resources at most, and these are 501/,
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
