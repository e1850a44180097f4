// A worker that lost its lease changes nothing, and what it held is taken back.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import type { Connection } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { Job } from '../../src/generated/prisma/client.ts';
import { enqueueJob, getJob } from '../../src/jobs/job.ts';
import {
  claimJobs,
  endRun,
  lockLease,
  renewLeases,
  saveSaid,
  sweepJobs,
} from '../../src/jobs/lease.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

let catalog: Catalog;
let db: Connection;
beforeAll(async () => {
  catalog = await openCatalog();
  db = acrossWorkspaces(catalog.database);
});
afterAll(() => catalog[Symbol.asyncDispose]());

const said = { logs: 'from the past\n', progressStep: null, progressDone: 9, progressTotal: null };
let kinds = 0;

async function enqueue(maxAttempts = 5) {
  kinds += 1;
  const kind = `lease test ${kinds}`;
  const { job } = await enqueueJob(catalog.admin, { kind, title: 'A test', maxAttempts });
  return job;
}

async function claim({ kind }: Job, owner = 'one'): Promise<Job> {
  const [job] = await claimJobs(db, { owner, leaseSeconds: 3, kinds: [kind] }, 1);
  if (!job) throw new Error(`No job of kind ${kind} is due.`);
  return job;
}

async function expire({ id }: Job): Promise<void> {
  await catalog.owner.query(
    "update job set lease_until = now() - interval '1 second' where id = $1",
    [id],
  );
}

test('a worker that slept past its lease changes nothing', async () => {
  const late = await claim(await enqueue());
  await expire(late);
  await sweepJobs(db, []);
  const current = await claim(late, 'two');
  expect(current.leaseToken).toBe(late.leaseToken + 1);
  const before = await getJob(catalog.admin, late.id);

  await saveSaid(db, late, said);
  expect(await endRun(db, late, said, { state: 'succeeded', result: 1 })).toBe(false);
  expect(await renewLeases(db, [late, current], 3)).toEqual(new Map([[late.id, 'held']]));
  expect((await renewLeases(db, [late], 3)).get(late.id)).toBe('lost');
  await transaction(catalog.admin, async (tx) => {
    expect(await lockLease(tx, late)).toBe(false);
    expect(await lockLease(tx, current)).toBe(true);
  });

  expect(await getJob(catalog.admin, late.id)).toEqual({
    ...before,
    leaseUntil: expect.any(Date),
  });
});

test('an end is undone with the transaction it was part of', async () => {
  const job = await claim(await enqueue());
  const work = transaction(catalog.admin, async (tx) => {
    expect(await endRun(tx, job, said, { state: 'succeeded', result: 1 })).toBe(true);
    throw new Error('The effect failed.');
  });
  await expect(work).rejects.toThrow('The effect failed.');
  expect(await getJob(catalog.admin, job.id)).toMatchObject({ state: 'running', logs: '' });
});

test('only leases that ran out are swept, and none that the sweeper itself holds', async () => {
  const alive = await claim(await enqueue());
  const own = await claim(await enqueue());
  const lost = await claim(await enqueue());
  await expire(own);
  await expire(lost);
  expect(await sweepJobs(db, [own.id])).toBe(1);
  const states = await Promise.all(
    [alive, own, lost].map(async ({ id }) => (await getJob(catalog.admin, id)).state),
  );
  expect(states).toEqual(['running', 'running', 'queued']);
});

test('a job that loses every worker ends failed, with its log', async () => {
  const poison = await enqueue(3);
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    const job = await claim(poison);
    expect(job.attempts).toBe(attempt);
    await saveSaid(db, job, { ...said, logs: `${job.logs}attempt ${attempt}\n` });
    await expire(job);
    await sweepJobs(db, []);
  }
  const job = await getJob(catalog.admin, poison.id);
  const lost = 'The worker that ran this was lost.';
  expect(job).toMatchObject({ state: 'failed', lastError: lost, leaseOwner: null });
  expect(job.completedAt).not.toBeNull();
  expect(job.logs).toBe([1, 2, 3].map((n) => `attempt ${n}\n${lost}\n`).join(''));
  await expect(claim(poison)).rejects.toThrow('No job');
});

test('a job that says what its loss means ends with these words', async () => {
  const ifLost = 'The server stopped; nothing was changed. Try again.';
  const { job: made } = await enqueueJob(catalog.admin, {
    ...{ kind: 'lease test of words', title: 'Test' },
    payload: { ifLost },
    maxAttempts: 1,
  });
  await claim(made);
  await expire(made);
  await sweepJobs(db, []);
  const job = await getJob(catalog.admin, made.id);
  expect(job).toMatchObject({ state: 'failed', lastError: ifLost, logs: `${ifLost}\n` });
});

test('jobs are claimed by priority, then by time, and not before they are due', async () => {
  const kind = 'lease test of order';
  const enqueueAs = async (title: string, more: object) =>
    enqueueJob(catalog.admin, { kind, title, ...more });
  await enqueueAs('second', {});
  await enqueueAs('third', {});
  await enqueueAs('first', { priority: 1 });
  await enqueueAs('never', { delaySeconds: 3_600 });
  const order: string[] = [];
  for (;;) {
    const [job] = await claimJobs(db, { owner: 'one', leaseSeconds: 3, kinds: [kind] }, 1);
    if (!job) break;
    order.push(job.title);
  }
  expect(order).toEqual(['first', 'second', 'third']);
});

test('a job given back keeps its attempt', async () => {
  const job = await claim(await enqueue());
  await endRun(db, job, said, { state: 'released' });
  expect(await getJob(catalog.admin, job.id)).toMatchObject({
    state: 'queued',
    attempts: 0,
    logs: said.logs,
    leaseUntil: null,
  });
});
