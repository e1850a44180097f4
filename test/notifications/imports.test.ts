// What imports change is noted of what somebody watches, no matter who brought it, and of nothing else.

import { expect, test } from 'vitest';
import { createRule, updateRule } from '../../src/notifications/rule.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { bakery } from '../integrations/imports/bakery.ts';
import {
  feedCsv,
  feedJsonl,
  feedProject,
  leftovers,
  resourceAt,
} from '../integrations/imports/feed.ts';

/** What was noted since the last call, as `title: what`. */
async function noted(catalog: Catalog): Promise<string[]> {
  const { prisma } = catalog.database;
  const { workspaceId } = catalog;
  const changes = await prisma.resourceChange.findMany({ where: { workspaceId } });
  await prisma.resourceChange.deleteMany({ where: { workspaceId } });
  const ids = changes.map(({ resourceId }) => resourceId);
  const found = await prisma.resource.findMany({ where: { workspaceId, id: { in: ids } } });
  const titles = new Map(found.map(({ id, titleFull }) => [id, titleFull]));
  return changes.map(({ resourceId, what }) => `${titles.get(resourceId)}: ${what}`).sort();
}

const tables = (description: string) => ({
  resources: ['a', 'b', 'c'].map((name) => ({
    ...{ entity_type: 'table', databuilder_id: name, title: name, description },
  })),
});

test('of all that changes, rules get what they name by tag or team, and people what is theirs', async () => {
  const catalog = await openCatalog();
  const { admin } = catalog;
  const integration = await catalog.integration();
  await feedJsonl(catalog, integration, tables('first'));
  const [tag, team, group] = [await catalog.tag(), await catalog.team(), await catalog.group()];
  const [a, b, c] = [
    await resourceAt(catalog, 'a'),
    await resourceAt(catalog, 'b'),
    await resourceAt(catalog, 'c'),
  ];
  await updateResource(admin, a.id, { tagIds: [tag.id] });
  await updateResource(admin, b.id, { teamIds: [team.id] });
  await feedJsonl(catalog, integration, tables('second'));
  expect(await noted(catalog)).toEqual([]);

  const of = { name: 'Some', events: ['resource_changed'], emails: ['desk@example.com'] };
  const rule = await createRule(admin, { ...of, tagIds: [tag.id] });
  await feedJsonl(catalog, integration, tables('third'));
  expect(await noted(catalog)).toEqual(['a: description']);
  await updateRule(admin, rule.id, { tagIds: [], teamIds: [team.id] });
  await feedJsonl(catalog, integration, tables('fourth'));
  expect(await noted(catalog)).toEqual(['b: description']);
  await updateRule(admin, rule.id, { teamIds: [] });
  await feedJsonl(catalog, integration, tables('fifth'));
  expect(await noted(catalog)).toEqual(['a: description', 'b: description', 'c: description']);
  await updateRule(admin, rule.id, { isEnabled: false });
  await updateResource(admin, c.id, { ownerGroupIds: [group.id] });
  await noted(catalog);
  await feedJsonl(catalog, integration, tables('sixth'));
  expect(await noted(catalog)).toEqual(['c: description']);
  expect(await leftovers(catalog)).toEqual([]);
});

test('what a project says of a watched table of the warehouse is noted, and a dry run is not', async () => {
  const catalog = await openCatalog();
  const project = await catalog.integration({ type: 'dbt_core' });
  const warehouse = await catalog.integration({ type: 'custom' });
  const columns = `col_name,database,schema,name,col_type,is_view
ID,BAKERY,MAIN,STG_ORDERS,NUMBER,true`;
  await feedCsv(catalog, warehouse, columns);
  const { id } = await resourceAt(catalog, 'BAKERY.MAIN.STG_ORDERS');
  await updateResource(catalog.admin, id, { subscriberIds: [catalog.idOf('editor')] });
  await feedProject(catalog, project, { manifest: bakery() }, { dryRun: true });
  expect(await noted(catalog)).toEqual([]);
  await feedProject(catalog, project, { manifest: bakery() });
  expect(await noted(catalog)).toEqual(
    expect.arrayContaining([
      'BAKERY.MAIN.STG_ORDERS.id: description',
      'BAKERY.MAIN.STG_ORDERS: description',
      'BAKERY.MAIN.STG_ORDERS: sql',
    ]),
  );
  await feedProject(catalog, project, { manifest: bakery() });
  expect(await noted(catalog)).toEqual([]);
});
