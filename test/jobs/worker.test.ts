// Workers run each job once, come back from failures, and stop without losing anything.

import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { execute } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { CatalogError, invalid } from '../../src/errors.ts';
import { Prisma } from '../../src/generated/prisma/client.ts';
import { enqueueJob, getJob, type NewJob } from '../../src/jobs/job.ts';
import { claimJobs } from '../../src/jobs/lease.ts';
import { type JobHandler, type Run, startRun } from '../../src/jobs/run.ts';
import { startWorker, type WorkerOptions } from '../../src/jobs/worker.ts';
import { createTag, listTags } from '../../src/tags/tag.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { ended, reached } from './ended.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

interface TestWorker extends AsyncDisposable {
  readonly errors: unknown[];
  stop(graceMs?: number): Promise<void>;
}

/** A worker that polls so seldom that only being woken makes it work. */
function work(handlers: Record<string, JobHandler>, more: Partial<WorkerOptions> = {}): TestWorker {
  const errors: unknown[] = [];
  const worker = startWorker({
    database: catalog.database,
    surroundings: catalog.surroundings,
    handlers,
    leaseSeconds: 3,
    pollSeconds: 60,
    onError: (error) => errors.push(error),
    ...more,
  });
  return { errors, stop: worker.stop, [Symbol.asyncDispose]: () => worker.stop(0) };
}

let kinds = 0;
function newKind(): string {
  kinds += 1;
  return `worker test ${kinds}`;
}

async function enqueue(kind: string, more: Partial<NewJob> = {}) {
  const { job } = await enqueueJob(catalog.admin, { kind, title: 'A test', ...more });
  return job;
}

/** Resolves when the signal of a run aborts, as a handler that heeds it would. */
async function untilStopped({ ctx }: Run): Promise<never> {
  await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve, { once: true }));
  throw ctx.signal.reason;
}

/** A promise that the test fulfils. */
function latch() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Past what this process remembers of running jobs. */
const jobInDatabase = (id: string) => catalog.database.prisma.job.findFirst({ where: { id } });

test('a job is run when it is enqueued, and keeps its result and what it said', async () => {
  const kind = newKind();
  await using worker = work({
    [kind]: async ({ job, log, progress }) => {
      log('Working.');
      progress('Counting', 2, 3);
      return { seen: job.payload };
    },
  });
  const job = await enqueue(kind, { payload: { n: 1 } });
  expect(await ended(catalog.admin, job)).toMatchObject({
    state: 'succeeded',
    attempts: 1,
    result: { seen: { n: 1 } },
    logs: 'Working.\n',
    progressStep: 'Counting',
    progressDone: 2,
    progressTotal: 3,
    leaseUntil: null,
    lastError: null,
  });
  expect(worker.errors).toEqual([]);
});

test('two workers never run one job twice', async () => {
  const kind = newKind();
  const runs = new Map<string, number>();
  const handler: JobHandler = async ({ job }) => {
    runs.set(job.id, (runs.get(job.id) ?? 0) + 1);
    await sleep(5);
  };
  await using one = work({ [kind]: handler });
  await using two = work({ [kind]: handler });
  const jobs = await Promise.all(Array.from({ length: 60 }, () => enqueue(kind)));
  for (const job of jobs) expect((await ended(catalog.admin, job)).state).toBe('succeeded');
  expect([...runs.values()]).toEqual(jobs.map(() => 1));
  expect([...one.errors, ...two.errors]).toEqual([]);
});

test('a job that runs longer than its lease is kept by renewing it', async () => {
  const kind = newKind();
  let runs = 0;
  const handler: JobHandler = async () => {
    runs += 1;
    await sleep(4_500);
  };
  await using _one = work({ [kind]: handler }, { pollSeconds: 1 });
  await using _two = work({ [kind]: handler }, { pollSeconds: 1 });
  const job = await ended(catalog.admin, await enqueue(kind));
  expect(job).toMatchObject({ state: 'succeeded', attempts: 1 });
  expect(runs).toBe(1);
});

test('of equal jobs only one waits or runs at a time', async () => {
  const kind = newKind();
  const asked = await Promise.all(
    Array.from({ length: 10 }, () =>
      enqueueJob(catalog.admin, { kind, title: 'A test', dedupeKey: kind }),
    ),
  );
  expect(asked.filter(({ created }) => created)).toHaveLength(1);
  expect(new Set(asked.map(({ job }) => job.id)).size).toBe(1);
  const other = await catalog.another();
  const elsewhere = await enqueueJob(other.admin, { kind, title: 'A test', dedupeKey: kind });
  expect(elsewhere.created).toBe(true);

  await using _worker = work({ [kind]: async () => {} });
  const first = await ended(catalog.admin, await enqueue(kind, { dedupeKey: kind }));
  const next = await enqueue(kind, { dedupeKey: kind });
  expect(next.id).not.toBe(first.id);
});

