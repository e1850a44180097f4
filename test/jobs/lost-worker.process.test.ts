// What becomes of jobs whose worker's process is killed, or sleeps past its lease.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { transaction } from '../../src/database/transaction.ts';
import { enqueueJob } from '../../src/jobs/job.ts';
import type { JobHandler } from '../../src/jobs/run.ts';
import { startWorker, type Worker } from '../../src/jobs/worker.ts';
import { createTag, listTags } from '../../src/tags/tag.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { ended } from './ended.ts';

const program = fileURLToPath(new URL('./worker-process.ts', import.meta.url));

interface Child extends AsyncDisposable {
  readonly process: ChildProcess;
  readonly lines: string[];
  /** Resolves once it has written so many lines that begin with `word`. */
  wrote(word: string, count: number): Promise<void>;
}

function startChild(catalog: Catalog, kind: string): Child {
  const child = spawn(process.execPath, ['--import', 'tsx', program, kind], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATABASE_URL: catalog.url },
  });
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return {
    process: child,
    lines,
    async wrote(word, count) {
      while (lines.filter((line) => line.startsWith(word)).length < count) await sleep(20);
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

function takeOver(catalog: Catalog, kind: string): Worker {
  const handler: JobHandler = async (run) =>
    transaction(run.ctx, async (tx) => {
      await createTag(tx, { name: `${run.job.title}, attempt ${run.job.attempts}` });
      await run.complete(tx);
    });
  const { database, surroundings } = catalog;
  return startWorker({
    database,
    surroundings,
    handlers: { [kind]: handler },
    pollSeconds: 1,
    onError() {},
  });
}

async function enqueue(catalog: Catalog, kind: string, count: number) {
  const titles = Array.from({ length: count }, (_, i) => `Job ${i}`);
  return Promise.all(
    titles.map(async (title) => (await enqueueJob(catalog.admin, { kind, title })).job),
  );
}

async function effects(catalog: Catalog): Promise<string[]> {
  const { nodes } = await listTags(catalog.admin, { first: 1_000 });
  return nodes.map(({ name }) => name.replace(/, attempt \d+$/, '')).sort();
}

test('the jobs of a killed worker are done by another, once each', async () => {
  const kind = 'lost worker: killed';
  await using catalog = await openCatalog();
  await using child = startChild(catalog, kind);
  const jobs = await enqueue(catalog, kind, 8);
  // Four are done, four are running.
  await child.wrote('running', 5);
  child.process.kill('SIGKILL');
  const worker = takeOver(catalog, kind);
  for (const job of jobs) expect((await ended(catalog.admin, job)).state).toBe('succeeded');
  await worker.stop();
  expect(await effects(catalog)).toEqual(jobs.map(({ title }) => title).sort());
});

test('a worker that wakes up past its lease changes nothing', async () => {
  const kind = 'lost worker: asleep';
  await using catalog = await openCatalog();
  await using child = startChild(catalog, kind);
  const jobs = await enqueue(catalog, kind, 3);
  await child.wrote('running', 3);
  child.process.kill('SIGSTOP');
  const worker = takeOver(catalog, kind);
  const done = await Promise.all(jobs.map((job) => ended(catalog.admin, job)));
  expect(done.map(({ attempts }) => attempts)).toEqual([2, 2, 2]);
  child.process.kill('SIGCONT');
  // Its handlers go on, and reach their commits.
  await sleep(1_500);
  await worker.stop();
  expect(child.lines.filter((line) => line.startsWith('completed'))).toEqual([]);
  expect(await effects(catalog)).toEqual(jobs.map(({ title }) => title).sort());
  const after = await Promise.all(jobs.map((job) => ended(catalog.admin, job)));
  expect(after).toEqual(done);
});
