// Nested columns of the catalog: fields of struct types are columns of their columns, and lineage reaches them.

import { expect, test } from 'vitest';
import { setIntegrationAddresses } from '../../../src/integrations/addresses/set-addresses.ts';
import { replaceFromQuery } from '../../../src/lineage/queries/from-query.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { counts, feedCsv, feedJsonl } from './feed.ts';

const csv = (...rows: string[]) => ['col_name,database,schema,name,col_type', ...rows].join('\n');
const orders = [
  'id,shop,raw,orders,INT64',
  'place,shop,raw,orders,"STRUCT<city STRING, geo STRUCT<lat FLOAT64, lon FLOAT64>>"',
  'items,shop,raw,orders,"ARRAY<STRUCT<sku STRING, qty INT64>>"',
];
const view = ['city,shop,mart,cities,STRING', 'place,shop,mart,cities,"STRUCT<city STRING>"'];

async function titles(catalog: Catalog, stale = false) {
  const found = await catalog.database.prisma.resource.findMany({
    where: { workspaceId: catalog.workspaceId, kind: 'column', stale },
    orderBy: { titleFull: 'asc' },
  });
  return found.map(({ titleFull, type, tableName }) => `${tableName} ${titleFull}: ${type}`);
}

async function find(catalog: Catalog, titleFull: string) {
  const { workspaceId, database } = catalog;
  return database.prisma.resource.findFirstOrThrow({ where: { workspaceId, titleFull } });
}

/** All that a change of a column reaches, by full titles. */
async function reachedFrom(catalog: Catalog, titleFull: string): Promise<string[]> {
  const { id } = await find(catalog, titleFull);
  const { data } = await catalog.graphql(
    `query ($of: [ID!]!) { impact(of: $of) {
      columns { resource { titleFull } } tables { resource { titleFull } } } }`,
    { of: [id] },
  );
  const reached: { resource: { titleFull: string } }[] = [
    ...data.impact.columns,
    ...data.impact.tables,
  ];
  return reached.map(({ resource }) => resource.titleFull).sort();
}

interface Inside {
  readonly table: { readonly titleFull: string };
}

const nestedOf = `query ($id: ID!) { resource(id: $id) { ... on Table {
  columns { title } nestedColumns { title type sortOrder parentId table { titleFull } } } } }`;

test('fields of a struct type lie in its column, and a second import changes nothing', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const made = await feedCsv(catalog, integration, csv(...orders));

  expect(made.created).toBe(2 + 1 + 3 + 6);
  expect(await titles(catalog)).toEqual([
    'orders shop.raw.orders.id: INT64',
    'orders shop.raw.orders.items: ARRAY<STRUCT<sku STRING, qty INT64>>',
    'orders shop.raw.orders.items.qty: INT64',
    'orders shop.raw.orders.items.sku: STRING',
    'orders shop.raw.orders.place: STRUCT<city STRING, geo STRUCT<lat FLOAT64, lon FLOAT64>>',
    'orders shop.raw.orders.place.city: STRING',
    'orders shop.raw.orders.place.geo: STRUCT<lat FLOAT64, lon FLOAT64>',
    'orders shop.raw.orders.place.geo.lat: FLOAT64',
    'orders shop.raw.orders.place.geo.lon: FLOAT64',
  ]);
  expect(await feedCsv(catalog, integration, csv(...orders))).toEqual(counts({ unchanged: 12 }));

  const { id } = await find(catalog, 'shop.raw.orders');
  const { data } = await catalog.graphql(nestedOf, { id });
  const titled = (columns: { title: string }[]) => columns.map(({ title }) => title);
  expect(titled(data.resource.columns)).toEqual(['id', 'place', 'items']);
  expect(titled(data.resource.nestedColumns).slice(4)).toEqual(['lat', 'lon']);
  const tables = data.resource.nestedColumns.map((one: Inside) => one.table.titleFull);
  expect(new Set(tables)).toEqual(new Set(['shop.raw.orders']));
});

