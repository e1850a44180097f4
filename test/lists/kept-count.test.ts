// A remembered count is right whenever it is asked for, and nothing is counted while nothing changes.

import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { updateResource } from '../../src/resources/editing/edit.ts';
import { listResources } from '../../src/resources/resource.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

const count = async (catalog: Catalog, role: 'admin' | 'viewer' = 'admin') =>
  (await listResources(catalog.as(role), { kinds: ['table'] }, { first: 1 })).count();

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
  const client = await catalog.owner.connect();
  await client.query('set session_replication_role = replica');
  await client.query('update resource set archived = true where workspace_id = $1', [
    catalog.workspaceId,
  ]);
  client.release(true);
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
