// Resources: creating, reading, changing, deleting, and who may do what.

import { expect, test } from 'vitest';
import type { Resource } from '../../src/generated/prisma/client.ts';
import { archiveResource, restoreResource } from '../../src/resources/editing/archive.ts';
import { listVersions } from '../../src/resources/editing/documentation-version.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { createQuestion } from '../../src/resources/questions/question.ts';
import { getResource, listResources } from '../../src/resources/resource.ts';
import { openCatalog } from '../catalog.ts';

const titles = (page: { nodes: readonly Resource[] }) => page.nodes.map(({ title }) => title);

test('a table carries the names of what it lies in, and so do its columns', async () => {
  await using catalog = await openCatalog();
  const database = await catalog.resource({ kind: 'database', title: 'shop' });
  const schema = await catalog.resource({ kind: 'schema', title: 'public', parentId: database.id });
  const table = await catalog.resource({ title: 'orders', parentId: schema.id });
  const column = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });

  expect(table).toMatchObject({ titleFull: 'shop.public.orders', databaseName: 'shop' });
  expect(column).toMatchObject({
    titleFull: 'shop.public.orders.id',
    schemaName: 'public',
    tableName: 'orders',
  });
});

test('a new title shows in the full titles of all that lies below, and nowhere else', async () => {
  await using catalog = await openCatalog();
  const database = await catalog.resource({ kind: 'database', title: 'shop' });
  const schema = await catalog.resource({ kind: 'schema', title: 'public', parentId: database.id });
  const table = await catalog.resource({ title: 'orders', parentId: schema.id });
  const other = await catalog.resource({ title: 'public' });

  await updateResource(catalog.admin, database.id, { title: 'store' });

  const renamed = await getResource(catalog.admin, table.id);
  expect(renamed).toMatchObject({ titleFull: 'store.public.orders', databaseName: 'store' });
  expect(await getResource(catalog.admin, other.id)).toMatchObject({ titleFull: 'public' });
});

test('a parent of the wrong kind is refused, and nothing is made', async () => {
  await using catalog = await openCatalog();
  const chart = await catalog.resource({ kind: 'chart', title: 'revenue' });

  const making = catalog.resource({ title: 'orders', parentId: chart.id });

  await expect(making).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'parent' }],
  });
  expect(titles(await listResources(catalog.admin, { kinds: ['table'] }, {}))).toEqual([]);
});

test('a resource cannot be moved into what lies within it', async () => {
  await using catalog = await openCatalog();
  const outer = await catalog.resource({ kind: 'document', title: 'outer' });
  const inner = await catalog.resource({ kind: 'document', title: 'inner', parentId: outer.id });

  for (const parentId of [inner.id, outer.id]) {
    await expect(updateResource(catalog.admin, outer.id, { parentId })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
  expect((await getResource(catalog.admin, outer.id)).parentId).toBeNull();
});

test('ids of another workspace name nothing, in sets as in places', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const foreign = await other.resource({ kind: 'schema', title: 'secret' });
  const tag = await other.tag();

  await expect(getResource(catalog.admin, foreign.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(catalog.resource({ tagIds: [tag.id] })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'tags' }],
  });
  await expect(catalog.resource({ parentId: foreign.id })).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'parent' }],
  });
});

test('each changed definition is a version, and an unchanged one is none', async () => {
  await using catalog = await openCatalog();
  const page = await catalog.resource({ kind: 'document', title: 'Guide', definition: 'one' });

  await updateResource(catalog.admin, page.id, { definition: 'two' });
  await updateResource(catalog.admin, page.id, { definition: 'two', description: 'same words' });
  const last = await updateResource(catalog.admin, page.id, { definition: 'three' });

  expect(last.definitionVersion).toBe(3);
  const { nodes } = await listVersions(catalog.admin, page.id, {});
  expect(nodes.map(({ version, definition }) => [version, definition])).toEqual([
    [3, 'three'],
    [2, 'two'],
    [1, 'one'],
  ]);
});