test('the type of a wide struct is read whole, from CSV and JSONL', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const names = Array.from({ length: 200 }, (_, i) => `a_field_with_a_name_${i}`);
  const type = `STRUCT<${names.map((name) => `${name} INT64`).join(', ')}>`;
  await feedCsv(catalog, integration, csv(`wide,shop,raw,orders,"${type}"`));
  const { id } = await find(catalog, 'shop.raw.orders');
  const { data } = await catalog.graphql(nestedOf, { id });
  expect(data.resource.nestedColumns).toHaveLength(200);
  const resources = [
    { entity_type: 'table', databuilder_id: 't', title: 't', schema: 's', database: 'd' },
    { entity_type: 'column', databuilder_id: 'c', parent_databuilder_id: 't', title: 'c', type },
  ];
  await feedJsonl(catalog, await catalog.integration({ name: 'lines' }), { resources });
  const lines = await catalog.graphql(nestedOf, { id: (await find(catalog, 'd.s.t')).id });
  expect(lines.data.resource.nestedColumns).toHaveLength(200);
});

test('a field that its type no longer has becomes stale', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedCsv(catalog, integration, csv(...orders));
  const fewer = [...orders.slice(0, 2), 'items,shop,raw,orders,ARRAY<STRUCT<sku STRING>>'];
  expect(await feedCsv(catalog, integration, csv(...fewer))).toMatchObject({ staled: 1 });
  expect(await titles(catalog, true)).toEqual(['orders shop.raw.orders.items.qty: INT64']);
});

test('what a source itself names in a column is what its type means', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const column = (databuilder_id: string, parent: string, more: object) => ({
    ...{ entity_type: 'column', databuilder_id, parent_databuilder_id: parent, ...more },
  });
  const resources = [
    { entity_type: 'table', databuilder_id: 't', title: 't', schema: 's', database: 'd' },
    column('t.place', 't', { title: 'place', type: 'row(City varchar, zip varchar)' }),
    column('mine', 't.place', { title: 'city', description: 'Where it is' }),
    column('loose', 't', { title: 'loose', type: 'struct' }),
    column('loose.a', 'loose', { title: 'a' }),
  ];
  await feedJsonl(catalog, integration, { resources });
  expect(await titles(catalog)).toEqual([
    't d.s.t.loose: struct',
    't d.s.t.loose.a: null',
    't d.s.t.place: row(City varchar, zip varchar)',
    't d.s.t.place.city: null',
    't d.s.t.place.zip: varchar',
  ]);
  expect(await feedJsonl(catalog, integration, { resources })).toEqual(counts({ unchanged: 8 }));
});

test('two integrations that describe one table describe the same fields of its columns', async () => {
  await using catalog = await openCatalog();
  const warehouse = await catalog.integration({ name: 'warehouse' });
  const other = await catalog.integration({ name: 'other' });
  await feedCsv(catalog, warehouse, csv(...orders));
  const address = 'bigquery://shop';
  for (const { id } of [warehouse, other]) {
    await setIntegrationAddresses(catalog.admin, id, [{ database: '*', address }]);
  }
  const before = await titles(catalog);
  await feedCsv(catalog, other, csv(...orders));
  expect(await titles(catalog)).toEqual(before);
});

test('lineage of a query leads from field to field, and a change of one reaches what reads it', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  await feedCsv(catalog, integration, csv(...orders, ...view));
  const { id: tableId } = await find(catalog, 'shop.mart.cities');
  const sql =
    'SELECT o.place.city, STRUCT(o.place.geo.lat AS city) AS place FROM shop.raw.orders o';
  await replaceFromQuery(catalog.admin, { sql, dialect: 'bigquery', tableId });

  const edges = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId, level: 'COLUMN', validTo: null },
    include: { source: true, target: true },
  });
  expect(
    edges.map(({ source, target }) => `${source.titleFull} > ${target.titleFull}`).sort(),
  ).toEqual([
    'shop.raw.orders.place.city > shop.mart.cities.city',
    'shop.raw.orders.place.geo.lat > shop.mart.cities.place',
    'shop.raw.orders.place.geo.lat > shop.mart.cities.place.city',
  ]);
  // The column reaches what its fields do, and a field what reads all of its column; another field does not.
  expect(await reachedFrom(catalog, 'shop.raw.orders.place.city')).toEqual([
    'shop.mart.cities',
    'shop.mart.cities.city',
  ]);
  expect(await reachedFrom(catalog, 'shop.raw.orders.place.geo')).toEqual([
    'shop.mart.cities',
    'shop.mart.cities.place',
    'shop.mart.cities.place.city',
  ]);
  expect(await reachedFrom(catalog, 'shop.raw.orders.place.geo.lon')).toEqual([]);
});
