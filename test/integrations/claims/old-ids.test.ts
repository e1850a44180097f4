// The ids of resources that were merged into others: wherever an id is taken, they lead to what was kept.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { mergeResources } from '../../../src/integrations/claims/merge-resources.ts';
import { createLineage } from '../../../src/lineage/edge.ts';
import { createMonitor } from '../../../src/monitors/monitor.ts';
import { setValues } from '../../../src/properties/assign.ts';
import { openCatalog } from '../../catalog.ts';
import { feedCsv, resourceAt } from '../imports/feed.ts';

const row = (database: string) => `database,schema,name,col_name\n${database},public,users,id`;

/** A table that another one was merged into, which had a monitor and fed a mart. */
async function openMerged() {
  const catalog = await openCatalog();
  const [one, other] = [await catalog.integration(), await catalog.integration()];
  await feedCsv(catalog, one, row('app'));
  await feedCsv(catalog, other, row('copy'));
  const { id } = await resourceAt(catalog, 'app.public.users');
  const { id: old } = await resourceAt(catalog, 'copy.public.users');
  const mart = await catalog.resource({ title: 'mart' });
  await createLineage(catalog.admin, { fromId: old, toId: mart.id });
  await createMonitor(catalog.admin, { targetId: old, metricType: 'row_count', name: 'Rows' });
  await mergeResources(catalog.admin, { keep: id, merge: old });
  return { catalog, id, old, mart: mart.id };
}

test('every field that reads by the id of a resource reads what was kept', async () => {
  const { catalog, id, old, mart } = await openMerged();
  const ask = async (fields: string) => {
    const query = `query ($id: ID!, $mart: ID!) { ${fields} mart: resource(id: $mart) { id } }`;
    const answer = async (of: string) => {
      const { data, errors } = await catalog.graphql(query, { id: of, mart });
      return { data, errors };
    };
    const [now, before] = [await answer(id), await answer(old)];
    expect(now.errors).toBeUndefined();
    expect({ fields, ...before }).toEqual({ fields, ...now });
    return now.data;
  };
  for (const fields of [
    'node(id: $id) { id }',
    'lineage(from: [$id]) { nodes { resource { id } } }',
    'impact(of: [$id]) { tables { resource { id } } }',
    'lineageMoments(from: [$id])',
    'lineagePath(from: $id, to: $mart) { id }',
    'lineageFromQuery(tableId: $id, sql: "select 1 as id", dialect: "postgres") { targetTable { name } }',
    'resourceLogs(resourceId: $id) { totalCount }',
  ]) {
    await ask(fields);
  }
  const counted = [
    'lineageEntries(fromIds: [$id])',
    'monitors(targetId: $id)',
    'monitors(where: { targetId: { eq: $id } })',
    'monitors(where: { target: { id: { in: [$id, $mart] } } })',
    'resources(parentId: $id)',
    'resources(where: { id: { eq: $id } })',
    'resources(where: { parentId: { in: [$id] } })',
  ];
  for (const list of counted) {
    expect({ list, found: (await ask(`found: ${list} { totalCount }`)).found }).toEqual({
      ...{ list, found: { totalCount: 1 } },
    });
  }
  const none = 'found: incidents(targetId: $id, where: { targetId: { eq: $id } }) { totalCount }';
  expect((await ask(none)).found).toEqual({ totalCount: 0 });
  const { status, body } = await catalog.rest('GET', `/resource/catalog?parent_id=${old}`);
  expect([status, body.count]).toEqual([200, 1]);
});

test('the audit log answers with what was done to either, by the id of either', async () => {
  const { catalog, id, old } = await openMerged();
  const query = `query ($id: ID!) {
    auditLogs(where: { resourceId: { eq: $id } }) { nodes { activityType resourceId } } }`;
  for (const asked of [id, old]) {
    const { data } = await catalog.graphql(query, { id: asked });
    const done = data.auditLogs.nodes.map(
      (one: { activityType: string; resourceId: string }) =>
        `${one.activityType} ${one.resourceId === id ? 'kept' : one.resourceId === old ? 'merged' : '?'}`,
    );
    expect(done.sort()).toEqual(['lineage_created merged', 'resources_merged kept']);
    const filter = { operator: 'exact', field: 'resource_id', value: asked };
    const path = `/activity_log/audit_logs/?filter=${encodeURIComponent(JSON.stringify(filter))}`;
    const { status, body } = await catalog.rest('GET', path);
    expect([status, body.count]).toEqual([200, 2]);
  }
  const { data } = await catalog.graphql(query, { id: randomUUID() });
  expect(data.auditLogs.nodes).toEqual([]);
});

test('every write by the id of a resource is done to what was kept', async () => {
  const { catalog, id, old } = await openMerged();
  const write = async (fields: string) => {
    const query = `mutation ($id: ID!) { done: ${fields} }`;
    const { data, errors } = await catalog.graphql(query, { id: old });
    expect({ fields, errors }).toEqual({ fields, errors: undefined });
    return data.done;
  };
  for (const fields of [
    'subscribeToResource(id: $id) { id }',
    'bookmarkResource(id: $id) { id }',
    'viewResource(id: $id) { id }',
    'updateResource(id: $id, input: { description: "New" }) { id }',
  ]) {
    expect({ fields, done: await write(fields) }).toEqual({ fields, done: { id } });
  }
  const column =
    'createResource(kind: column, input: { title: "email", parentId: $id }) { parentId }';
  expect(await write(column)).toEqual({ parentId: id });
  const rule = `createNotificationRule(input: {
    name: "Rule", events: [resource_changed], resourceIds: [$id], emails: ["a@example.com"] }) { resourceIds }`;
  expect(await write(rule)).toEqual({ resourceIds: [id] });
});

test('values of custom properties are set on what was kept, and name it', async () => {
  const { catalog, id, old } = await openMerged();
  const property = await catalog.property({ valueType: 'resource', entityTypes: ['table'] });
  await setValues(catalog.admin, [old], new Map([[property.id, old]]));
  const { workspaceId, database } = catalog;
  const found = await database.prisma.customPropertyValue.findMany({ where: { workspaceId } });
  expect(found).toMatchObject([{ resourceId: id, value: id }]);
});

test('the id of a resource that the viewer may not see leads nowhere', async () => {
  const { catalog, id, old } = await openMerged();
  await catalog.graphql(
    'mutation ($id: ID!) { updateResource(id: $id, input: { published: false }) { id } }',
    {
      id,
    },
  );
  const ask = (query: string) => catalog.graphql(query, { id: old }, { as: 'viewer' });
  const bookmarked = await ask('mutation ($id: ID!) { bookmarkResource(id: $id) { id } }');
  expect(bookmarked.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const walked = await ask(
    'query ($id: ID!) { lineage(from: [$id]) { nodes { resource { id } } } }',
  );
  expect(walked.errors?.[0]?.extensions.code).toBe('NOT_FOUND');
  const listed = await ask(
    'query ($id: ID!) { resources(where: { id: { eq: $id } }) { totalCount } }',
  );
  expect(listed.data.resources).toEqual({ totalCount: 0 });
});