test('a change that leaves a field out leaves it alone, and null clears it', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ description: 'all orders', icon: '📦' });

  const changed = await updateResource(catalog.admin, table.id, { icon: null, pii: true });

  expect(changed).toMatchObject({ description: 'all orders', icon: null, pii: true });
});

test('what a person edited is marked so that imports leave it alone', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({});
  const changed = await updateResource(catalog.admin, table.id, { description: 'x', pii: true });
  expect(changed.editedFields).toEqual(['description']);
});

test('what is saved as it is, is not marked as edited, whatever else the same change edits', async () => {
  await using catalog = await openCatalog();
  const [tag, owner] = [await catalog.tag(), await catalog.user()];
  const told = {
    description: 'Told.',
    definition: '# Told',
    tagIds: [tag.id],
    ownerIds: [owner.id],
  };
  const table = await catalog.resource(told);
  // As if a source had said it.
  const releaseFields = [...table.editedFields];
  await updateResource(catalog.admin, table.id, { releaseFields });
  const same = { ...told, description: 'Edited.' };
  const changed = await updateResource(catalog.admin, table.id, same);
  expect(changed.editedFields).toEqual(['description']);
  const none = { addTagIds: [tag.id.toUpperCase()], removeTagIds: null, removeOwnerIds: [] };
  expect((await updateResource(catalog.admin, table.id, none)).editedFields).toEqual([
    'description',
  ]);
  // What there is nothing of, is cleared by no one.
  const empty = await catalog.resource();
  const blank = { description: '', definition: null, tagIds: [], ownerIds: null };
  expect((await updateResource(catalog.admin, empty.id, blank)).editedFields).toEqual([]);
  const cleared = await updateResource(catalog.admin, table.id, blank);
  expect(cleared.editedFields).toEqual(['description', 'definition', 'tags', 'owners']);
});

test('fields are handed back to the source by editors, and the log says which', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ description: 'Told.' });
  const edit = { description: 'Edited.', definition: '# Edited' };
  await updateResource(catalog.admin, id, edit);
  const body = { release_fields: ['description', 'tags'], definition: '# Edited' };
  const { status } = await catalog.rest('PATCH', `/resource/all/${id}`, { body });
  const released = await getResource(catalog.admin, id);
  expect([status, released.editedFields]).toEqual([200, ['definition']]);
  // The words stay until the source says others.
  expect(released).toMatchObject(edit);
  const [entry] = await catalog.database.prisma.auditLog.findMany({
    where: { resourceId: id },
    orderBy: { loggedAt: 'desc' },
  });
  expect(entry?.changes).toMatchObject([
    { field: 'editedFields', before: ['description', 'definition'], after: ['definition'] },
  ]);
  // What one change both hands back and makes different stays with people.
  const both = { definition: '# More', releaseFields: ['definition'] };
  expect((await updateResource(catalog.admin, id, both)).editedFields).toEqual(['definition']);

  const wrong = { body: { release_fields: ['title'] } };
  const refused = await catalog.rest('PATCH', `/resource/all/${id}`, wrong);
  expect([refused.status, refused.body.errors]).toEqual([
    400,
    [{ field: 'release_fields', message: expect.stringContaining('description, definition') }],
  ]);
  const own = await createQuestion(catalog.as('viewer'), { title: 'mine' });
  const viewers = { releaseFields: ['description'] };
  const releasing = updateResource(catalog.as('viewer'), own.id, viewers);
  await expect(releasing).rejects.toMatchObject({ fields: [{ field: 'release_fields' }] });
});

