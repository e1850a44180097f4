// A run measures tables with few statements, and writes values, ranges and incidents as one.

import { expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { acrossWorkspaces } from '../../../src/database/outside.ts';
import { invalid, unavailable } from '../../../src/errors.ts';
import { getJob } from '../../../src/jobs/job.ts';
import type { Run } from '../../../src/jobs/run.ts';
import { LeaseLost } from '../../../src/jobs/run.ts';
import { startWorker } from '../../../src/jobs/worker.ts';
import { getIncident, listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { listMeasurements, markNormal } from '../../../src/monitors/measurement.ts';
import { createMonitor, getMonitor, updateMonitor } from '../../../src/monitors/monitor.ts';
import type { OpenSource } from '../../../src/monitors/runs/asking.ts';
import { runJob, startDueMonitors } from '../../../src/monitors/runs/due.ts';
import type { RunOrigin } from '../../../src/monitors/runs/outcome.ts';
import { runAndKeep, runHandler, runMonitors } from '../../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { ended } from '../../jobs/ended.ts';

const quiet: Pick<Run, 'log' | 'progress'> = { log: () => {}, progress: () => {} };
const byHand: RunOrigin = { jobId: null, scheduled: false, fence: async () => {} };

/** A source that answers every statement with a row of what the test says, and keeps them. */
function sourceOf(answer: (sql: string) => readonly unknown[]) {
  const statements: string[] = [];
  const open: OpenSource = async () => ({
    dialect: 'postgres',
    async query(sql) {
      statements.push(sql);
      return { rows: [answer(sql)] };
    },
    close: async () => {},
  });
  return { open, statements };
}

/** A source whose every table has so many rows. */
const rowsOf = (count: () => number) => sourceOf(() => [count()]);

async function shop(catalog: Catalog) {
  const integration = await catalog.integration({ type: 'postgres' });
  const table = await catalog.resource({ title: 'orders' });
  const of = (data: object) =>
    catalog.database.prisma.resource.updateMany({
      where: { workspaceId: catalog.workspaceId },
      data: { integrationId: integration.id, ...data },
    });
  return { integration, table, claim: () => of({ databaseName: 'shop', schemaName: 'public' }) };
}

async function runDays(
  catalog: Catalog,
  id: string,
  values: readonly number[],
  from: Date,
): Promise<Date> {
  let value = 0;
  const { open } = rowsOf(() => value);
  let day = from;
  for (value of values) {
    catalog.setTime(day);
    await runAndKeep(catalog.admin, [id], open, byHand, quiet);
    day = new Date(day.getTime() + 86_400_000);
  }
  return day;
}

const start = new Date('2026-03-02T00:00:01Z');
const all = { first: 100 };

test('the monitors of a table share one scan, and one that fails spoils no other', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  const column = await catalog.resource({
    ...{ kind: 'column', parentId: table.id, title: 'amount', type: 'numeric' },
  });
  await claim();
  const make = (targetId: string, metricType: string, more = {}) =>
    createMonitor(catalog.admin, { targetId, metricType, ...more });
  const count = await make(table.id, 'row_count');
  const nulls = await make(column.id, 'null_percentage');
  const mean = await make(column.id, 'mean');
  const custom = await make(table.id, 'custom_sql', { metricConfig: { query_select: 'select 7' } });
  const ids = [count, nulls, mean, custom].map(({ id }) => id);

  const well = sourceOf((sql) => (sql.includes('select 7') ? [7] : [1, 2, 3]));
  await runAndKeep(catalog.admin, ids, well.open, byHand, quiet);
  expect(well.statements).toHaveLength(2);

  const ill = sourceOf((sql) => {
    if (sql.includes('SUM(')) throw invalid('The source refused: numeric overflow');
    return [5];
  });
  const kept = await runAndKeep(catalog.admin, ids, ill.open, byHand, quiet);
  expect(kept).toMatchObject({ measured: 3, failed: 1 });
  expect(await getMonitor(catalog.admin, mean.id)).toMatchObject({
    status: 'error',
    lastErrorMessage: 'The source refused: numeric overflow',
    lastErrorAt: expect.any(Date),
  });
  expect(await getMonitor(catalog.admin, nulls.id)).toMatchObject({
    status: 'learning',
    lastMeasurementValue: 5,
    lastErrorMessage: '',
  });
});

test('a source that does not answer is not asked for each metric alone', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const ids: string[] = [];
  for (const type of ['date', 'numeric', 'bigint', 'real']) {
    const column = await catalog.resource({ kind: 'column', parentId: table.id, type });
    const input = { targetId: column.id, metricType: 'null_percentage' };
    ids.push((await createMonitor(catalog.admin, input)).id);
  }
  await claim();
  const away = sourceOf(() => {
    throw unavailable('The source does not answer.');
  });
  const kept = await runAndKeep(catalog.admin, ids, away.open, byHand, quiet);
  expect(kept).toMatchObject({ measured: 0, failed: 4 });
  expect(away.statements).toHaveLength(2);
});

