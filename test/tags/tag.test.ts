// Tags: their rules, and that a deleted one is on nothing.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { getResource } from '../../src/resources/resource.ts';
import { createTag, deleteTag, getTag, listTags, updateTag } from '../../src/tags/tag.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

test('a tag has a name, and a color of its own where none is given', async () => {
  const tag = await createTag(catalog.as('editor'), { name: ' PII ' });
  expect(tag).toMatchObject({ name: 'PII', description: '', icon: null });
  expect(tag.color).toMatch(/^#[0-9a-f]{6}$/);
  expect(await getTag(catalog.as('guest'), tag.id)).toEqual(tag);
  const log = await catalog.database.prisma.auditLog.findMany({ where: { resourceId: tag.id } });
  expect(log).toMatchObject([
    { activityType: 'tag_created', performerId: catalog.idOf('editor'), resourceType: 'tag' },
  ]);
});

test('a change leaves alone what it does not name', async () => {
  const tag = await createTag(catalog.admin, {
    name: 'Gold',
    description: 'Checked',
    color: '#AA8800',
    icon: '*',
  });
  const changed = await updateTag(catalog.admin, tag.id, { color: '#ffffff', icon: null });
  expect(changed).toMatchObject({
    name: 'Gold',
    description: 'Checked',
    color: '#ffffff',
    icon: null,
  });
});

test.each(['red', '#fff', '#12345g', '#1234567', '', '#ffffff\n'])(
  'the color %j is refused',
  async (color) => {
    const wrong = { code: 'BAD_REQUEST', fields: [{ field: 'color' }] };
    await expect(createTag(catalog.admin, { name: 'c', color })).rejects.toMatchObject(wrong);
    const tag = await catalog.tag();
    await expect(updateTag(catalog.admin, tag.id, { color })).rejects.toMatchObject(wrong);
    expect(await getTag(catalog.admin, tag.id)).toEqual(tag);
  },
);

test.each(['', '  ', 'two\nlines', 'a\0b', '\ud800', 'x'.repeat(256)])(
  'the name %j is refused',
  async (name) => {
    const wrong = { code: 'BAD_REQUEST', fields: [{ field: 'name' }] };
    await expect(createTag(catalog.admin, { name })).rejects.toMatchObject(wrong);
  },
);

test('a name is one tag, however it is spelled', async () => {
  const tag = await catalog.tag({ name: 'Unique' });
  const second = await catalog.tag();
  const taken = { code: 'CONFLICT' };
  await expect(createTag(catalog.admin, { name: 'UNIQUE' })).rejects.toMatchObject(taken);
  await expect(updateTag(catalog.admin, second.id, { name: 'unique' })).rejects.toMatchObject(
    taken,
  );
  expect(await updateTag(catalog.admin, tag.id, { name: 'unique' })).toMatchObject({
    name: 'unique',
  });
  await createTag((await catalog.another()).admin, { name: 'Unique' });
});

test('of equal tags made at once there is one', async () => {
  const results = await Promise.allSettled(
    Array.from({ length: 8 }, () => createTag(catalog.admin, { name: 'Raced' })),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused).toHaveLength(7);
  for (const { reason } of refused) expect(reason).toMatchObject({ code: 'CONFLICT' });
});

test('a deleted tag is on nothing, and nothing else is lost', async () => {
  const [tag, kept] = [await catalog.tag(), await catalog.tag()];
  const both = await catalog.resource({ tagIds: [tag.id, kept.id] });
  const only = await catalog.resource({ tagIds: [tag.id] });
  await deleteTag(catalog.as('editor'), tag.id);
  expect((await getResource(catalog.admin, both.id)).tagIds).toEqual([kept.id]);
  expect((await getResource(catalog.admin, only.id)).tagIds).toEqual([]);
  await expect(getTag(catalog.admin, tag.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  const { nodes } = await listTags(catalog.admin, {});
  expect(nodes.map(({ id }) => id)).not.toContain(tag.id);
});

test('a tag that is deleted while it is put on resources is on none of them', async () => {
  for (let round = 0; round < 10; round += 1) {
    const tag = await catalog.tag();
    const table = await catalog.resource();
    const [assigned] = await Promise.allSettled([
      updateResource(catalog.admin, table.id, { tagIds: [tag.id] }),
      deleteTag(catalog.admin, tag.id),
    ]);
    if (assigned.status === 'rejected') {
      expect(assigned.reason).toMatchObject({ code: 'BAD_REQUEST', fields: [{ field: 'tags' }] });
    }
    expect((await getResource(catalog.admin, table.id)).tagIds).toEqual([]);
  }
});

test('viewers and guests change no tag', async () => {
  const tag = await catalog.tag();
  const refused = { code: 'FORBIDDEN' };
  for (const role of ['viewer', 'guest'] as const) {
    const ctx = catalog.as(role);
    await expect(createTag(ctx, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(updateTag(ctx, tag.id, { name: 'x' })).rejects.toMatchObject(refused);
    await expect(deleteTag(ctx, tag.id)).rejects.toMatchObject(refused);
  }
  expect(await getTag(catalog.admin, tag.id)).toEqual(tag);
});

test('an id of another workspace, or that is no id, is not found', async () => {
  const other = await catalog.another();
  const tag = await catalog.tag();
  const missing = { code: 'NOT_FOUND' };
  for (const id of [tag.id, 'x', "' or true --"]) {
    await expect(getTag(other.admin, id)).rejects.toMatchObject(missing);
    await expect(updateTag(other.admin, id, { name: 'x' })).rejects.toMatchObject(missing);
    await expect(deleteTag(other.admin, id)).rejects.toMatchObject(missing);
  }
  expect(await getTag(catalog.admin, tag.id)).toEqual(tag);
  expect((await listTags(other.admin, {})).nodes).toEqual([]);
});
