// Jobs are taken in turns: work that one workspace or kind has plenty of keeps nothing else waiting.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import type { Connection } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { enqueueJob, enqueueOwnWork } from '../../src/jobs/job.ts';
import { claimJobs } from '../../src/jobs/lease.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let large: Catalog;
let small: Catalog;
let db: Connection;
beforeAll(async () => {
  large = await openCatalog();
  small = await large.another();
  db = acrossWorkspaces(large.database);
});
afterAll(async () => {
  await small[Symbol.asyncDispose]();
  await large[Symbol.asyncDispose]();
});

let tests = 0;
function newKinds(count: number): string[] {
  tests += 1;
  return Array.from({ length: count }, (_, n) => `turn ${tests} ${n}`);
}

async function enqueue(catalog: Catalog, kind: string, title: string, priority = 100) {
  await enqueueJob(catalog.admin, { kind, title, priority });
}

async function claim(kinds: readonly string[], free: number, spare = 0): Promise<string[]> {
  const by = { owner: 'turns', leaseSeconds: 3_600, kinds };
  const jobs = await claimJobs(db, by, { free, spare });
  return jobs.map(({ title }) => title).sort();
}

test('each workspace and kind has its turn, whatever another has queued before', async () => {
  const [many = '', few = ''] = newKinds(2);
  for (const n of [1, 2, 3, 4, 5]) await enqueue(large, many, `large ${n}`);
  await enqueue(large, few, 'large, another kind', 110);
  await enqueue(small, many, 'small 1');
  await enqueue(small, many, 'small 2');
  expect(await claim([many, few], 3)).toEqual(['large 1', 'large, another kind', 'small 1']);
  // What runs already counts, in this process or another.
  await enqueue(small, few, 'small, another kind', 120);
  expect(await claim([many, few], 2)).toEqual(['large 2', 'small, another kind']);
  expect(await claim([many, few], 9)).toEqual(['large 3', 'large 4', 'large 5', 'small 2']);
});

test('within a turn the more urgent comes first, and what is not due yet not at all', async () => {
  const [kind = ''] = newKinds(1);
  await enqueue(large, kind, 'later', 100);
  await enqueue(large, kind, 'urgent', 1);
  await enqueue(large, kind, 'tomorrow', 0);
  await large.database.prisma.job.updateMany({
    where: { kind, title: 'tomorrow' },
    data: { runAt: new Date(Date.now() + 86_400_000) },
  });
  expect(await claim([kind], 1)).toEqual(['urgent']);
  expect(await claim([kind], 9)).toEqual(['later']);
});

test('a spare place is only for what has no other job that runs', async () => {
  const [kind = '', other = ''] = newKinds(2);
  for (const n of [1, 2, 3]) await enqueue(large, kind, `large ${n}`);
  expect(await claim([kind, other], 3, 1)).toEqual(['large 1', 'large 2']);
  expect(await claim([kind, other], 1, 1)).toEqual([]);
  await enqueue(small, other, 'small');
  expect(await claim([kind, other], 1, 1)).toEqual(['small']);
});

test('beside thousands of slow jobs of one workspace those of another begin at once', async () => {
  const [slow = '', quick = ''] = newKinds(2);
  await transaction(large.admin, (tx) =>
    enqueueOwnWork(
      tx,
      Array.from({ length: 3_000 }, (_, n) => ({ kind: slow, title: `slow ${n}`, payload: {} })),
    ),
  );
  let slowBegun = 0;
  const before: number[] = [];
  const worker = startWorker({
    database: large.database,
    surroundings: large.surroundings,
    pollSeconds: 60,
    handlers: {
      [slow]: async () => {
        slowBegun += 1;
        await sleep(100);
      },
      [quick]: async () => {
        before.push(slowBegun);
      },
    },
    onError: (error) => expect.unreachable(String(error)),
  });
  await expect.poll(() => slowBegun, { timeout: 30_000 }).toBeGreaterThan(2);
  for (const n of [0, 1, 2, 3, 4]) {
    const begun = slowBegun;
    await enqueue(small, quick, `quick ${n}`);
    await expect.poll(() => before.length, { timeout: 30_000 }).toBe(n + 1);
    // A few of the others may have begun until it was seen; not the thousands that were queued before it.
    expect((before.at(-1) ?? 0) - begun).toBeLessThan(200);
  }
  await worker.stop(0);
});