test('a monitor that was paused in the meantime is written where it was run by hand, and only there', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const make = (name: string) =>
    createMonitor(catalog.admin, { targetId: table.id, metricType: 'row_count', name });
  const [paused, other] = [await make('paused'), await make('other')];
  const ids = [paused.id, other.id];
  // Somebody pauses it while the source is being asked.
  const asked = (isEnabled: boolean): OpenSource => {
    return async () => ({
      dialect: 'postgres',
      async query() {
        await updateMonitor(catalog.admin, paused.id, { isEnabled });
        return { rows: [[7]] };
      },
      close: async () => {},
    });
  };
  const measured = async (id: string) =>
    (await listMeasurements(catalog.admin, { monitorId: id }, all)).nodes.length;

  const scheduled = { ...byHand, scheduled: true };
  const kept = await runAndKeep(catalog.admin, ids, asked(false), scheduled, quiet);
  expect(kept).toMatchObject({ measured: 1, failed: 0 });
  expect(await Promise.all(ids.map(measured))).toEqual([0, 1]);
  expect(await getMonitor(catalog.admin, paused.id)).toMatchObject({
    isEnabled: false,
    lastMeasurementId: null,
  });

  await updateMonitor(catalog.admin, paused.id, { isEnabled: true });
  await runAndKeep(catalog.admin, ids, asked(false), byHand, quiet);
  expect(await Promise.all(ids.map(measured))).toEqual([1, 2]);
});

test('a target that no source can measure ends in error with the reason', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  const monitor = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const { open, statements } = rowsOf(() => 1);
  await runAndKeep(catalog.admin, [monitor.id], open, byHand, quiet);
  const after = await getMonitor(catalog.admin, monitor.id);
  expect(after).toMatchObject({ status: 'error', lastMeasurementId: null });
  expect(after.lastErrorMessage).toContain('no integration');
  expect(statements).toHaveLength(0);
});

test('a learned range opens one incident, keeps it, and resolves it after three good runs', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const week = [1000, 1010, 990, 1005, 995, 1003, 1001, 998, 1004, 1002];
  let day = await runDays(catalog, id, week.slice(0, 8), start);
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'learning' });
  day = await runDays(catalog, id, week.slice(8), day);
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'normal' });

  day = await runDays(catalog, id, [0, 2], day);
  const { lastIncidentId } = await getMonitor(catalog.admin, id);
  const incident = await getIncident(catalog.admin, lastIncidentId ?? '');
  expect(incident).toMatchObject({ status: 'active', value: 2, goodRuns: 0 });
  expect(incident.summary).toMatch(/^Expected about [\d,.]+ \([\d,.]+ to [\d,.]+\); measured 0\.$/);
  const { nodes } = await listMeasurements(catalog.admin, { incidentId: incident.id }, all);
  expect(nodes.map(({ value }) => value)).toEqual([2, 0]);
  expect(nodes[0]?.explanation).toMatchObject({ by: 'learning', verdict: 'below', needed: 8 });

  // A run that fails says nothing about the data.
  catalog.setTime(day);
  const away: OpenSource = async () => {
    throw unavailable('The source does not answer.');
  };
  await runAndKeep(catalog.admin, [id], away, byHand, quiet);
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'error' });
  expect(await getIncident(catalog.admin, incident.id)).toMatchObject({ status: 'active' });

  day = await runDays(catalog, id, [1000, 1001], day);
  expect(await getIncident(catalog.admin, incident.id)).toMatchObject({ goodRuns: 2 });
  await runDays(catalog, id, [1002], day);
  expect(await getIncident(catalog.admin, incident.id)).toMatchObject({
    status: 'resolved',
    resolveReason: 'recovered',
  });
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'normal' });
  expect((await listIncidents(catalog.admin, { monitorId: id }, all)).nodes).toHaveLength(1);
});

