// A connection that is given back within a transaction: its server ended it, and no one has noticed yet.

import { expect, test } from 'vitest';
import { execute, rows } from '../../../src/database/rows.ts';
import { openCatalog } from '../../catalog.ts';

test.each([
  ['left open', 'select 1'],
  ['failed', 'select 1 / 0'],
])(
  'whoever comes after a transaction that was %s has another connection, which nothing was done on',
  async (_, last) => {
    await using catalog = await openCatalog();
    const { admin, database, workspaceId } = catalog;
    await catalog.resource();
    const client = await database.pool.showing(workspaceId).connect();
    const { rows: mine } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    await client.query('begin');
    await client.query('update resource set archived = true');
    await client.query(last).catch(() => {});
    client.release();
    // Of the same workspace, which needs no setting, and of another.
    const seen = async (ctx = admin) =>
      rows<{ pid: number; kept: number }>(
        ctx,
        'select pg_backend_pid() as pid, (select count(*)::int from resource where not archived) as kept',
      );
    const [first] = await seen();
    const [other] = await seen({ ...admin, workspaceId: '00000000-0000-4000-8000-000000000009' });
    expect(first?.kept).toBe(1);
    expect(other?.kept).toBe(0);
    expect([first?.pid, other?.pid]).not.toContain(mine[0]?.pid);
    await execute(admin, 'update resource set archived = archived');
    expect(database.pool.totalCount).toBeLessThanOrEqual(2);
  },
);
