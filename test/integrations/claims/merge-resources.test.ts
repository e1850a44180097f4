// Two resources that people say are one: nothing of either is lost, and the id of the one leads to the other.

import { expect, test } from 'vitest';
import { mergeResources } from '../../../src/integrations/claims/merge-resources.ts';
import { createLineage } from '../../../src/lineage/edge.ts';
import { createMonitor } from '../../../src/monitors/monitor.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { getResource } from '../../../src/resources/resource.ts';
import { openCatalog } from '../../catalog.ts';
import { feedCsv, resourceAt } from '../imports/feed.ts';

const rows = (database: string, ...columns: string[]) =>
  ['database,schema,name,col_name,col_type']
    .concat(columns.map((column) => `${database},public,users,${column},NUMBER`))
    .join('\n');

/** Two sources that hold what is one table, under different names of its database. */
async function openTwo() {
  const catalog = await openCatalog();
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  await feedCsv(catalog, one, rows('app', 'id', 'name'));
  await feedCsv(catalog, other, rows('copy', 'id', 'email'));
  const kept = await resourceAt(catalog, 'app.public.users');
  const gone = await resourceAt(catalog, 'copy.public.users');
  return { catalog, one, other, kept, gone };
}

test('texts, columns, monitors and lineage of both hang on the one that is kept', async () => {
  const { catalog, one, other, kept, gone } = await openTwo();
  const ctx = () => catalog.admin;
  const id = await resourceAt(catalog, 'copy.public.users.id');
  const mart = await catalog.resource({ title: 'mart' });
  await updateResource(ctx(), gone.id, {
    definition: 'Written on the copy',
    description: 'Copied',
    ownerIds: [catalog.idOf('viewer')],
  });
  await updateResource(ctx(), kept.id, { description: 'Kept', ownerIds: [catalog.idOf('editor')] });
  const { id: monitorId } = await createMonitor(ctx(), {
    ...{ targetId: gone.id, metricType: 'row_count', name: 'Rows' },
  });
  await createLineage(ctx(), { fromId: gone.id, toId: mart.id });

  const merged = await mergeResources(ctx(), { keep: kept.id, merge: gone.id });

  expect(merged).toMatchObject({
    ...{ id: kept.id, definition: 'Written on the copy', description: 'Kept' },
    ...{ integrationId: one.id, sourceIds: [other.id], stale: false },
  });
  // Owners whom people named on either.
  expect(merged.ownerIds.toSorted()).toEqual(
    [catalog.idOf('viewer'), catalog.idOf('editor')].toSorted(),
  );
  const { prisma } = catalog.database;
  const { workspaceId } = catalog;
  const columns = await prisma.resource.findMany({ where: { workspaceId, parentId: kept.id } });
  expect(columns.map(({ titleFull }) => titleFull).sort()).toEqual([
    ...['app.public.users.email', 'app.public.users.id', 'app.public.users.name'],
  ]);
  expect((await prisma.monitor.findFirstOrThrow({ where: { id: monitorId } })).targetId).toBe(
    kept.id,
  );
  const edges = await prisma.lineageEdge.findMany({ where: { workspaceId } });
  expect(edges.map(({ sourceId, targetId }) => [sourceId, targetId])).toEqual([[kept.id, mart.id]]);
  // The old ids answer, of the table as of its column.
  expect((await getResource(ctx(), gone.id)).id).toBe(kept.id);
  const column = columns.find(({ title }) => title === 'id');
  expect((await getResource(ctx(), id.id)).id).toBe(column?.id);
});

test('the next upload of either means the one, and changes nothing', async () => {
  const { catalog, one, other, kept, gone } = await openTwo();
  await mergeResources(catalog.admin, { keep: kept.id, merge: gone.id });
  expect(await feedCsv(catalog, other, rows('copy', 'id', 'email'))).toMatchObject({
    ...{ created: 0, staled: 0, shared: { claimed: 0, left: 0, merged: 0 } },
  });
  await feedCsv(catalog, one, rows('app', 'id', 'name'));
  expect(await getResource(catalog.admin, gone.id)).toMatchObject({
    ...{ id: kept.id, integrationId: one.id, sourceIds: [other.id] },
  });
});

test('GraphQL and REST answer an old id with the record of what was kept, and its history is whole', async () => {
  const { catalog, kept, gone } = await openTwo();
  await updateResource(catalog.admin, gone.id, { description: 'Before' });
  const { data } = await catalog.graphql(
    `mutation ($keep: ID!, $merge: ID!) {
      mergeResources(keep: $keep, merge: $merge) { id mergedFrom describers { role isOwner isLive } }
    }`,
    { keep: kept.id, merge: gone.id },
  );
  expect(data.mergeResources).toEqual({
    ...{ id: kept.id, mergedFrom: [gone.id] },
    describers: [
      { role: 'file', isOwner: true, isLive: true },
      { role: 'file', isOwner: false, isLive: true },
    ],
  });
  const asked = await catalog.graphql('query ($id: ID!) { resource(id: $id) { id title } }', {
    id: gone.id,
  });
  expect(asked.data.resource).toEqual({ id: kept.id, title: 'users' });
  const { status, body } = await catalog.rest('GET', `/resource/catalog/${gone.id}`);
  expect([status, body.id]).toEqual([200, kept.id]);
  const entries = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId, resourceId: { in: [kept.id, gone.id] } },
    orderBy: { sequence: 'asc' },
  });
  expect(entries.map(({ activityType, resourceId }) => [activityType, resourceId])).toEqual([
    ['table_updated', gone.id],
    ['resources_merged', kept.id],
  ]);
});

test('a table is merged into no schema, and no two tables of one source are merged', async () => {
  const { catalog, one, kept } = await openTwo();
  const schema = await resourceAt(catalog, 'copy.public');
  const merge = (keep: string, other: string) =>
    mergeResources(catalog.admin, { keep, merge: other });
  await expect(merge(kept.id, schema.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(merge(kept.id, kept.id)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await feedCsv(catalog, one, `${rows('app', 'id')}\napp,public,others,id,NUMBER`);
  const others = await resourceAt(catalog, 'app.public.others');
  await expect(merge(kept.id, others.id)).rejects.toMatchObject({ code: 'CONFLICT' });
  await expect(
    mergeResources(catalog.as('viewer'), { keep: kept.id, merge: others.id }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});

test('an integration counts what it describes, and what of that lies in it', async () => {
  const { catalog, one, other, kept, gone } = await openTwo();
  const counts = async () => {
    const query = '{ integrations { nodes { id describedCount ownedCount } } }';
    const { data } = await catalog.graphql(query);
    return [one.id, other.id].map((id) => {
      const found = data.integrations.nodes.find((node: { id: string }) => node.id === id);
      return [found?.describedCount, found?.ownedCount];
    });
  };
  // A database, a schema, a table and two columns of each.
  expect(await counts()).toEqual([
    [5, 5],
    [5, 5],
  ]);
  await mergeResources(catalog.admin, { keep: kept.id, merge: gone.id });
  // The table and its column `id` are described by both, and lie in the first.
  expect(await counts()).toEqual([
    [5, 5],
    [5, 3],
  ]);
});

test('a dry run merges nothing', async () => {
  const { catalog, kept, gone } = await openTwo();
  await mergeResources(catalog.admin, { keep: kept.id, merge: gone.id, dryRun: true });
  expect((await getResource(catalog.admin, gone.id)).id).toBe(gone.id);
});