test('a value marked as normal widens the range at the next run, and unmarked it does not', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const noise = (n: number) => Array.from({ length: n }, (_, i) => 1000 + ((i * 37) % 11));
  let day = await runDays(catalog, id, [...noise(70), 1300], start);
  const [odd] = (await listMeasurements(catalog.admin, { monitorId: id }, all)).nodes;
  expect(odd?.incidentId).not.toBeNull();

  const upperNext = async () => {
    day = await runDays(catalog, id, [1003], day);
    const [newest] = (await listMeasurements(catalog.admin, { monitorId: id }, all)).nodes;
    return newest?.upperThreshold ?? 0;
  };
  const before = await upperNext();
  await markNormal(catalog.admin, odd?.id ?? '', true);
  const marked = await upperNext();
  await markNormal(catalog.admin, odd?.id ?? '', false);
  const unmarked = await upperNext();
  expect(before).toBeLessThan(1300);
  expect(marked).toBeGreaterThan(1300);
  expect(unmarked).toBeLessThan(1300);
});

test('a value of a run by hand that is marked as normal is learned in place of that of its day', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const noise = Array.from({ length: 70 }, (_, i) => 1000 + ((i * 37) % 11));
  const day = await runDays(catalog, id, noise, start);
  const noon = new Date(day.getTime() - 12 * 3_600_000);
  await runDays(catalog, id, [1300], noon);
  const [odd] = (await listMeasurements(catalog.admin, { monitorId: id }, all)).nodes;
  expect(odd).toMatchObject({ value: 1300, incidentId: expect.any(String) });
  await markNormal(catalog.admin, odd?.id ?? '', true);
  await runDays(catalog, id, [1300], day);
  const [newest] = (await listMeasurements(catalog.admin, { monitorId: id }, all)).nodes;
  expect(newest).toMatchObject({ value: 1300, incidentId: null });
});

test('what was learned from a snapshot is what is learned from all measurements', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const values = Array.from({ length: 75 }, (_, i) => 1000 + 100 * (i % 7) + ((i * 31) % 13));
  const day = await runDays(catalog, id, values, start);
  const { prisma } = catalog.database;
  expect(await prisma.learnerSnapshot.count({ where: { monitorId: id } })).toBe(1);
  const newest = async () =>
    (await listMeasurements(catalog.admin, { monitorId: id }, { first: 1 })).nodes[0];
  await runDays(catalog, id, [1000], day);
  const withSnapshot = await newest();
  await prisma.measurement.delete({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: withSnapshot?.id ?? '' } },
  });
  await prisma.learnerSnapshot.deleteMany({ where: { monitorId: id } });
  await runDays(catalog, id, [1000], day);
  const without = await newest();
  expect(without?.lowerThreshold).not.toBeNull();
  expect(without?.lowerThreshold).toBe(withSnapshot?.lowerThreshold);
  expect(without?.upperThreshold).toBe(withSnapshot?.upperThreshold);
});

test('a monitor that measures something else from now on learns again', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const day = await runDays(catalog, id, Array(10).fill(1000), start);
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'normal' });
  await updateMonitor(catalog.admin, id, { metricConfig: { where: 'amount > 10' } });
  await runDays(catalog, id, [3], day);
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'learning' });
});

test('a worker that lost its job writes nothing', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const { id } = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count', conditionManualMin: 5 },
    ...{ conditionAutoSensitivity: null, notifyChatChannel: 'C1' },
  });
  const lost: RunOrigin = {
    ...byHand,
    fence: async () => {
      throw new Error('lost');
    },
  };
  const { open } = rowsOf(() => 1);
  await expect(runAndKeep(catalog.admin, [id], open, lost, quiet)).rejects.toThrow('lost');
  const { workspaceId, database } = catalog;
  expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'pending' });
  expect(await database.prisma.measurement.count({ where: { workspaceId } })).toBe(0);
  expect(await database.prisma.notification.count({ where: { workspaceId } })).toBe(0);
});

test('a job that is tried again measures no monitor twice', async () => {
  await using catalog = await openCatalog();
  const { table, claim } = await shop(catalog);
  await claim();
  const monitor = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const origin = { ...byHand, jobId: '7d9f2f1c-5b9e-4f6f-9d53-6c3c6f0b8a11' };
  const { open } = rowsOf(() => 1);
  await runAndKeep(catalog.admin, [monitor.id], open, origin, quiet);
  await runAndKeep(catalog.admin, [monitor.id], open, origin, quiet);
  const { nodes } = await listMeasurements(catalog.admin, { monitorId: monitor.id }, all);
  expect(nodes).toHaveLength(1);
});

