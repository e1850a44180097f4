// Values of custom properties: one or many at once, all of them or none.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setValue, setValues, valuesByResource } from '../../src/properties/assign.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { createResource } from '../../src/resources/editing/edit.ts';
import { getResource } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const unknown = '00000000-0000-4000-8000-000000000000';

async function valuesOf(...ids: string[]): Promise<Record<string, string>[]> {
  const found = await valuesByResource(catalog.admin, ids);
  return ids.map((id) =>
    Object.fromEntries((found.get(id) ?? []).map(({ property, value }) => [property.name, value])),
  );
}

test('values are set on many resources at once, and deleted by the empty string', async () => {
  const cost = await catalog.property({ name: 'Cost', valueType: 'number' });
  const note = await catalog.property({ name: 'Note', valueType: 'text' });
  const tables = [await catalog.resource(), await catalog.resource()].map(({ id }) => id);
  const [one = '', two = ''] = tables;
  const editor = catalog.as('editor');
  await setValues(
    editor,
    tables,
    new Map([
      [cost.id, ' 1.5 '],
      [note.id.toUpperCase(), 'ok'],
    ]),
  );
  expect(await valuesOf(one, two)).toEqual([
    { Cost: '1.5', Note: 'ok' },
    { Cost: '1.5', Note: 'ok' },
  ]);
  await setValues(
    editor,
    [one, one],
    new Map([
      [cost.id, '2'],
      [note.id, ''],
    ]),
  );
  expect(await valuesOf(one, two)).toEqual([{ Cost: '2' }, { Cost: '1.5', Note: 'ok' }]);
  await setValue(editor, cost.id, one, '');
  await setValue(editor, cost.id, one, '');
  expect(await valuesOf(one)).toEqual([{}]);
});

test('one wrong value, and nothing is set: the error names property and type', async () => {
  const cost = await catalog.property({ name: 'Price', valueType: 'number' });
  const flag = await catalog.property({ name: 'Ready', valueType: 'boolean' });
  const note = await catalog.property({ name: 'Remark' });
  const { id } = await catalog.resource();
  const values = new Map([
    [note.id, 'fine'],
    [cost.id, 'cheap'],
    [flag.id, 'perhaps'],
  ]);
  await expect(setValues(catalog.admin, [id], values)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringMatching(/"Price" is a number.*"cheap"/),
    fields: expect.arrayContaining([
      { field: `properties.${cost.id}`, message: expect.stringContaining('is a number') },
      { field: `properties.${flag.id}`, message: expect.stringContaining('is a boolean') },
    ]),
  });
  expect(await valuesOf(id)).toEqual([{}]);
});

test('users and resources have to exist', async () => {
  const owner = await catalog.property({ name: 'Steward', valueType: 'user' });
  const source = await catalog.property({ name: 'Source', valueType: 'resource' });
  const table = await catalog.resource();
  const stranger = await catalog.another();
  const theirs = await stranger.resource();
  const wrong = { code: 'BAD_REQUEST' };
  for (const id of [unknown, stranger.idOf('admin'), table.id]) {
    await expect(setValue(catalog.admin, owner.id, table.id, id)).rejects.toMatchObject(wrong);
  }
  for (const id of [unknown, theirs.id, owner.id]) {
    await expect(setValue(catalog.admin, source.id, table.id, id)).rejects.toMatchObject(wrong);
  }
  await setValue(catalog.admin, owner.id, table.id, catalog.idOf('viewer'));
  await setValue(catalog.admin, source.id, table.id, table.id);
  expect(await valuesOf(table.id)).toEqual([{ Steward: catalog.idOf('viewer'), Source: table.id }]);
});

test('a kind that the property does not cover is refused, and nothing is set', async () => {
  const property = await catalog.property({ entityTypes: ['column', 'table'] });
  const table = await catalog.resource();
  const chart = await catalog.resource({ kind: 'chart' });
  const set = setValues(catalog.admin, [table.id, chart.id], new Map([[property.id, 'x']]));
  await expect(set).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    message: expect.stringContaining('covers column, table, not chart'),
  });
  expect(await valuesOf(table.id, chart.id)).toEqual([{}, {}]);
});

test('with an unknown entity or property nothing is set, whatever else is wrong', async () => {
  const property = await catalog.property({ valueType: 'number' });
  const table = await catalog.resource();
  const deleted = await catalog.resource();
  await archiveResource(catalog.admin, deleted.id);
  const other = await catalog.another();
  const theirs = [(await other.resource()).id, (await other.property()).id] as const;
  for (const id of [unknown, 'x', deleted.id, theirs[0]]) {
    for (const value of ['1', 'wrong']) {
      const set = setValues(catalog.admin, [table.id, id], new Map([[property.id, value]]));
      await expect(set).rejects.toMatchObject({
        code: 'NOT_FOUND',
        message: expect.stringContaining('Resource'),
      });
    }
  }
  for (const id of [unknown, 'x', theirs[1]]) {
    const values = new Map([
      [property.id, '1'],
      [id, '1'],
    ]);
    await expect(setValues(catalog.admin, [table.id], values)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining('CustomProperty'),
    });
  }
  expect(await valuesOf(table.id)).toEqual([{}]);
});

