// A job of this process whose lease was lost, as while the database stood still, changes nothing and says so.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import { transaction } from '../../src/database/transaction.ts';
import { endedRuns } from '../../src/jobs/figures.ts';
import { beginHere } from '../../src/jobs/here.ts';
import { getJob } from '../../src/jobs/job.ts';
import { sweepJobs } from '../../src/jobs/lease.ts';
import { createTag, listTags } from '../../src/tags/tag.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const input = {
  kind: 'here test',
  title: 'A test',
  dedupeKey: 'here test',
  busy: 'It runs already.',
  ifLost: 'The server stopped before it had ended; nothing was changed.',
};

test('work whose job was given up is undone, and its client may try again', async () => {
  const { job, done } = await beginHere(catalog.admin, input, async ({ ctx, job, complete }) => {
    // As a sweep that comes after the database has stood still, before the next renewal.
    await catalog.owner.query(
      "update job set lease_until = now() - interval '1 second' where id = $1",
      [job.id],
    );
    await sweepJobs(acrossWorkspaces(catalog.database), []);
    await transaction(ctx, async (tx) => {
      await createTag(tx, { name: 'of a lost job' });
      await complete(tx, null);
    });
  });

  await expect(done).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringContaining('nothing was changed. Try again.'),
  });
  const tags = await listTags(catalog.admin, {});
  expect(tags.nodes.map(({ name }) => name)).not.toContain('of a lost job');
  // What the sweep said stays.
  expect(await getJob(catalog.admin, job.id)).toMatchObject({
    state: 'failed',
    lastError: input.ifLost,
  });
  const end = { kind: input.kind, end: 'lost', count: 1 };
  expect(endedRuns(catalog.database)).toEqual([expect.objectContaining(end)]);

  const again = await beginHere(catalog.admin, input, async ({ ctx, complete }) => {
    await transaction(ctx, async (tx) => {
      await createTag(tx, { name: 'of the next job' });
      await complete(tx, null);
    });
  });
  await again.done;
  const { nodes } = await listTags(catalog.admin, {});
  expect(nodes.map(({ name }) => name)).toContain('of the next job');
});
