// What is done once an hour: what is old goes, and nothing else.

import { expect, test } from 'vitest';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import { keptJobs } from '../../src/jobs/forget.ts';
import { hourly, inBatches } from '../../src/jobs/hourly.ts';
import { forgetKeys } from '../../src/jobs/idempotency.ts';
import { openCatalog } from '../catalog.ts';

const dayMs = 86_400_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs);

test('what is due once an hour is done at the start, and not again at once', async () => {
  await using catalog = await openCatalog();
  const db = acrossWorkspaces(catalog.database);
  let times = 0;
  const schedule = hourly(async () => {
    times += 1;
  });
  const next = await schedule.tick(db);
  expect(await schedule.tick(db)).toEqual(next);
  expect(times).toBe(1);
  expect(next?.getTime()).toBeGreaterThan(Date.now() + 3_500_000);
});

test('batches follow each other until one is not full', async () => {
  const answers = [1_000, 1_000, 3, 1_000];
  expect(await inBatches(async () => answers.shift() ?? 0)).toBe(2_003);
  expect(answers).toEqual([1_000]);
});

test('jobs that ended a month ago go, of every workspace; those that have not ended stay', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database } = catalog;
  const { workspaceId } = await catalog.another();
  const make = (title: string, state: string, completedAt: Date | null, more: object = {}) =>
    database.prisma.job.create({
      data: { workspaceId, kind: 'old', title, state, completedAt, createdAt: ago(90), ...more },
    });
  await make('succeeded', 'succeeded', ago(31));
  await make('failed', 'failed', ago(31), { logs: 'why' });
  await make('cancelled', 'cancelled', ago(31));
  await make('ended later', 'succeeded', ago(29));
  await make('waits', 'queued', null);
  await make('runs', 'running', null, { leaseUntil: new Date(), leaseToken: 1 });
  const all = acrossWorkspaces(database);
  expect(await keptJobs.count(all, 30)).toBe(3);
  expect(await keptJobs.forget(all, 30)).toBe(3);
  expect(await keptJobs.forget(all, 30)).toBe(0);
  const kept = await database.prisma.job.findMany({ where: { workspaceId } });
  expect(kept.map(({ title }) => title).sort()).toEqual(['ended later', 'runs', 'waits']);
});

test('an Idempotency-Key goes after a day, with its answer, and counts until then', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { database } = catalog;
  const send = (key: string) =>
    catalog.rest('POST', '/tag/tags', {
      body: { name: key },
      headers: { 'idempotency-key': key },
    });
  const first = await send('young');
  await send('old');
  await database.prisma.idempotencyKey.updateMany({
    where: { key: 'old' },
    data: { createdAt: ago(1.01) },
  });
  expect(await forgetKeys(acrossWorkspaces(database))).toBe(1);
  const kept = await database.prisma.idempotencyKey.findMany({ select: { key: true } });
  expect(kept).toEqual([{ key: 'young' }]);
  expect((await send('young')).text).toBe(first.text);
  expect(await database.prisma.tag.count()).toBe(2);
});
