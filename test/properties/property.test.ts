// Custom properties: their definitions, and that no change of one loses a value.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setValue, valuesByResource } from '../../src/properties/assign.ts';
import type { PropertyInput } from '../../src/properties/definition.ts';
import {
  createProperty,
  deleteProperty,
  getProperty,
  listProperties,
  replaceProperty,
  updateProperty,
} from '../../src/properties/property.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('a property covers every kind with strings unless told otherwise', async () => {
  const property = await createProperty(catalog.as('editor'), { name: 'Cost center' });
  expect(property).toMatchObject({
    name: 'Cost center',
    description: '',
    entityTypes: ['all'],
    valueType: 'string',
    options: [],
  });
  expect(await getProperty(catalog.as('guest'), property.id)).toEqual(property);
});

test.each<[string, PropertyInput]>([
  ['name', {}],
  ['name', { name: '' }],
  ['entity_types', { name: 'x', entityTypes: [] }],
  ['entity_types', { name: 'x', entityTypes: ['table', 'tabel'] }],
  ['value_type', { name: 'x', valueType: 'colour' }],
  ['options', { name: 'x', valueType: 'select' }],
  ['options', { name: 'x', valueType: 'select', options: ['a', ''] }],
  ['options', { name: 'x', valueType: 'multiselect', options: ['a,b'] }],
])('a wrong %s is refused by name', async (field, input) => {
  await expect(createProperty(catalog.admin, input)).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field }],
  });
});

test('a partial change leaves alone what it does not name, a replacement does not', async () => {
  const { id } = await catalog.property({
    name: 'Tier',
    description: 'How much it matters',
    entityTypes: ['table'],
    valueType: 'select',
    options: ['1', '2'],
  });
  expect(await updateProperty(catalog.admin, id, { name: 'Rank' })).toMatchObject({
    name: 'Rank',
    description: 'How much it matters',
    entityTypes: ['table'],
    valueType: 'select',
    options: ['1', '2'],
  });
  expect(await replaceProperty(catalog.admin, id, { name: 'Level' })).toMatchObject({
    name: 'Level',
    description: '',
    entityTypes: ['all'],
    valueType: 'string',
    options: [],
  });
  const nameless = replaceProperty(catalog.admin, id, { valueType: 'text' });
  await expect(nameless).rejects.toMatchObject({ fields: [{ field: 'name' }] });
});

test('a definition that values would not fit is refused, and no value is lost', async () => {
  const property = await catalog.property({ valueType: 'string', entityTypes: ['table'] });
  const table = await catalog.resource();
  await setValue(catalog.admin, property.id, table.id, '42');
  const value = async () =>
    (await valuesByResource(catalog.admin, [table.id])).get(table.id)?.[0]?.value;

  const refused = { code: 'CONFLICT' };
  for (const input of [
    { valueType: 'boolean' },
    { valueType: 'user' },
    { valueType: 'select', options: ['41'] },
    { entityTypes: ['column'] },
  ]) {
    await expect(updateProperty(catalog.admin, property.id, input)).rejects.toMatchObject(refused);
  }
  expect(await getProperty(catalog.admin, property.id)).toEqual(property);
  expect(await value()).toBe('42');
  await updateProperty(catalog.admin, property.id, { valueType: 'number' });
  await updateProperty(catalog.admin, property.id, { valueType: 'select', options: ['42', '43'] });
  await updateProperty(catalog.admin, property.id, { entityTypes: ['table', 'column'] });
  expect(await value()).toBe('42');
});

test('a deleted property has no values', async () => {
  const property = await catalog.property();
  const table = await catalog.resource();
  await setValue(catalog.admin, property.id, table.id, 'x');
  await deleteProperty(catalog.admin, property.id);
  expect((await valuesByResource(catalog.admin, [table.id])).get(table.id)).toEqual([]);
  const found = getProperty(catalog.admin, property.id);
  await expect(found).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { nodes } = await listProperties(catalog.admin, {});
  expect(nodes.map(({ id }) => id)).not.toContain(property.id);
});

test('viewers and guests define nothing', async () => {
  const { id } = await catalog.property();
  const refused = { code: 'FORBIDDEN' };
  for (const role of ['viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    await expect(createProperty(ctx, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(updateProperty(ctx, id, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(replaceProperty(ctx, id, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(deleteProperty(ctx, id)).rejects.toMatchObject(refused);
  }
});

test('an id of another workspace, or that is no id, is not found', async () => {
  const other = await catalog.another();
  const property = await catalog.property();
  const missing = { code: 'NOT_FOUND' };
  for (const id of [property.id, 'x']) {
    await expect(getProperty(other.admin, id)).rejects.toMatchObject(missing);
    await expect(updateProperty(other.admin, id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(replaceProperty(other.admin, id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(deleteProperty(other.admin, id)).rejects.toMatchObject(missing);
  }
  expect(await getProperty(catalog.admin, property.id)).toEqual(property);
  expect((await listProperties(other.admin, {})).nodes).toEqual([]);
});
