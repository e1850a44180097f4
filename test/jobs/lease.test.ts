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
  secondsToNext,
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
  const [job] = await claimJobs(
    db,
    { owner, leaseSeconds: 3_600, kinds: [kind] },
    { free: 1, spare: 0 },
  );
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
  expect(await renewLeases(db, [late, current], 3_600)).toEqual(new Map([[late.id, 'held']]));
  expect((await renewLeases(db, [late], 3_600)).get(late.id)).toBe('lost');
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
    const [job] = await claimJobs(
      db,
      { owner: 'one', leaseSeconds: 3_600, kinds: [kind] },
      { free: 1, spare: 0 },
    );
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

test('no more is claimed than wanted, of no other kind, and nothing that still runs here', async () => {
  const jobs = [];
  const kind = 'lease test of three';
  for (const title of ['one', 'two', 'three']) {
    jobs.push((await enqueueJob(catalog.admin, { kind, title })).job);
  }
  const [first] = jobs;
  if (!first) throw new Error('There is no job.');
  const ask = { owner: 'me', leaseSeconds: 3_600, kinds: [kind] };
  expect(await claimJobs(db, { ...ask, kinds: ['another kind'] }, { free: 9, spare: 0 })).toEqual(
    [],
  );
  const claimed = await claimJobs(db, ask, { free: 1, spare: 0 }, [first.id]);
  expect(claimed.map(({ title }) => title)).toEqual(['two']);
  expect(claimed).toMatchObject([{ state: 'running', attempts: 1, leaseOwner: 'me' }]);
  const rest = await claimJobs(db, ask, { free: 9, spare: 0 });
  expect(rest.map(({ title }) => title).sort()).toEqual(['one', 'three']);
  expect(await claimJobs(db, ask, { free: 9, spare: 0 })).toEqual([]);
});

test('the time to the next job is known, in seconds, and null where none waits', async () => {
  const kind = 'lease test of waiting';
  expect(await secondsToNext(db, [kind])).toBeNull();
  await enqueueJob(catalog.admin, { kind, title: 'later', delaySeconds: 7_200 });
  await enqueueJob(catalog.admin, { kind, title: 'sooner', delaySeconds: 3_600 });
  const seconds = (await secondsToNext(db, [kind])) ?? 0;
  expect(seconds > 3_000 && seconds <= 3_600).toBe(true);
  expect(await secondsToNext(db, ['another kind'])).toBeNull();
});

test('anyone who renews learns which jobs are to be cancelled, and holds one that just ends', async () => {
  const [usual, unwanted, ending] = [
    await claim(await enqueue()),
    await claim(await enqueue()),
    await claim(await enqueue()),
  ];
  await catalog.owner.query('update job set cancel_requested = true where id = $1', [unwanted.id]);
  let renewed = () => {};
  const untilRenewed = new Promise<void>((resolve) => {
    renewed = resolve;
  });
  let work: Promise<void> = Promise.resolve();
  const locked = new Promise<boolean>((resolve) => {
    work = transaction(catalog.admin, async (tx) => {
      resolve(await lockLease(tx, ending));
      await untilRenewed;
    });
  });
  expect(await locked).toBe(true);
  expect(Object.fromEntries(await renewLeases(db, [usual, unwanted, ending], 7_200))).toEqual({
    [usual.id]: 'held',
    [unwanted.id]: 'cancel requested',
    [ending.id]: 'held',
  });
  renewed();
  await work;
  const until = async ({ id }: Job) => (await getJob(catalog.admin, id)).leaseUntil?.getTime() ?? 0;
  expect((await until(usual)) - (await until(ending))).toBeGreaterThan(500_000);
  const { statements } = await catalog.counting(() => renewLeases(db, [usual], 3_600));
  expect(statements).toHaveLength(1);
});

test("a run ends as it says, with what it said, and is no one's afterwards", async () => {
  const endings = [
    [
      { state: 'succeeded', result: { rows: 7 } },
      { state: 'succeeded', result: { rows: 7 }, lastError: null },
    ],
    [
      { state: 'succeeded', result: undefined },
      { state: 'succeeded', result: null },
    ],
    [
      { state: 'failed', error: 'No.' },
      { state: 'failed', lastError: 'No.' },
    ],
    [
      { state: 'cancelled', error: null },
      { state: 'cancelled', lastError: null },
    ],
  ] as const;
  for (const [ending, expected] of endings) {
    const job = await claim(await enqueue());
    expect(await endRun(db, job, said, ending)).toBe(true);
    const found = await getJob(catalog.admin, job.id);
    const free = { leaseOwner: null, leaseUntil: null, completedAt: expect.any(Date) };
    expect(found).toMatchObject({ ...expected, ...free, logs: said.logs, progressDone: 9 });
    expect(await endRun(db, job, said, ending)).toBe(false);
  }
  const again = await claim(await enqueue());
  await endRun(db, again, said, { state: 'queued', error: 'Later.', delaySeconds: 3_600 });
  const waiting = await getJob(catalog.admin, again.id);
  expect(waiting).toMatchObject({ state: 'queued', lastError: 'Later.', completedAt: null });
  expect(waiting.attempts).toBe(1);
  await expect(claim(again)).rejects.toThrow('No job');
});

test('a job that was to be cancelled and lost its worker is cancelled', async () => {
  const job = await claim(await enqueue());
  await catalog.owner.query('update job set cancel_requested = true where id = $1', [job.id]);
  await expire(job);
  expect(await sweepJobs(db, [])).toBe(1);
  const found = await getJob(catalog.admin, job.id);
  expect(found).toMatchObject({ state: 'cancelled', completedAt: expect.any(Date) });
  expect(await sweepJobs(db, [])).toBe(0);
});
