// Which ids that stand on a resource the viewer may know of, and what a filter by them finds.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { roles } from '../../src/auth/viewer.ts';
import { rows } from '../../src/database/rows.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import type { FilterFields } from '../../src/lists/field.ts';
import { parseFilter } from '../../src/lists/filter.ts';
import { listResources } from '../../src/resources/resource.ts';
import { fieldsSeen, seenId, seenIds, seenTeamIds } from '../../src/resources/seen.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
let other: Catalog;
const ids: Record<string, string> = {};
const id = (name: string) => ids[name] ?? '';
beforeAll(async () => {
  catalog = await openCatalog();
  other = await catalog.another();
  const mine = await catalog.team({ name: 'mine', addMemberIds: [catalog.idOf('guest')] });
  const closed = await catalog.team({ name: 'closed', type: 'CLOSED' });
  ids.mine = mine.id;
  ids.closed = closed.id;
  ids.open = (await catalog.team({ name: 'open' })).id;
  ids.published = (await catalog.resource({ published: true })).id;
  ids.draft = (await catalog.resource({ published: false })).id;
  ids.held = (await catalog.resource({ published: false, teamIds: [mine.id] })).id;
  ids.elsewhere = (await other.resource({ published: true })).id;
  ids.team_elsewhere = (await other.team({ name: 'elsewhere' })).id;
});
afterAll(async () => {
  await other[Symbol.asyncDispose]();
  await catalog[Symbol.asyncDispose]();
});

/** A guest as it is with its teams, others as they are. */
const as = (role: (typeof roles)[number]) => {
  const ctx = catalog.as(role);
  return { ...ctx, viewer: { ...ctx.viewer, teamIds: role === 'guest' ? [id('mine')] : [] } };
};
const named = (found: readonly string[]) =>
  found.map((one) => Object.keys(ids).find((name) => ids[name] === one));

test('resources keep their order, and only those that are seen are left', async () => {
  const all = ['held', 'draft', 'published'].map(id);
  const seen = async (role: (typeof roles)[number]) => named(await seenIds(as(role), all));
  expect(await seen('admin')).toEqual(['held', 'draft', 'published']);
  expect(await seen('editor')).toEqual(['held', 'draft', 'published']);
  expect(await seen('viewer')).toEqual(['published']);
  expect(await seen('guest')).toEqual(['held']);
  expect(await seenIds(as('viewer'), [id('elsewhere'), id('published')])).toEqual([
    id('published'),
  ]);
  expect(await seenId(as('viewer'), id('published'))).toBe(id('published'));
  expect(await seenId(as('viewer'), id('draft'))).toBeNull();
  expect(await seenId(as('viewer'), null)).toBeNull();
});

test('teams keep their order, and only those that are known are left', async () => {
  const all = ['closed', 'mine', 'open'].map(id);
  expect(named(await seenTeamIds(as('editor'), all))).toEqual(['closed', 'mine', 'open']);
  expect(named(await seenTeamIds(as('viewer'), all))).toEqual(['mine', 'open']);
  expect(named(await seenTeamIds(as('guest'), all))).toEqual(['mine']);
  expect(await seenTeamIds(as('viewer'), [id('team_elsewhere')])).toEqual([]);
});

test('a whole list costs who edits no statement, and others one', async () => {
  const all = ['held', 'draft', 'published'].map(id);
  const cost = async (role: (typeof roles)[number]) => {
    const ctx = as(role);
    const { statements } = await catalog.counting(() =>
      Promise.all([seenIds(ctx, all), seenIds(ctx, all.slice(1))]),
    );
    return statements.length;
  };
  expect([await cost('editor'), await cost('viewer')]).toEqual([0, 1]);
});

const people = ['owners', 'subscribers', 'bookmarked_by', 'assigned_to'];
const places = ['parent_id', 'parent', 'collections'];
const fields: FilterFields = Object.fromEntries(
  [...people, ...places, 'teams', 'owners_groups', 'id'].map((name) => [
    name,
    { sql: Prisma.sql`r.ids`, type: 'ids' as const },
  ]),
);

/** Whether a filter by a field finds the row that has the id. */
async function finds(role: (typeof roles)[number], field: string, wanted: string) {
  const ctx = as(role);
  const { where } = parseFilter({ field, value: wanted }, fieldsSeen(ctx, fields));
  const found = await rows(
    ctx,
    Prisma.sql`select 1 as n from (values (array[${wanted}]::uuid[])) r(ids) where ${where}`,
  );
  return found.length === 1;
}

test('a filter finds nothing by what the viewer may not know of', async () => {
  const seen = async (role: (typeof roles)[number], names: readonly string[], wanted: string) =>
    new Set(await Promise.all(names.map((name) => finds(role, name, wanted))));
  for (const place of places) {
    expect(await finds('editor', place, id('draft')), place).toBe(true);
    expect(await finds('viewer', place, id('draft')), place).toBe(false);
    expect(await finds('viewer', place, id('published')), place).toBe(true);
    expect(await finds('guest', place, id('published')), place).toBe(false);
    expect(await finds('guest', place, id('held')), place).toBe(true);
  }
  expect(await seen('viewer', people, catalog.idOf('admin'))).toEqual(new Set([true]));
  expect(await seen('guest', people, catalog.idOf('admin'))).toEqual(new Set([false]));
  expect(await seen('guest', people, catalog.idOf('guest'))).toEqual(new Set([true]));
  expect(await finds('viewer', 'owners_groups', id('open'))).toBe(true);
  expect(await finds('guest', 'owners_groups', id('open'))).toBe(false);
  expect(await finds('editor', 'teams', id('closed'))).toBe(true);
  expect(await finds('viewer', 'teams', id('closed'))).toBe(false);
  expect(await finds('guest', 'teams', id('mine'))).toBe(true);
  // What is named by no one is as it was.
  expect(await finds('guest', 'id', id('draft'))).toBe(true);
  expect(
    Object.keys(fieldsSeen(as('guest'), { id: { sql: Prisma.sql`r.id`, type: 'id' } })),
  ).toEqual(['id']);
});

test('a list that is sorted by ids writes those into its cursors that the viewer may know of', async () => {
  const assignedToId = catalog.idOf('admin');
  const input = { published: true, teamIds: [id('mine')] };
  const columns = await Promise.all(
    [id('draft'), id('published')].map((parentId) =>
      catalog.resource({ ...input, kind: 'column', title: 'c', parentId }),
    ),
  );
  const question = await catalog.resource({ ...input, kind: 'question' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: question.id } },
    data: { assignedToId },
  });
  const written = async (
    role: (typeof roles)[number],
    kind: 'column' | 'question',
    field: string,
  ) => {
    const page = await listResources(as(role), { kinds: [kind], sort: [{ field }] }, { first: 5 });
    expect(page.nodes).toHaveLength(kind === 'column' ? columns.length : 1);
    const cursors = page.nodes.map((_, place) => page.cursorAt(place) ?? '');
    return cursors.map((cursor) => JSON.parse(Buffer.from(cursor, 'base64url').toString())[0]);
  };
  const none = '00000000-0000-0000-0000-000000000000';
  const both = [id('draft'), id('published')].toSorted();
  for (const field of ['parentId', 'parent_id', 'parent']) {
    expect(await written('editor', 'column', field)).toEqual(both);
    expect(await written('viewer', 'column', field)).toEqual([none, id('published')]);
    expect(await written('guest', 'column', field)).toEqual([none, none]);
  }
  expect(await written('viewer', 'question', 'assigned_to')).toEqual([assignedToId]);
  expect(await written('guest', 'question', 'assigned_to')).toEqual([none]);
});
