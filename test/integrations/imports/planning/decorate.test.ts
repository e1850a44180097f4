// A project's tables that a warehouse brought already: decorated, not doubled.

import { expect, test } from 'vitest';
import { updateResource } from '../../../../src/resources/editing/edit.ts';
import { openCatalog } from '../../../catalog.ts';
import { bakery } from '../bakery.ts';
import {
  counts,
  edgesOf,
  feedCsv,
  feedJsonl,
  feedProject,
  resourceAt,
  resourcesOf,
} from '../feed.ts';

const open = async () => {
  const catalog = await openCatalog();
  const project = await catalog.integration({ type: 'dbt_core' });
  return { catalog, project, warehouse: await catalog.integration({ type: 'duckdb' }) };
};

const rows = `col_name,database,schema,name,col_type,is_view
ID,BAKERY,MAIN,STG_ORDERS,NUMBER,true
EXTRA,BAKERY,MAIN,STG_ORDERS,TEXT,true
ID,OTHER,MAIN,STG_ORDERS,NUMBER,true`;

test('a table of the same database, schema and name is the project`s, whatever the case', async () => {
  const { catalog, project, warehouse } = await open();
  await feedCsv(catalog, warehouse, rows);
  const before = await resourceAt(catalog, 'BAKERY.MAIN.STG_ORDERS');

  const made = await feedProject(catalog, project, { manifest: bakery() });

  expect(await resourceAt(catalog, 'BAKERY.MAIN.STG_ORDERS')).toMatchObject({
    id: before.id,
    integrationId: warehouse.id,
    sourceIds: [project.id],
    title: 'STG_ORDERS',
    nativeType: 'view',
    description: 'Orders as the till tells them',
    creationQuery: 'select 1 as stg_orders',
    sourceMetadata: { transform: { name: 'stg_orders', materialized: 'view' } },
  });
  // Its columns are the warehouse's, with the project's descriptions.
  expect(await resourceAt(catalog, 'BAKERY.MAIN.STG_ORDERS.id')).toMatchObject({
    type: 'NUMBER',
    description: 'Number of the receipt',
  });
  const titles = [...(await resourcesOf(catalog)).keys()].map((title) => title.toLowerCase());
  for (const once of ['bakery', 'bakery.main', 'bakery.main.stg_orders.id']) {
    expect(titles.filter((title) => title === once)).toEqual([once]);
  }
  // The table in another database is another table.
  expect((await resourceAt(catalog, 'OTHER.MAIN.STG_ORDERS')).sourceIds).toEqual([]);
  // Lineage leads through the warehouse's table.
  expect(await edgesOf(catalog)).toContain('BAKERY.raw.orders > BAKERY.MAIN.STG_ORDERS');
  expect(made.updated).toBeGreaterThan(0);
});

test('both may come again in any order, and nothing changes', async () => {
  const { catalog, project, warehouse } = await open();
  await feedCsv(catalog, warehouse, rows);
  await feedProject(catalog, project, { manifest: bakery() });
  const nothing = { created: 0, updated: 0, staled: 0, lineage: { created: 0, ended: 0 } };
  for (let round = 0; round < 2; round++) {
    expect(await feedProject(catalog, project, { manifest: bakery() })).toMatchObject(nothing);
    expect(await feedCsv(catalog, warehouse, rows)).toEqual(counts({ unchanged: 9 }));
  }
});

test('what a person wrote about the table stands before what the project says', async () => {
  const { catalog, project, warehouse } = await open();
  await feedCsv(catalog, warehouse, rows);
  const { id } = await resourceAt(catalog, 'BAKERY.MAIN.STG_ORDERS');
  const tag = await catalog.tag();
  await updateResource(catalog.admin, id, { description: 'By hand', tagIds: [tag.id] });
  await feedProject(catalog, project, { manifest: bakery() });
  expect(await resourceAt(catalog, 'BAKERY.MAIN.STG_ORDERS')).toMatchObject({
    description: 'By hand',
    tagIds: [tag.id],
    creationQuery: 'select 1 as stg_orders',
  });
});

test('a table that the project drops is the warehouse`s alone again, and not stale', async () => {
  const { catalog, project, warehouse } = await open();
  await feedCsv(catalog, warehouse, 'col_name,database,schema,name\nid,bakery,main,alone');
  await feedProject(catalog, project, { manifest: bakery() });
  expect((await resourceAt(catalog, 'bakery.main.alone')).sourceIds).toEqual([project.id]);
  const manifest = bakery();
  delete manifest.nodes['model.bakery.alone'];
  await feedProject(catalog, project, { manifest });
  expect(await resourceAt(catalog, 'bakery.main.alone')).toMatchObject({
    sourceIds: [],
    stale: false,
    integrationId: warehouse.id,
  });
});

test('a stale table that a project names is back, and one of another workspace is another', async () => {
  const { catalog, project, warehouse } = await open();
  const place = { database: 'bakery', schema: 'main' };
  const line = { entity_type: 'table', databuilder_id: 'old', title: 'alone', ...place };
  await feedJsonl(catalog, warehouse, { resources: [line] });
  await feedJsonl(catalog, warehouse, { resources: [] }, { force: true });
  const other = await catalog.another();
  await feedJsonl(other, await other.integration(), { resources: [line] });

  await feedProject(catalog, project, { manifest: bakery() });

  expect(await resourceAt(catalog, 'bakery.main.alone')).toMatchObject({
    ...{ stale: false, integrationId: project.id, sourceIds: [] },
  });
  expect((await resourceAt(other, 'bakery.main.alone')).sourceIds).toEqual([]);
});
