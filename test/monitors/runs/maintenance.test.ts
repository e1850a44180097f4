// Maintenance windows: what is measured in one is not judged or learned, and alarms no one.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unavailable } from '../../../src/errors.ts';
import { listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { pointsOf } from '../../../src/monitors/learning/range.ts';
import { covers } from '../../../src/monitors/maintenance/covers.ts';
import {
  createWindow,
  deleteWindow,
  updateWindow,
} from '../../../src/monitors/maintenance/maintenance-window.ts';
import { listMeasurements, markNormal } from '../../../src/monitors/measurement.ts';
import { createMonitor, getMonitor, type MonitorInput } from '../../../src/monitors/monitor.ts';
import type { OpenSource } from '../../../src/monitors/runs/asking.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';

const night = { startsAt: null, endsAt: null, days: [4], fromTime: '22:00', untilTime: '04:00' };

describe('a weekly window from Friday evening to Saturday morning', () => {
  test.each([
    ['2026-03-06T20:59:59Z', false],
    ['2026-03-06T21:00:00Z', true],
    ['2026-03-07T02:59:59Z', true],
    ['2026-03-07T03:00:00Z', false],
    // The morning of Friday belongs to Thursday, which is not one of its days.
    ['2026-03-06T01:00:00Z', false],
    // In summer the clocks of Berlin are two hours ahead of UTC.
    ['2026-07-03T20:00:00Z', true],
    ['2026-07-03T19:59:59Z', false],
    ['2026-07-04T02:00:00Z', false],
  ])('at %s is in force: %s', (at, isInForce) => {
    expect(covers({ ...night, timeZone: 'Europe/Berlin' }, new Date(at))).toBe(isInForce);
  });

  test('is of all days where none is named, and of whole days where both times are the same', () => {
    const daily = { ...night, days: [], timeZone: 'UTC' };
    expect(covers(daily, new Date('2026-03-03T23:00:00Z'))).toBe(true);
    expect(covers(daily, new Date('2026-03-03T05:00:00Z'))).toBe(false);
    const whole = { ...daily, days: [5], fromTime: '00:00', untilTime: '00:00' };
    expect(covers(whole, new Date('2026-03-07T23:59:00Z'))).toBe(true);
    expect(covers(whole, new Date('2026-03-08T00:00:00Z'))).toBe(false);
  });
});

let catalog: Catalog;
beforeAll(async () => {
  catalog = await openCatalog();
}, 60_000);
afterAll(() => catalog[Symbol.asyncDispose]());

/** A monitor of a new table that takes 5 rows at least, or what is said instead. */
async function monitorOf(more: Partial<MonitorInput> = {}) {
  const { admin, database, workspaceId } = catalog;
  const integration = await catalog.integration({ type: 'postgres' });
  const { id } = await catalog.resource({ title: 'orders' });
  await database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const monitor = await createMonitor(admin, {
    ...{ targetId: id, metricType: 'row_count', conditionAutoSensitivity: null },
    ...{ conditionManualMin: 5, ...more },
  });
  return { monitor, integration };
}

/** Measure at a time; null for a source that is away. Answers what the run logged. */
async function measure(id: string, at: string, value: number | null, scheduled = false) {
  catalog.setTime(new Date(at));
  const open: OpenSource = async () => ({
    dialect: 'postgres',
    query: async () => {
      if (value === null) throw unavailable('The source does not answer.');
      return { rows: [[value]] };
    },
    close: async () => {},
  });
  const lines: string[] = [];
  const by = { jobId: null, scheduled, fence: async () => {} };
  await runAndKeep(catalog.admin, [id], open, by, {
    log: (line) => lines.push(line),
    progress: () => {},
  });
  return lines;
}

const of = (monitorId: string) => ({ monitorId });
const incidentsOf = async (id: string) =>
  (await listIncidents(catalog.admin, of(id), { first: 10 })).nodes;
const measured = async (id: string) =>
  (await listMeasurements(catalog.admin, of(id), { first: 100 })).nodes;

const deploy = {
  name: 'Deploy',
  startsAt: new Date('2026-03-02T10:00:00Z'),
  endsAt: new Date('2026-03-02T12:00:00Z'),
};

test('a value out of range within a window opens nothing and says why; after it one does', async () => {
  const { monitor, integration } = await monitorOf();
  catalog.setTime(new Date('2026-03-02T09:00:00Z'));
  const window = await createWindow(catalog.admin, { ...deploy, integrationId: integration.id });
  await measure(monitor.id, '2026-03-02T11:00:00Z', 1);
  expect(await incidentsOf(monitor.id)).toEqual([]);
  const { data } = await catalog.graphql(
    `query ($id: ID!) { monitor(id: $id) { status maintenance { name isInForce }
      lastMeasurement { value incidentId maintenance lowerThreshold reasons } } }`,
    { id: monitor.id },
  );
  expect(data.monitor).toEqual({
    status: 'learning',
    maintenance: { name: 'Deploy', isInForce: true },
    lastMeasurement: {
      ...{ value: 1, incidentId: null, maintenance: 'Deploy', lowerThreshold: null },
      reasons: [
        'Measured in the maintenance window Deploy. The range does not learn from this value.',
      ],
    },
  });
  // Another source is not in it.
  const other = await monitorOf();
  await measure(other.monitor.id, '2026-03-02T11:00:00Z', 1);
  expect(await incidentsOf(other.monitor.id)).toHaveLength(1);

  await measure(monitor.id, '2026-03-02T12:00:00Z', 1);
  expect(await incidentsOf(monitor.id)).toHaveLength(1);
  await deleteWindow(catalog.admin, window.id);
});

test('an open incident neither goes on nor ends within a window', async () => {
  const { monitor } = await monitorOf();
  await measure(monitor.id, '2026-03-02T09:00:00Z', 1);
  const window = await createWindow(catalog.admin, { ...deploy, monitorId: monitor.id });
  for (const hour of ['10:00', '10:20', '10:40', '11:00']) {
    await measure(monitor.id, `2026-03-02T${hour}:00Z`, 9);
  }
  expect(await incidentsOf(monitor.id)).toMatchObject([{ status: 'active', goodRuns: 0 }]);
  expect((await getMonitor(catalog.admin, monitor.id)).status).toBe('incident');
  await deleteWindow(catalog.admin, window.id);
});

test('a source that is away within a window does not count as a failure', async () => {
  const { monitor } = await monitorOf();
  await measure(monitor.id, '2026-03-02T09:00:00Z', 9);
  const window = await createWindow(catalog.admin, deploy);
  for (const minute of ['10', '20', '30']) {
    await measure(monitor.id, `2026-03-02T10:${minute}:00Z`, null);
  }
  expect(await getMonitor(catalog.admin, monitor.id)).toMatchObject({
    ...{ status: 'normal', failedRuns: 0, failedSince: null },
    lastErrorMessage: 'The source does not answer.',
  });
  await measure(monitor.id, '2026-03-02T12:10:00Z', null);
  expect(await getMonitor(catalog.admin, monitor.id)).toMatchObject({
    ...{ status: 'error', failedRuns: 1 },
  });
  await deleteWindow(catalog.admin, window.id);
});

test('where monitors do not run in a window the schedule leaves them out, and people do not', async () => {
  const { monitor } = await monitorOf();
  const input = { ...deploy, monitorId: monitor.id, measures: false };
  const window = await createWindow(catalog.admin, input);
  const lines = await measure(monitor.id, '2026-03-02T10:30:00Z', 1, true);
  expect(lines[0]).toBe(`${monitor.name}: not run in the maintenance window Deploy.`);
  expect(await measured(monitor.id)).toEqual([]);
  await measure(monitor.id, '2026-03-02T10:40:00Z', 1);
  expect(await measured(monitor.id)).toMatchObject([{ value: 1, maintenance: 'Deploy' }]);
  await updateWindow(catalog.admin, window.id, { isEnabled: false });
  await measure(monitor.id, '2026-03-02T10:50:00Z', 1, true);
  expect(await incidentsOf(monitor.id)).toHaveLength(1);
  await deleteWindow(catalog.admin, window.id);
});

test('what a window covers is not learned, also in the past, unless somebody marks it as normal', async () => {
  const { monitor } = await monitorOf({ conditionAutoSensitivity: 5, conditionManualMin: null });
  const day = (n: number) => new Date(Date.UTC(2026, 2, 2 + n)).toISOString();
  for (let n = 0; n < 20; n += 1)
    await measure(monitor.id, day(n), n === 12 ? 5_000 : 100 + (n % 3));
  const learned = async () =>
    (await pointsOf(catalog.admin, monitor, null)).map(({ value }) => value).sort((a, b) => b - a);
  expect((await learned())[0]).toBe(5_000);
  const startsAt = new Date(Date.UTC(2026, 2, 13, 12));
  const endsAt = new Date(Date.UTC(2026, 2, 15));
  const { id } = await createWindow(catalog.admin, { name: 'Migration', startsAt, endsAt });
  expect(await learned()).toHaveLength(19);
  expect((await learned())[0]).toBe(102);
  const spike = (await measured(monitor.id)).find(({ value }) => value === 5_000);
  expect(spike?.maintenance).toBe('Migration');
  // The end of a window is not in it.
  expect((await measured(monitor.id)).filter((one) => one.maintenance !== null)).toHaveLength(1);

  await markNormal(catalog.admin, spike?.id ?? '', true);
  expect((await learned())[0]).toBe(5_000);
  await markNormal(catalog.admin, spike?.id ?? '', false);
  await deleteWindow(catalog.admin, id);
  expect(await learned()).toHaveLength(19);
});

test('a window is once or weekly, of what the viewer may see, and says what is wrong', async () => {
  const make = async (fields: string) => {
    const ask = `mutation { createMaintenanceWindow(input: { name: "Night", ${fields} }) { id days timeZone } }`;
    const { data, errors } = await catalog.graphql(ask);
    return errors?.[0]?.message ?? data.createMaintenanceWindow;
  };
  const once = 'startsAt: "2026-03-02T10:00:00Z"';
  expect(await make('days: [1]')).toMatch(/^fromTime: Give startsAt and endsAt/);
  expect(await make('fromTime: "22:00"')).toMatch(/^untilTime: Give/);
  expect(await make('fromTime: "25:00", untilTime: "04:00"')).toMatch(/^fromTime: Use a time of/);
  expect(await make('fromTime: "1:00", untilTime: "04:00", days: [7]')).toMatch(
    /days: .*fromTime: /,
  );
  expect(await make(once)).toMatch(/^endsAt: Give both/);
  expect(await make(`${once}, endsAt: "2026-03-02T10:00:00Z"`)).toMatch(
    /^endsAt: Use a time within/,
  );
  expect(await make(`${once}, endsAt: "2028-03-02T10:00:00Z"`)).toMatch(
    /^endsAt: Use a time within/,
  );
  expect(await make(`${once}, endsAt: "2026-03-02T11:00:00Z", days: [1]`)).toMatch(
    /^days: A window/,
  );
  const long = 'startsAt: "2020-03-02T10:00:00Z", endsAt: "2020-03-03T10:00:00Z"';
  expect(await make(long)).toMatch(/^startsAt: Use a time within the last 366 days/);
  const nowhere = '00000000-0000-4000-8000-000000000000';
  const weekly = 'fromTime: "22:00", untilTime: "04:00"';
  expect(await make(`${weekly}, monitorId: "${nowhere}"`)).toMatch(/^monitorId: .*monitor/);
  expect(await make(`${weekly}, integrationId: "${nowhere}"`)).toMatch(/^integrationId: /);
  expect(await make(`${weekly}, timeZone: "Mars/Base"`)).toMatch(/^timeZone: /);
  expect(await make(`${weekly}, days: [6, 4, 4]`)).toMatchObject({ days: [4, 6], timeZone: 'UTC' });
});