test('a job is not seen before the transaction that made it, nor when that fails', async () => {
  const kind = newKind();
  const seen: string[] = [];
  await using _worker = work({
    [kind]: async ({ job }) => {
      seen.push(job.title);
    },
  });
  const undone = transaction(catalog.admin, async (tx) => {
    await enqueueJob(tx, { kind, title: 'undone' });
    throw new Error('Changed my mind.');
  });
  await expect(undone).rejects.toThrow('Changed my mind.');
  await ended(catalog.admin, await enqueue(kind, { title: 'done' }));
  expect(seen).toEqual(['done']);
});

test('an unexpected error is tried again later and shows no internals', async () => {
  const kind = newKind();
  await using worker = work({
    [kind]: async ({ job }) => {
      if (job.attempts === 1) throw new Error('password=hunter2');
    },
  });
  const made = await enqueue(kind);
  const waiting = await reached(catalog.admin, made, ({ state, attempts }) => {
    return state === 'queued' && attempts === 1;
  });
  expect(waiting.lastError).toBe('Something went wrong on the server.');
  expect(waiting.runAt.getTime()).toBeGreaterThan(made.runAt.getTime() + 1_000);
  const job = await ended(catalog.admin, made);
  expect(job).toMatchObject({ state: 'succeeded', attempts: 2, lastError: null });
  expect(job.logs).toBe('Attempt 1 of 5 failed: Something went wrong on the server.\n');
  expect(worker.errors).toMatchObject([{ message: 'password=hunter2' }]);
});

test('an error that is meant for people fails the job at once', async () => {
  const kind = newKind();
  await using worker = work({
    [kind]: async () => {
      throw invalid('Line 3 is no JSON.');
    },
  });
  const job = await ended(catalog.admin, await enqueue(kind));
  expect(job).toMatchObject({ state: 'failed', attempts: 1, lastError: 'Line 3 is no JSON.' });
  expect(job.logs).toBe('Failed: Line 3 is no JSON.\n');
  expect(worker.errors).toEqual([]);
});

test('a job that always fails ends failed after its attempts', async () => {
  const kind = newKind();
  await using _worker = work({
    [kind]: async () => {
      throw new Error('Always.');
    },
  });
  const job = await ended(catalog.admin, await enqueue(kind, { maxAttempts: 1 }));
  expect(job).toMatchObject({ state: 'failed', attempts: 1 });
});

test('the effect and the end of a job are one', async () => {
  const kind = newKind();
  await using worker = work({
    [kind]: async (run) =>
      transaction(run.ctx, async (tx) => {
        await createTag(tx, { name: `Made by attempt ${run.job.attempts}` });
        await run.complete(tx, { attempt: run.job.attempts });
        if (run.job.attempts === 1) throw new Error('After the end.');
      }),
  });
  const job = await ended(catalog.admin, await enqueue(kind));
  expect(job).toMatchObject({ state: 'succeeded', result: { attempt: 2 } });
  const tags = await listTags(catalog.admin, {});
  const names = tags.nodes.map(({ name }) => name).filter((name) => name.startsWith('Made by'));
  expect(names).toEqual(['Made by attempt 2']);
  expect(worker.errors).toHaveLength(1);
});

test('a handler whose job went to another worker cannot commit', async () => {
  const kind = newKind();
  const overtaken = latch();
  let refusal: unknown;
  const commit = (run: Run) =>
    transaction(run.ctx, async (tx) => {
      await createTag(tx, { name: `Fenced ${run.job.attempts}` });
      await run.complete(tx);
    });
  const slow: JobHandler = async (run) => {
    await overtaken.opened;
    await commit(run).catch((error: unknown) => {
      refusal = error;
      throw error;
    });
  };
  const one = work({ [kind]: slow });
  const made = await enqueue(kind);
  await reached(catalog.admin, made, ({ state }) => state === 'running');
  // As if the worker had slept past its lease and a sweep had put the job back.
  await execute(
    catalog.admin,
    Prisma.sql`update job set state = 'queued', lease_until = null where id = ${made.id}::uuid`,
  );
  await using two = work({ [kind]: commit });
  while ((await jobInDatabase(made.id))?.state !== 'succeeded') await sleep(20);
  overtaken.open();
  await one.stop();

  expect(refusal).toMatchObject({ name: 'LeaseLost' });
  const tags = await listTags(catalog.admin, {});
  const names = tags.nodes.map(({ name }) => name).filter((name) => name.startsWith('Fenced'));
  expect(names).toEqual(['Fenced 2']);
  expect(await getJob(catalog.admin, made.id)).toMatchObject({ state: 'succeeded', attempts: 2 });
  expect([...one.errors, ...two.errors]).toEqual([]);
});

