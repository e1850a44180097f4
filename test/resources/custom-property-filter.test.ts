import { expect, test } from 'vitest';
import { setValue } from '../../src/properties/assign.ts';
import { openCatalog } from '../catalog.ts';

const listed = `query ($where: ResourceWhere) {
  resources(kinds: [table], where: $where, orderBy: [{ title: asc }]) { totalCount nodes { title } }
}`;

test('resources are listed by their values of a custom property', async () => {
  await using catalog = await openCatalog();
  const retention = await catalog.property({ name: 'Retention' });
  const area = await catalog.property({ name: 'Area' });
  const values = { short: '30 days', long: '90 days', none: null, other: null };
  for (const [title, value] of Object.entries(values)) {
    const { id } = await catalog.resource({ title });
    if (value !== null) await setValue(catalog.admin, retention.id, id, value);
    if (title === 'other') await setValue(catalog.admin, area.id, id, '30 days');
  }
  const list = async (where: object) => {
    const { data, errors } = await catalog.graphql(listed, { where });
    expect(errors).toBeUndefined();
    expect(data.resources.totalCount).toBe(data.resources.nodes.length);
    return data.resources.nodes.map(({ title }: { title: string }) => title);
  };
  const propertyId = retention.id;
  const of = (condition: object) => ({ customProperties: { propertyId, ...condition } });
  expect(await list(of({ value: { eq: '30 days' } }))).toEqual(['short']);
  expect(await list(of({ value: { contains: 'DAYS' } }))).toEqual(['long', 'short']);
  expect(await list(of({ isSet: true }))).toEqual(['long', 'short']);
  expect(await list(of({ isSet: false }))).toEqual(['none', 'other']);
  expect(await list({ not: of({ value: { in: ['30 days', '1 day'] } }) })).toEqual([
    ...['long', 'none', 'other'],
  ]);
  expect(
    await list({
      or: [
        of({ value: { eq: '90 days' } }),
        { customProperties: { propertyId: area.id, isSet: true } },
      ],
    }),
  ).toEqual(['long', 'other']);
});

test.each([
  [
    { propertyId: 'Retention', isSet: true },
    'where.customProperties.propertyId: Use an id, which is a UUID.',
  ],
  [
    { propertyId: '00000000-0000-4000-8000-000000000001' },
    'where.customProperties: Say with propertyId what holds: value or isSet.',
  ],
])('a condition on a custom property that says too little is refused: %j', async (given, said) => {
  await using catalog = await openCatalog();
  const { errors } = await catalog.graphql(listed, { where: { customProperties: given } });
  expect(errors?.[0]?.message).toContain(said);
});

test('a value that names what the viewer may not see is none to the filter', async () => {
  await using catalog = await openCatalog();
  const source = await catalog.property({ name: 'Source', valueType: 'resource' });
  const table = await catalog.resource({ title: 'orders', published: true });
  const hidden = await catalog.resource({ title: 'hidden', published: false });
  await setValue(catalog.admin, source.id, table.id, hidden.id);
  const titles = async (role: 'admin' | 'viewer', condition: object) => {
    const where = { customProperties: { propertyId: source.id, ...condition } };
    const { data } = await catalog.graphql(listed, { where }, { key: catalog.keyOf(role) });
    return data.resources.nodes.map(({ title }: { title: string }) => title);
  };
  for (const condition of [{ isSet: true }, { value: { eq: hidden.id } }]) {
    expect(await titles('admin', condition)).toEqual(['orders']);
    expect(await titles('viewer', condition)).toEqual([]);
  }
});
