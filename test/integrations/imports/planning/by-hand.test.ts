// What people made by hand before a source named it: what they wrote of it stays.

import { expect, test } from 'vitest';
import { deleteIntegration } from '../../../../src/integrations/delete-integration.ts';
import { createMonitor } from '../../../../src/monitors/monitor.ts';
import { getResource } from '../../../../src/resources/resource.ts';
import { openCatalog } from '../../../catalog.ts';
import { bakery } from '../bakery.ts';
import { feedJsonl, feedProject } from '../feed.ts';
import { makeWarehouses } from '../permuted/steps.ts';

test('what a resource was created with by hand is not overwritten by the import of its key', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const tag = await catalog.tag();
  const owner = await catalog.user({ email: 'hers@example.com' });
  const mine = { description: 'Mine.', tags: [tag.id], owners: [owner.id] };
  const { status, body } = await catalog.rest('POST', '/resource/catalog', {
    body: {
      ...{ entity_type: 'table', integration: integration.id, databuilder_id: 'shop.orders' },
      ...{ title: 'orders', definition: 'Mine at length.', ...mine },
    },
  });
  expect(status).toBe(201);
  const other = { description: 'Theirs.', definition: 'Theirs.', tags: ['other'] };
  const line = { entity_type: 'table', databuilder_id: 'shop.orders', native_type: 'view' };
  const resources = [{ ...line, ...other, owners: ['admin@example.com'] }];

  expect(await feedJsonl(catalog, integration, { resources })).toMatchObject({ updated: 1 });

  expect(await getResource(catalog.admin, body.id)).toMatchObject({
    ...{ description: 'Mine.', definition: 'Mine at length.', definitionVersion: 1 },
    ...{ tagIds: [tag.id], ownerIds: [owner.id], nativeType: 'view' },
    editedFields: ['description', 'definition', 'tags', 'owners'],
  });
});

test('what a resource was created without, the import fills', async () => {
  await using catalog = await openCatalog();
  const { id: integrationId } = await catalog.integration();
  const key = { integrationId, databuilderId: 'shop.orders' };
  const { id } = await catalog.resource({ ...key, description: null, definition: '', tagIds: [] });
  const line = { entity_type: 'table', databuilder_id: 'shop.orders', title: 'orders' };
  const said = { description: 'Theirs.', definition: 'Theirs.', tags: ['other'] };
  await feedJsonl(catalog, { id: integrationId }, { resources: [{ ...line, ...said }] });
  const after = await getResource(catalog.admin, id);
  expect(after).toMatchObject({ description: 'Theirs.', definition: 'Theirs.', editedFields: [] });
  expect(after.tagIds).toHaveLength(1);
});

test('a project that has a table made by hand leaves what was written of it', async () => {
  await using catalog = await openCatalog();
  const project = await catalog.integration({ type: 'dbt_core' });
  const database = await catalog.resource({ kind: 'database', title: 'bakery' });
  const schema = await catalog.resource({ kind: 'schema', title: 'main', parentId: database.id });
  const { id } = await catalog.resource({
    ...{ title: 'stg_orders', parentId: schema.id, description: 'Mine.' },
  });
  await feedProject(catalog, project, { manifest: bakery() });
  expect(await getResource(catalog.admin, id)).toMatchObject({
    description: 'Mine.',
    sourceIds: [project.id],
    creationQuery: 'select 1 as stg_orders',
  });
});

test('a table made by hand is measured through the source that has it, and stays when that is deleted', async () => {
  await using catalog = await openCatalog();
  const { id: integrationId } = await catalog.integration({ name: 'W', type: 'duckdb' });
  const database = await catalog.resource({ kind: 'database', title: 'wh' });
  const schema = await catalog.resource({ kind: 'schema', title: 'core', parentId: database.id });
  const mine = { title: 'core', parentId: schema.id, description: 'Mine.' };
  const { id } = await catalog.resource(mine);
  const place = { catalog, ids: new Map([['W', integrationId]]) };
  await using warehouses = await makeWarehouses({
    full: ['create schema core', 'create table core.core (id bigint)'],
    empty: ['create schema core'],
  });
  await warehouses.sync('full')(place, integrationId);

  const measured = await getResource(catalog.admin, id);
  expect(measured).toMatchObject({ integrationId, description: 'Mine.', nativeType: 'table' });
  const monitor = { targetId: id, metricType: 'row_count', name: 'Rows' };
  expect(await createMonitor(catalog.admin, monitor)).toMatchObject({ integrationId });

  await warehouses.sync('empty')(place, integrationId);
  expect(await getResource(catalog.admin, id)).toMatchObject({ stale: true });
  await deleteIntegration(catalog.admin, integrationId);
  expect(await getResource(catalog.admin, id)).toMatchObject({
    ...{ integrationId: null, databuilderId: null, stale: false, description: 'Mine.' },
  });
});