test('without permission on one of the entities nothing is set', async () => {
  const property = await catalog.property();
  const table = await catalog.resource();
  const own = await createResource(catalog.as('viewer'), 'question', { title: 'Why?' });
  const values = new Map([[property.id, 'x']]);
  const viewer = catalog.as('viewer');
  await expect(setValues(viewer, [own.id, table.id], values)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await valuesOf(own.id, table.id)).toEqual([{}, {}]);
  // Nor on what they asked themselves: values are what editors say of things.
  await expect(setValues(viewer, [own.id], values)).rejects.toMatchObject({
    ...{ code: 'FORBIDDEN', fields: [{ field: 'custom_properties' }] },
  });
  await setValues(catalog.as('editor'), [own.id], values);
  expect(await valuesOf(own.id)).toEqual([{ [property.name]: 'x' }]);
  const guest = setValues(catalog.as('guest'), [own.id], values);
  await expect(guest).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('nothing at all, and more than can be set at once, is refused by name', async () => {
  const wrong = (field: string) => ({ code: 'BAD_REQUEST', fields: [{ field }] });
  const values = new Map([[unknown, 'x']]);
  await expect(setValues(catalog.admin, [], values)).rejects.toMatchObject(wrong('entity_ids'));
  const nothing = setValues(catalog.admin, [unknown], new Map());
  await expect(nothing).rejects.toMatchObject(wrong('properties'));
  const many = setValues(catalog.admin, new Array(10_001).fill(unknown), values);
  await expect(many).rejects.toMatchObject(wrong('entity_ids'));
});

test('each resource gets its entry in the log, with no more statements', async () => {
  const property = await catalog.property();
  const ids = await Promise.all(
    Array.from({ length: 6 }, async () => (await catalog.resource()).id),
  );
  const values = new Map([[property.id, 'x']]);
  const few = await catalog.counting(() => setValues(catalog.admin, ids.slice(0, 1), values));
  const other = new Map([[property.id, 'y']]);
  const many = await catalog.counting(() => setValues(catalog.admin, ids, other));
  expect(many.statements.length).toBe(few.statements.length);
  const log = await catalog.database.prisma.auditLog.findMany({
    where: { resourceId: { in: ids }, activityType: 'custom_properties_updated' },
  });
  expect(log).toHaveLength(7);
  expect(log[0]).toMatchObject({
    relatedResourceIds: [property.id],
    relatedResourceType: 'custom_property',
  });
});

test('values that are there already change nothing, and no one is told of them', async () => {
  const [cost, note] = [await catalog.property(), await catalog.property()];
  const subscribed = { subscriberIds: [catalog.idOf('viewer')] };
  const tables = [await catalog.resource(subscribed), await catalog.resource(subscribed)];
  const [one = '', two = ''] = tables.map(({ id }) => id);
  const values = new Map([
    [cost.id, 'dear'],
    [note.id, ''],
  ]);
  const { prisma } = catalog.database;
  const told = async () => {
    const found = await prisma.resourceChange.findMany({
      where: { resourceId: { in: [one, two] } },
      orderBy: { id: 'asc' },
    });
    return found.map(({ resourceId, after }) => [resourceId, after]);
  };
  const versions = () => Promise.all([one, two].map(async (id) => (await read(id)).version));
  const read = (id: string) => getResource(catalog.admin, id);
  const entries = () => prisma.auditLog.count({ where: { workspaceId: catalog.workspaceId } });

  await setValues(catalog.admin, [one], values);
  const before = await entries();
  await setValues(catalog.admin, [one], values);
  await setValue(catalog.admin, note.id, one, '');
  expect([await told(), await versions(), await entries()]).toEqual([
    [[one, cost.name]],
    [2, 1],
    before,
  ]);
  await setValues(catalog.admin, [one, two], values);
  expect([await told(), await versions()]).toEqual([
    [
      [one, cost.name],
      [two, cost.name],
    ],
    [2, 2],
  ]);
});

test('in GraphQL the values of any number of resources cost the same statements', async () => {
  const collection = await catalog.resource({ kind: 'schema' });
  const property = await catalog.property();
  const make = () => catalog.resource({ parentId: collection.id });
  const ids = [await make(), await make(), await make()].map(({ id }) => id);
  const set = `mutation ($ids: [ID!]!, $properties: JSON!) {
    setCustomProperties(resourceIds: $ids, properties: $properties) {
      id customProperties { value property { id valueType } }
    }
  }`;
  const answer = await catalog.graphql(set, { ids, properties: { [property.id]: 'y' } });
  expect(answer.errors).toBeUndefined();
  expect(answer.data.setCustomProperties).toEqual(
    ids.map((id) => ({
      id,
      customProperties: [{ value: 'y', property: { id: property.id, valueType: 'string' } }],
    })),
  );
  const wrong = await catalog.graphql(set, { ids, properties: { [property.id]: 1 } });
  expect(wrong.errors?.[0]?.extensions.code).toBe('BAD_REQUEST');

  const list = `query ($parent: ID!, $first: Int!) {
    resources(parentId: $parent, first: $first) { nodes { customProperties { value } } }
  }`;
  const ask = (first: number) =>
    catalog.counting(() => catalog.graphql(list, { parent: collection.id, first }));
  const [one, three] = [await ask(1), await ask(3)];
  expect(three.value.data.resources.nodes).toHaveLength(3);
  expect(three.statements.length).toBe(one.statements.length);
});