test('deleting hides a resource with all it holds, and restoring brings back just those', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  const kept = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
  const gone = await catalog.resource({ kind: 'column', title: 'old', parentId: table.id });
  catalog.setTime(new Date('2030-01-01T00:00:00Z'));
  await archiveResource(catalog.admin, gone.id);
  catalog.setTime(new Date('2030-01-02T00:00:00Z'));

  await archiveResource(catalog.admin, table.id);
  for (const { id } of [table, kept, gone]) {
    await expect(getResource(catalog.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await getResource(catalog.admin, id, { archived: true })).archived).toBe(true);
  }
  await restoreResource(catalog.admin, table.id);

  expect((await getResource(catalog.admin, kept.id)).archived).toBe(false);
  await expect(getResource(catalog.admin, gone.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('nothing is restored alone that lies in something deleted', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  const column = await catalog.resource({ kind: 'column', title: 'id', parentId: table.id });
  await archiveResource(catalog.admin, column.id);
  await archiveResource(catalog.admin, table.id);
  await expect(restoreResource(catalog.admin, column.id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: 'Restore orders first: its contents were deleted with it.',
  });
  await restoreResource(catalog.admin, table.id);
  expect((await restoreResource(catalog.admin, column.id)).archived).toBe(false);
});

test('lists leave deleted resources out unless the filter names them', async () => {
  await using catalog = await openCatalog();
  const gone = await catalog.resource({ title: 'gone' });
  await catalog.resource({ title: 'here' });
  await archiveResource(catalog.admin, gone.id);

  const filter = { operator: 'exact', field: 'archived', value: true };
  expect(titles(await listResources(catalog.admin, {}, {}))).toEqual(['here']);
  expect(titles(await listResources(catalog.admin, { filter }, {}))).toEqual(['gone']);
});

test('viewers see what is published, guests what their teams hold', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team({ name: 'Finance' });
  await catalog.resource({ title: 'public', published: true });
  await catalog.resource({ title: 'draft', published: false });
  await catalog.resource({ title: 'ledger', published: true, teamIds: [team.id] });

  const seenBy = async (ctx: ReturnType<typeof catalog.as>) =>
    titles(await listResources(ctx, { sort: [{ field: 'title' }] }, {}));
  expect(await seenBy(catalog.as('editor'))).toEqual(['draft', 'ledger', 'public']);
  expect(await seenBy(catalog.as('viewer'))).toEqual(['ledger', 'public']);
  expect(await seenBy(catalog.as('guest', [team]))).toEqual(['ledger']);
  expect(await seenBy(catalog.as('guest'))).toEqual([]);
});

test('viewers and guests change nothing of a table', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ description: 'as it was' });
  for (const role of ['viewer', 'guest'] as const) {
    const changing = updateResource(catalog.as(role), table.id, { description: 'mine' });
    await expect(changing).rejects.toMatchObject({ code: 'FORBIDDEN' });
    const deleting = archiveResource(catalog.as(role), table.id);
    await expect(deleting).rejects.toMatchObject({ code: 'FORBIDDEN' });
  }
  expect((await getResource(catalog.admin, table.id)).description).toBe('as it was');
});

test('each change leaves one entry in the audit log, and a refused one none', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource({ title: 'orders' });
  await updateResource(catalog.admin, table.id, { description: 'x' });
  await updateResource(catalog.as('viewer'), table.id, { description: 'y' }).catch(() => {});
  await archiveResource(catalog.admin, table.id);

  const entries = await catalog.database.prisma.auditLog.findMany({
    where: { workspaceId: catalog.workspaceId, resourceId: table.id },
    orderBy: { loggedAt: 'asc' },
  });
  expect(entries.map(({ activityType }) => activityType).sort()).toEqual([
    'table_created',
    'table_deleted',
    'table_updated',
  ]);
  expect(entries.every(({ performerType }) => performerType === 'API')).toBe(true);
});

test('text that PostgreSQL cannot hold and text that is too long are named by their field', async () => {
  await using catalog = await openCatalog();
  for (const [field, input] of [
    ['title', { title: 'a\0b' }],
    ['title', { title: ' ' }],
    ['title', { title: 'x'.repeat(1_001) }],
    ['description', { description: '\ud800' }],
    ['external_usage', { externalUsage: -1 }],
  ] as const) {
    await expect(catalog.resource(input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field }],
    });
  }
});
