// Values of custom properties over REST: what is written can be read, one by one and in lists.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { setValue } from '../../src/properties/assign.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const unknown = '00000000-0000-4000-8000-000000000000';
const properties = '/resource/all_v2/custom_properties';

test('a value is read where it is written, and null where there is none', async () => {
  const property = await catalog.property({ name: 'Retention' });
  const { id } = await catalog.resource();
  const path = `${properties}/${property.id}/${id}`;
  expect(await catalog.rest('GET', path)).toMatchObject({ status: 200, body: { value: null } });
  await catalog.rest('PUT', path, { body: { value: '30 days' } });
  expect((await catalog.rest('GET', path)).body).toEqual({ value: '30 days' });
  for (const other of [
    `${properties}/${unknown}/${id}`,
    `${properties}/x/${id}`,
    `${properties}/${property.id}/${unknown}`,
  ]) {
    expect((await catalog.rest('GET', other)).status).toBe(404);
  }
  const stranger = await catalog.another();
  const theirs = `${properties}/${(await stranger.property()).id}/${id}`;
  expect((await catalog.rest('GET', theirs)).status).toBe(404);
});

test('the record of a property says what its values are', async () => {
  const { id } = await catalog.property({
    ...{ name: 'Tier', description: 'How much it matters', valueType: 'select' },
    options: ['gold', 'silver'],
  });
  expect((await catalog.rest('GET', `${properties}/${id}`)).body).toMatchObject({
    ...{ value_type: 'select', description: 'How much it matters' },
    options: ['gold', 'silver'],
  });
});

test('lists and records have the values where they are asked for', async () => {
  const property = await catalog.property({ name: 'Area' });
  const integration = await catalog.integration();
  const first = await catalog.resource({ integrationId: integration.id });
  const second = await catalog.resource({ integrationId: integration.id });
  await setValue(catalog.admin, property.id, first.id, 'North');
  const list = `integration_id=${integration.id}&custom_properties=true`;
  for (const path of [`/resource/catalog?${list}`, `/table/tables?${list}`]) {
    const { body } = await catalog.rest('GET', path);
    const values = body.results.map((one: { id: string; custom_properties: object }) => [
      one.id,
      one.custom_properties,
    ]);
    expect(Object.fromEntries(values)).toEqual({
      [first.id]: { [property.id]: 'North' },
      [second.id]: {},
    });
  }
  for (const path of [`/resource/all/${first.id}`, `/table/tables/${first.id}`]) {
    expect((await catalog.rest('GET', path)).body).not.toHaveProperty('custom_properties');
    const { body } = await catalog.rest('GET', `${path}?custom_properties=true`);
    expect(body.custom_properties).toEqual({ [property.id]: 'North' });
  }
  const { body } = await catalog.rest('GET', `/table/tables?integration_id=${integration.id}`);
  for (const one of body.results) expect(one).not.toHaveProperty('custom_properties');
});

test('the values of a whole list take one statement more for each of resources and properties', async () => {
  const property = await catalog.property();
  const counted = async (rows: number) => {
    const integration = await catalog.integration();
    for (let i = 0; i < rows; i += 1) {
      const { id } = await catalog.resource({ integrationId: integration.id });
      await setValue(catalog.admin, property.id, id, 'x');
    }
    const path = `/resource/catalog?custom_properties=true&integration_id=${integration.id}`;
    const counts: number[] = [];
    // Some things are looked up now and then, whatever is asked.
    for (let turn = 0; turn < 3; turn += 1) {
      counts.push((await catalog.counting(() => catalog.rest('GET', path))).statements.length);
    }
    return Math.min(...counts);
  };
  await counted(1);
  expect(await counted(7)).toBe(await counted(2));
});

test('what names a thing that the reader may not see is not shown', async () => {
  const about = await catalog.property({ name: 'About', valueType: 'resource' });
  const hidden = await catalog.resource({ published: false });
  const { id } = await catalog.resource();
  await setValue(catalog.admin, about.id, id, hidden.id);
  const path = `${properties}/${about.id}/${id}`;
  const caller = { as: 'viewer' } as const;
  expect((await catalog.rest('GET', path)).body).toEqual({ value: hidden.id });
  expect((await catalog.rest('GET', path, { caller })).body).toEqual({ value: null });
  const list = await catalog.rest('GET', '/resource/catalog?custom_properties=true', { caller });
  expect(list.text).not.toContain(hidden.id);
  const unseen = `${properties}/${about.id}/${hidden.id}`;
  expect((await catalog.rest('GET', unseen, { caller })).status).toBe(404);
});
