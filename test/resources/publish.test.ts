// What is published and unpublished with what: the parts of a resource go with it, all else stays.

import { expect, test } from 'vitest';
import { readMigrations } from '../../src/database/migrations/migrate.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import type { Kind } from '../../src/resources/kind.ts';
import { createQuestion, createReply } from '../../src/resources/questions/question.ts';
import { getResource, listResources } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { feedJsonl, resourceAt } from '../integrations/imports/feed.ts';

async function seenBy(catalog: Catalog, kinds: readonly Kind[]): Promise<string[]> {
  const sort = [{ field: 'title' }];
  const { nodes } = await listResources(catalog.as('viewer'), { kinds, sort }, { first: 50 });
  return nodes.map(({ title }) => title);
}

const publish = (catalog: Catalog, { id }: { id: string }, published: boolean) =>
  updateResource(catalog.as('editor'), id, { published });

test('the columns of a table are unpublished and published with it, in one entry', async () => {
  await using catalog = await openCatalog();
  const schema = await catalog.resource({ kind: 'schema', title: 'public' });
  const table = await catalog.resource({ title: 'orders', parentId: schema.id });
  const other = await catalog.resource({ title: 'customers', parentId: schema.id });
  const column = (title: string, parentId: string) =>
    catalog.resource({ kind: 'column', title, parentId });
  const address = await column('address', table.id);
  await column('city', address.id);
  await column('name', other.id);
  expect(await seenBy(catalog, ['table', 'column'])).toEqual([
    ...['address', 'city', 'customers', 'name', 'orders'],
  ]);
  const { workspaceId, database } = catalog;
  const entries = () => database.prisma.auditLog.count({ where: { workspaceId } });
  const before = await entries();
  await publish(catalog, table, false);
  expect(await entries()).toBe(before + 1);
  expect(await seenBy(catalog, ['table', 'column'])).toEqual(['customers', 'name']);
  await publish(catalog, table, true);
  expect(await seenBy(catalog, ['table', 'column'])).toHaveLength(5);
  // What lies in a schema is no part of it.
  await publish(catalog, schema, false);
  expect(await seenBy(catalog, ['schema', 'table', 'column'])).toHaveLength(5);
});

test('a single column may be kept back, until the table is changed', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  const column = await catalog.resource({ kind: 'column', title: 'amount', parentId: table.id });
  await publish(catalog, column, false);
  await updateResource(catalog.admin, table.id, { published: true, description: 'What was sold' });
  expect(await seenBy(catalog, ['table', 'column'])).toEqual(['orders']);
  await publish(catalog, table, false);
  await publish(catalog, table, true);
  expect(await seenBy(catalog, ['table', 'column'])).toEqual(['amount', 'orders']);
});

test('replies are seen with their question, also what editors reply while it is not', async () => {
  await using catalog = await openCatalog();
  const question = await createQuestion(catalog.as('viewer'), { title: 'Gross?' });
  const parentId = question.id;
  await createReply(catalog.as('viewer'), { parentId, title: 'before', definition: 'Net.' });
  await publish(catalog, question, false);
  await createReply(catalog.admin, { parentId, title: 'meanwhile', definition: 'Hush.' });
  expect(await seenBy(catalog, ['question', 'question_reply'])).toEqual([]);
  await publish(catalog, question, true);
  expect(await seenBy(catalog, ['question', 'question_reply'])).toEqual([
    ...['Gross?', 'before', 'meanwhile'],
  ]);
});

test('who watches a column learns that it was published with its table', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  const subscriberIds = [catalog.idOf('admin')];
  const about = { kind: 'column', title: 'amount', parentId: table.id, subscriberIds } as const;
  const column = await catalog.resource(about);
  await catalog.resource({ kind: 'column', title: 'unwatched', parentId: table.id });
  await publish(catalog, table, false);
  const where = { workspaceId: catalog.workspaceId };
  const noted = await catalog.database.prisma.resourceChange.findMany({ where });
  expect(noted).toMatchObject([{ resourceId: column.id, what: 'published', after: 'no' }]);
});

test('what an import adds to an unpublished table stays unpublished, and nothing else does', async () => {
  await using catalog = await openCatalog();
  const integration = await catalog.integration();
  const shop = (...columns: string[]) => ({
    resources: [
      ...['orders', 'customers'].map((title) => ({
        ...{ entity_type: 'table', databuilder_id: title, title },
      })),
      ...columns.flatMap((title) =>
        ['orders', 'customers'].map((table) => ({
          ...{ entity_type: 'column', databuilder_id: `${table}.${title}`, title },
          ...{ parent_databuilder_id: table },
        })),
      ),
      ...columns.map((title) => ({
        ...{ entity_type: 'column', databuilder_id: `orders.${title}.within`, title: 'within' },
        ...{ parent_databuilder_id: `orders.${title}` },
      })),
    ],
  });
  await feedJsonl(catalog, integration, shop('id'));
  const published = async (key: string) => {
    const { id } = await resourceAt(catalog, key);
    return (await getResource(catalog.admin, id)).published;
  };
  expect(await published('orders.id.within')).toBe(true);
  await publish(catalog, await resourceAt(catalog, 'orders'), false);
  await feedJsonl(catalog, integration, shop('id', 'new'));
  const keys = ['orders', 'orders.id', 'orders.new', 'orders.new.within', 'customers.new'];
  expect(await Promise.all(keys.map(published))).toEqual([false, false, false, false, true]);
});

test('what an earlier version left visible of an unpublished table is unpublished by the migration', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { prisma } = catalog.database;
  const of = async (holder: Kind, part: Kind, published: boolean) => {
    const { id } = await catalog.resource({ kind: holder });
    const { id: within } = await catalog.resource({ kind: part, parentId: id });
    await prisma.resource.updateMany({ where: { id }, data: { published } });
    await prisma.resource.updateMany({ where: { id: within }, data: { published: true } });
    return within;
  };
  const column = await of('table', 'column', false);
  const { id: nested } = await catalog.resource({ kind: 'column', parentId: column });
  await prisma.resource.updateMany({ where: { id: nested }, data: { published: true } });
  const hidden = [
    ...[column, nested],
    ...[await of('event', 'event_property', false), await of('question', 'question_reply', false)],
  ];
  // What lies in a schema is no part of it.
  const visible = [await of('table', 'column', true), await of('schema', 'table', false)];
  const found = async () => {
    const all = await prisma.resource.findMany({ orderBy: { id: 'asc' } });
    return new Map(all.map((one) => [one.id, one]));
  };
  const before = await found();
  const name = (await readMigrations()).find((one) => one.name.endsWith('_parts_of_unpublished'));

  await catalog.owner.query(name?.sql ?? '');

  const after = await found();
  for (const [id, { published, version, updatedAt }] of before) {
    const isMended = hidden.includes(id);
    expect(after.get(id)).toMatchObject({
      published: published && !isMended,
      version: version + (isMended ? 1 : 0),
    });
    if (!isMended) expect(after.get(id)).toMatchObject({ updatedAt });
    else expect(after.get(id)?.updatedAt).not.toEqual(updatedAt);
  }
  expect(visible.map((id) => after.get(id)?.published)).toEqual([true, true]);

  await catalog.owner.query(name?.sql ?? '');
  expect(await found()).toEqual(after);
});