test('running monitors answers the job at once, and leaves their schedule alone', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { table, claim } = await shop(catalog);
  await claim();
  const monitor = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const { status, body } = await catalog.rest('POST', '/monitor/monitors/run', {
    body: { monitors: [monitor.id] },
  });
  expect(status).toBe(200);
  expect(body).toMatchObject({ title: 'Run a monitor', failed: false, completed: null });
  const { open } = rowsOf(() => 42);
  const worker = startWorker({
    database: catalog.database,
    surroundings: catalog.surroundings,
    handlers: { [runJob]: runHandler(open) },
    onError: (error) => expect(error).toBeInstanceOf(LeaseLost),
  });
  const job = await ended(catalog.admin, body);
  await worker.stop();
  expect(job).toMatchObject({ state: 'succeeded', result: { measured: 1, failed: 0 } });
  expect(await getJob(catalog.admin, job.id)).toMatchObject({ progressDone: 1, progressTotal: 1 });
  expect(await getMonitor(catalog.admin, monitor.id)).toMatchObject({
    lastMeasurementValue: 42,
    nextRunAt: monitor.nextRunAt,
  });
});

test('a run that was asked for has failed where a monitor could not be measured', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { table } = await shop(catalog);
  const monitor = await createMonitor(catalog.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const { body } = await catalog.rest('POST', '/monitor/monitors/run', {
    body: { monitors: [monitor.id] },
  });
  const { open } = sourceOf(() => {
    throw unavailable('The source does not answer.');
  });
  const worker = startWorker({
    database: catalog.database,
    surroundings: catalog.surroundings,
    handlers: { [runJob]: runHandler(open) },
    onError: (error) => expect(error).toBeInstanceOf(LeaseLost),
  });
  const job = await ended(catalog.admin, body);
  await worker.stop();
  expect(job).toMatchObject({ state: 'failed', attempts: 1 });
  expect(job.lastError).toContain('1 of 1 monitor could not be measured');
  const read = await catalog.rest('GET', `/background_jobs/${body.id}`);
  expect(read.body).toMatchObject({ failed: true });
  expect(read.body.logs).toContain('0 measured, 0 out of range, 1 failed.');
});

test('a run that was due leaves out who was paused since, one by hand does not', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { table, claim } = await shop(catalog);
  await claim();
  const input = { targetId: table.id, metricType: 'row_count' };
  const { id } = await createMonitor(catalog.admin, input);
  const { monitor: all } = catalog.database.prisma;
  await all.updateMany({ data: { nextRunAt: new Date(Date.now() - 60_000) } });
  await startDueMonitors(acrossWorkspaces(catalog.database));
  await catalog.database.prisma.job.updateMany({ data: { runAt: new Date() } });
  await updateMonitor(catalog.admin, id, { isEnabled: false });
  const due = await catalog.database.prisma.job.findFirstOrThrow({ where: { kind: runJob } });
  const { id: byHand } = await runMonitors(catalog.admin, [id]);
  const worker = startWorker({
    database: catalog.database,
    surroundings: catalog.surroundings,
    handlers: { [runJob]: runHandler(rowsOf(() => 42).open) },
    onError: (error) => expect(error).toBeInstanceOf(LeaseLost),
  });
  try {
    expect((await ended(catalog.admin, due)).result).toMatchObject({ measured: 0 });
    expect((await ended(catalog.admin, { id: byHand })).result).toMatchObject({ measured: 1 });
  } finally {
    await worker.stop();
  }
});

test('a run without monitors is refused, and of unknown or unseen ones', async () => {
  await using catalog = await openCatalog();
  const other = await catalog.another();
  const table = await other.resource();
  const hidden = await createMonitor(other.admin, {
    ...{ targetId: table.id, metricType: 'row_count' },
  });
  const run = (ctx: Context, ids?: string[] | null) => runMonitors(ctx, ids);
  await expect(run(catalog.admin)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(run(catalog.admin, [])).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  await expect(run(catalog.admin, ['x'])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(run(catalog.admin, [hidden.id])).rejects.toMatchObject({ code: 'NOT_FOUND' });
  await expect(run(catalog.as('viewer'), [])).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const jobs = await catalog.database.prisma.job.count({
    where: { workspaceId: catalog.workspaceId },
  });
  expect(jobs).toBe(0);
});