test('a worker that stops gives back what does not end in time', async () => {
  const kind = newKind();
  const worker = work({ [kind]: untilStopped });
  const made = await enqueue(kind);
  await reached(catalog.admin, made, ({ state }) => state === 'running');
  await worker.stop(0);
  expect(await getJob(catalog.admin, made.id)).toMatchObject({ state: 'queued', attempts: 0 });
  await using _next = work({ [kind]: async () => {} });
  expect(await ended(catalog.admin, made)).toMatchObject({ state: 'succeeded', attempts: 1 });
});

test('a handler that does not heed its signal keeps its job from no one', async () => {
  const kind = newKind();
  const late = latch();
  const deaf: JobHandler = async ({ log }) => {
    await late.opened;
    log('Said too late.');
  };
  const worker = work({ [kind]: deaf });
  const made = await enqueue(kind);
  await reached(catalog.admin, made, ({ state }) => state === 'running');
  await worker.stop(0);
  late.open();
  await sleep(20);
  const given = { state: 'queued', attempts: 0, logs: '', lastError: null };
  expect(await getJob(catalog.admin, made.id)).toMatchObject(given);
  expect(await jobInDatabase(made.id)).toMatchObject(given);
  expect(worker.errors).toEqual([]);
});

test('a run that is to stop before its handler began gives the job back unbegun', async () => {
  const { admin } = catalog;
  const kind = newKind();
  const made = await enqueue(kind);
  const claim = { owner: 'a worker that stops', leaseSeconds: 3, kinds: [kind] };
  const jobs = await claimJobs(admin, claim, { free: 1, spare: 0 });
  let begun = false;
  const errors: unknown[] = [];
  const handler = async () => {
    begun = true;
  };
  const watchers = { onError: (error: unknown) => errors.push(error), tracer: null };
  const [run] = jobs.map((job) => startRun(catalog, job, handler, watchers));
  if (!run) throw new Error('The job was not there to be claimed.');
  run.stop('released');
  await run.over;
  expect(begun).toBe(false);
  expect(await getJob(admin, made.id)).toMatchObject({ state: 'queued', attempts: 0 });
  expect(errors).toEqual([]);
});

test('a worker that stops lets what runs come to its end', async () => {
  const kind = newKind();
  const worker = work({ [kind]: async () => sleep(200) });
  const made = await enqueue(kind);
  await reached(catalog.admin, made, ({ state }) => state === 'running');
  await worker.stop();
  expect(await getJob(catalog.admin, made.id)).toMatchObject({ state: 'succeeded', attempts: 1 });
});

test('a job whose starter was deactivated does nothing', async () => {
  const kind = newKind();
  let runs = 0;
  const user = await catalog.user({ role: 'editor' });
  const { job } = await enqueueJob(catalog.contextOf(user), { kind, title: 'A test' });
  await catalog.database.prisma.user.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: user.id } },
    data: { archived: true },
  });
  await using _worker = work({
    [kind]: async () => {
      runs += 1;
    },
  });
  expect(await ended(catalog.admin, job)).toMatchObject({ state: 'failed', attempts: 1 });
  expect(runs).toBe(0);
});

test('a job acts with the role that its starter has today', async () => {
  const kind = newKind();
  const user = await catalog.user({ role: 'editor' });
  const { job } = await enqueueJob(catalog.contextOf(user), { kind, title: 'A test' });
  await catalog.database.prisma.user.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: user.id } },
    data: { role: 'viewer' },
  });
  await using _worker = work({
    [kind]: async ({ ctx }) => {
      await createTag(ctx, { name: 'Made by a viewer' });
    },
  });
  const done = await ended(catalog.admin, job);
  expect(done.state).toBe('failed');
  expect(done.lastError).toMatch(/viewer can't edit tags/);
});

test('a schedule is called again when it wants, and may fail', async () => {
  const kind = newKind();
  let ticks = 0;
  const due = latch();
  const failing = async () => {
    throw new CatalogError('CONFLICT', 'Not now.');
  };
  const tick = async () => {
    ticks += 1;
    if (ticks === 3) due.open();
    return new Date();
  };
  await using worker = work(
    { [kind]: async () => {} },
    { schedules: [{ tick: failing }, { tick }] },
  );
  await due.opened;
  expect(worker.errors.length).toBeGreaterThanOrEqual(2);
});

test('an idle worker sends next to nothing', async () => {
  const kind = newKind();
  await using _worker = work({ [kind]: async () => {} });
  await ended(catalog.admin, await enqueue(kind));
  await sleep(500);
  const { statements } = await catalog.counting(async () => sleep(2_000));
  expect(statements).toEqual([]);
});
