// Who may see and cancel which job.

import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Role } from '../../src/auth/viewer.ts';
import { cancelJob, enqueueJob, getJob, listJobs } from '../../src/jobs/job.ts';
import { startWorker } from '../../src/jobs/worker.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { ended, reached } from './ended.ts';

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const enqueueAs = async (role: Role, kind = 'job test') =>
  (await enqueueJob(catalog.as(role), { kind, title: `Started by the ${role}` })).job;

test('people see the jobs they started, editors and admins all', async () => {
  const own = await enqueueAs('viewer');
  const others = await enqueueAs('admin');
  for (const role of ['admin', 'editor'] as const) {
    const page = await listJobs(catalog.as(role), {}, {});
    expect(page.nodes.map(({ id }) => id)).toEqual([others.id, own.id]);
    expect(await getJob(catalog.as(role), own.id)).toEqual(own);
  }
  const page = await listJobs(catalog.as('viewer'), {}, {});
  expect(page.nodes).toMatchObject([own]);
  await expect(getJob(catalog.as('viewer'), others.id)).rejects.toThrow('Job not found.');
});

test('an id of another workspace, or that is no id, is not found', async () => {
  const other = await catalog.another();
  const job = await enqueueAs('admin');
  for (const id of [job.id, 'no-id', "'"]) {
    await expect(getJob(other.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(cancelJob(other.admin, id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
  expect((await listJobs(other.admin, {}, {})).nodes).toEqual([]);
  expect(await getJob(catalog.admin, job.id)).toEqual(job);
});

test('jobs are listed by kind and state, and a state there is not is refused', async () => {
  const job = await enqueueAs('admin', 'rare');
  const page = await listJobs(catalog.admin, { kind: 'rare', states: ['queued'] }, {});
  expect(page.nodes).toMatchObject([job]);
  expect((await listJobs(catalog.admin, { kind: 'rare', states: ['failed'] }, {})).nodes).toEqual(
    [],
  );
  await expect(listJobs(catalog.admin, { states: ['done'] }, {})).rejects.toMatchObject({
    code: 'BAD_REQUEST',
    fields: [{ field: 'state', message: expect.stringContaining('succeeded') }],
  });
});

test('a job that waits is cancelled at once, and never run', async () => {
  const kind = 'cancelled early';
  const job = await enqueueAs('viewer', kind);
  expect(await cancelJob(catalog.as('viewer'), job.id)).toMatchObject({ state: 'cancelled' });
  const { database, surroundings } = catalog;
  let runs = 0;
  const handlers = {
    [kind]: async () => {
      runs += 1;
    },
  };
  const worker = startWorker({ database, surroundings, handlers, onError: () => {} });
  await ended(catalog.admin, await enqueueAs('admin', kind));
  await worker.stop();
  expect(runs).toBe(1);
  await expect(cancelJob(catalog.admin, job.id)).rejects.toMatchObject({ code: 'CONFLICT' });
});

test('a job that runs is asked to stop', async () => {
  const kind = 'cancelled late';
  const { database, surroundings } = catalog;
  const handlers = {
    [kind]: async ({ ctx }: { ctx: { signal: AbortSignal } }) => {
      await new Promise((resolve) => ctx.signal.addEventListener('abort', resolve));
      throw ctx.signal.reason;
    },
  };
  const worker = startWorker({ database, surroundings, handlers, onError: () => {} });
  const job = await enqueueAs('editor', kind);
  await reached(catalog.admin, job, ({ state }) => state === 'running');
  expect(await cancelJob(catalog.as('editor'), job.id)).toMatchObject({
    state: 'running',
    cancelRequested: true,
  });
  expect(await ended(catalog.admin, job)).toMatchObject({ state: 'cancelled', attempts: 1 });
  await worker.stop();
});

test('only admins cancel what others started', async () => {
  const job = await enqueueAs('viewer');
  await expect(cancelJob(catalog.as('editor'), job.id)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
  expect(await getJob(catalog.admin, job.id)).toEqual(job);
  expect(await cancelJob(catalog.admin, job.id)).toMatchObject({ state: 'cancelled' });
  const [entry] = await database().auditLog.findMany({ where: { resourceId: job.id } });
  expect(entry).toMatchObject({
    activityType: 'job_cancelled',
    performerId: catalog.idOf('admin'),
  });
});

const database = () => catalog.database.prisma;
