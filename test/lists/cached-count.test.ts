// A remembered count is right whenever it is asked for, and nothing is counted while nothing changes.

import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { PageArgs } from '../../src/lists/page.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { listResources } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

/** Asked of a page beyond the last one, which does not tell how many there are. */
const count = async (catalog: Catalog, role: 'admin' | 'viewer' = 'admin') =>
  (await listResources(catalog.as(role), { kinds: ['table'] }, { page: 2 })).count();

test('a count is what it is now, for every role, whatever was counted before', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  expect(await count(catalog)).toBe(1);
  expect(await count(catalog, 'viewer')).toBe(1);

  await catalog.resource();
  expect(await count(catalog)).toBe(2);
  await catalog.resource({ kind: 'dashboard' });
  expect(await count(catalog)).toBe(2);

  await updateResource(catalog.admin, table.id, { published: false });
  expect(await count(catalog)).toBe(2);
  expect(await count(catalog, 'viewer')).toBe(1);

  await archiveResource(catalog.admin, table.id);
  expect(await count(catalog)).toBe(1);
  await catalog.owner.query('delete from resource where id = $1', [table.id]);
  expect(await count(catalog)).toBe(1);
});

test('what a transaction made counts within it, and for others once it has ended', async () => {
  await using catalog = await openCatalog();
  await catalog.resource();
  expect(await count(catalog)).toBe(1);
  const another = `insert into resource (workspace_id, kind, title, title_full)
    values ('${catalog.workspaceId}', 'table', 'mine', 'mine')`;
  await transaction(catalog.admin, async (tx) => {
    await execute(tx, another);
    const page = await listResources(tx, { kinds: ['table'] }, { first: 1 });
    expect(await page.count()).toBe(2);
  });
  expect(await count(catalog)).toBe(2);

  const client = await catalog.owner.connect();
  for (const [end, expected] of [
    ['rollback', 2],
    ['commit', 3],
  ] as const) {
    await client.query('begin');
    await client.query(another);
    expect(await count(catalog)).toBe(2);
    await client.query(end);
    expect(await count(catalog)).toBe(expected);
  }
  client.release();
});

test('what is not logged is not counted, until the log is lost', async () => {
  await using catalog = await openCatalog();
  await catalog.resource();
  expect(await count(catalog)).toBe(1);
  await catalog.owner.query(`begin;
    alter table resource disable trigger resource_log_update;
    update resource set archived = true where workspace_id = '${catalog.workspaceId}';
    alter table resource enable always trigger resource_log_update;
    commit`);
  expect(await count(catalog)).toBe(1);
  await catalog.owner.query('truncate lineage_log');
  expect(await count(catalog)).toBe(0);
  await catalog.resource();
  expect(await count(catalog)).toBe(1);
});

test('a count is one statement, remembered or not', async () => {
  await using catalog = await openCatalog();
  await catalog.resource();
  for (const _ of [1, 2, 3]) {
    const { statements } = await catalog.counting(() => count(catalog));
    expect(statements).toHaveLength(2);
  }
});

test('a page with the end of its list tells how many there are', async () => {
  await using catalog = await openCatalog();
  const counted = async (args: PageArgs) => {
    const { value, statements } = await catalog.counting(async () =>
      (await listResources(catalog.admin, { kinds: ['table'] }, args)).count(),
    );
    return [value, statements.length];
  };
  expect(await counted({})).toEqual([0, 1]);
  for (const _ of [1, 2, 3]) await catalog.resource();
  for (const args of [{}, { first: 3 }, { last: 3 }, { page: 2, pageSize: 2 }]) {
    expect(await counted(args), JSON.stringify(args)).toEqual([3, 1]);
  }
  const { cursorAt } = await listResources(catalog.admin, { kinds: ['table'] }, { first: 1 });
  const after = cursorAt(0);
  for (const args of [
    { after },
    { first: 2 },
    { last: 2 },
    { first: 0 },
    { page: 3, pageSize: 2 },
  ]) {
    expect(await counted(args), JSON.stringify(args)).toEqual([3, 2]);
  }
});
