// Figures of jobs that have not ended: which of them are due, and how old the first of them is.

import { expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { countJobs } from '../../src/jobs/figures.ts';
import { openCatalog } from '../catalog.ts';

test('a job waits until it is due, is queued then, and is as old as what it waits for', async () => {
  await using catalog = await openCatalog();
  const figures = await transaction(catalog.admin, async (tx) => {
    // Within a transaction it is the same moment all the time.
    await execute(
      tx,
      `insert into job (workspace_id, kind, title, state, created_at, run_at, started_at)
        select $1::uuid, kind, 'A job', state, now() - interval '1 hour', now() + due, started
        from (values ('late', 'queued', interval '-1 minute', null),
          ('late', 'queued', '-2 minutes', null), ('later', 'queued', '1 minute', null),
          ('runs', 'running', '0', now() - interval '3 minutes'),
          ('over', 'succeeded', '0', now())) j (kind, state, due, started)`,
      [catalog.workspaceId],
    );
    return countJobs(tx);
  });
  expect(figures.toSorted((a, b) => (a.kind < b.kind ? -1 : 1))).toEqual([
    { kind: 'late', state: 'queued', count: 2, oldestSeconds: expect.closeTo(120, 2) },
    { kind: 'later', state: 'waiting', count: 1, oldestSeconds: expect.closeTo(3_600, 2) },
    { kind: 'runs', state: 'running', count: 1, oldestSeconds: expect.closeTo(180, 2) },
  ]);
});
