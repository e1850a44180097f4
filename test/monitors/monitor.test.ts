// Monitors as records: what may be watched how, and what people do about incidents.

import { expect, test } from 'vitest';
import { getIncident, listIncidents } from '../../src/monitors/incidents/incident.ts';
import { updateIncident } from '../../src/monitors/incidents/incident-change.ts';
import { listMeasurements, markNormal } from '../../src/monitors/measurement.ts';
import {
  createMonitor,
  deleteMonitor,
  getMonitor,
  listMonitors,
  type MonitorInput,
  updateMonitor,
} from '../../src/monitors/monitor.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

/** An open incident with its one measurement, as a run would have written them. */
async function breach(catalog: Catalog, monitorId: string, targetId: string) {
  const { workspaceId, database } = catalog;
  const incident = await database.prisma.incident.create({
    data: { workspaceId, monitorId, targetId, name: 'Too few rows', summary: '0 rows', value: 0 },
  });
  const measurement = await database.prisma.measurement.create({
    data: { workspaceId, monitorId, incidentId: incident.id, value: 0, lowerThreshold: 5 },
  });
  return { incident, measurement };
}

test('a monitor is daily at midnight with a learned range unless told otherwise', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(new Date('2026-03-04T15:00:00Z'));
  const table = await catalog.resource({ title: 'orders' });

  const monitor = await createMonitor(catalog.admin, {
    targetId: table.id,
    metricType: 'row_count',
  });

  expect(monitor).toMatchObject({
    name: 'Row count of orders',
    frequency: 24,
    conditionAutoSensitivity: 5,
    status: 'pending',
    nextRunAt: new Date('2026-03-05T00:00:00Z'),
    lastErrorMessage: '',
  });
});

test('what a target cannot be measured by is refused by its field', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  const text = await catalog.resource({ kind: 'column', parentId: table.id, type: 'VARCHAR(20)' });
  const number = await catalog.resource({ kind: 'column', parentId: table.id, type: 'bigint' });
  const boolean = await catalog.resource({ kind: 'column', parentId: table.id, type: 'boolean' });
  const tiny = await catalog.resource({ kind: 'column', parentId: table.id, type: 'tinyint(1)' });
  const chart = await catalog.resource({ kind: 'chart' });
  const on = (targetId: string, metricType: string, more = {}) =>
    createMonitor(catalog.admin, { targetId, metricType, ...more });

  for (const [field, making] of [
    ['metric_type', () => on(table.id, 'null_percentage')],
    ['metric_type', () => on(text.id, 'mean')],
    ['metric_type', () => on(number.id, 'average_length')],
    ['metric_type', () => on(number.id, 'true_percentage')],
    ['metric_type', () => on(number.id, 'oldest_age')],
    ['metric_type', () => on(boolean.id, 'mean')],
    ['metric_type', () => on(boolean.id, 'pattern')],
    ['metric_config.pattern', () => on(text.id, 'pattern')],
    ['metric_type', () => on(chart.id, 'row_count')],
    ['metric_type', () => on(table.id, 'rows')],
    ['metric_config.query_select', () => on(table.id, 'custom_sql')],
    ['metric_config', () => on(table.id, 'row_count', { metricConfig: '{' })],
    [
      'condition_auto_sensitivity',
      () => on(table.id, 'row_count', { conditionAutoSensitivity: 11 }),
    ],
    ['condition_manual_min', () => on(table.id, 'row_count', { conditionAutoSensitivity: null })],
    [
      'condition_manual_min',
      () => on(table.id, 'row_count', { conditionManualMin: 2, conditionManualMax: 1 }),
    ],
    ['schedule.hour', () => on(table.id, 'row_count', { schedule: { hour: 24 } })],
    ['target', () => on('6e1b1c88-8c0f-4f6c-9d4a-0d6b6f0f0c11', 'row_count')],
    ['target', () => createMonitor(catalog.admin, { metricType: 'row_count' })],
  ] as const) {
    await expect(making()).rejects.toMatchObject({ code: 'BAD_REQUEST', fields: [{ field }] });
  }
  await expect(on(number.id, 'max')).resolves.toMatchObject({ metricType: 'maximum' });
  // MySQL writes booleans as the smallest numbers.
  for (const metricType of ['true_percentage', 'mean']) await on(tiny.id, metricType);
  expect((await listMonitors(catalog.admin, {}, {})).nodes).toHaveLength(3);
});

test('a bound makes the range manual, and a sensitivity makes it learned again', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const made = await createMonitor(catalog.admin, {
    targetId,
    metricType: 'row_count',
    conditionManualMax: 10,
  });
  expect(made).toMatchObject({ conditionAutoSensitivity: null, conditionManualMax: 10 });

  const renamed = await updateMonitor(catalog.admin, made.id, { name: 'Rows' });
  expect(renamed).toMatchObject({ name: 'Rows', conditionManualMax: 10 });
  const learned = await updateMonitor(catalog.admin, made.id, { conditionAutoSensitivity: 7 });
  expect(learned).toMatchObject({ conditionAutoSensitivity: 7, conditionManualMax: null });
});

test('a bound alone ends the learning, and a sensitivity next to it does not', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const { id } = await createMonitor(catalog.admin, { targetId, metricType: 'row_count' });
  const both = { conditionManualMax: 10, conditionAutoSensitivity: 3 };
  expect(await updateMonitor(catalog.admin, id, both)).toMatchObject({
    ...{ conditionAutoSensitivity: 3, conditionManualMin: null, conditionManualMax: null },
  });
  expect(await updateMonitor(catalog.admin, id, { conditionManualMax: 10 })).toMatchObject({
    ...{ conditionAutoSensitivity: null, conditionManualMin: null, conditionManualMax: 10 },
  });
  expect(await updateMonitor(catalog.admin, id, { conditionManualMin: 2 })).toMatchObject({
    ...{ conditionAutoSensitivity: null, conditionManualMin: 2, conditionManualMax: 10 },
  });
  const onlyMin = { conditionManualMax: null };
  expect(await updateMonitor(catalog.admin, id, onlyMin)).toMatchObject({
    ...{ conditionAutoSensitivity: null, conditionManualMin: 2, conditionManualMax: null },
  });
});

test('a comment acknowledges, resolving keeps the reason, reopening goes on', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const monitor = await createMonitor(catalog.admin, { targetId, metricType: 'row_count' });
  const { incident } = await breach(catalog, monitor.id, targetId);

  await updateIncident(catalog.as('editor'), incident.id, { comment: 'Looking at it.' });
  expect(await getIncident(catalog.admin, incident.id)).toMatchObject({ status: 'acknowledged' });
  const count = async (of: string) =>
    (await catalog.rest('GET', `/monitor/incidents?${of}`)).body.count;
  // What is acknowledged is open, and not active.
  expect([await count('is_open=true'), await count('status=active')]).toEqual([1, 0]);
  expect(await count('is_open=false')).toBe(0);
  expect(await getMonitor(catalog.admin, monitor.id)).toMatchObject({ status: 'incident' });
  const change = { status: 'resolved', resolveReason: 'fixed', severity: 'high' };
  await updateIncident(catalog.admin, incident.id, change);
  expect(await getMonitor(catalog.admin, monitor.id)).toMatchObject({ status: 'normal' });
  const again = updateIncident(catalog.admin, incident.id, { status: 'resolved' });
  await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
  await updateIncident(catalog.admin, incident.id, { status: 'active' });

  const answer = await catalog.graphql(
    `query ($id: ID!) { incident(id: $id) { status severity resolveReason
      actions { type comment userName } monitor { id } target { id } } }`,
    { id: incident.id },
  );
  expect(answer.data.incident).toMatchObject({
    status: 'active',
    severity: 'high',
    resolveReason: null,
    actions: [
      { type: 'comment', comment: 'Looking at it.', userName: 'editor Example' },
      { type: 'acknowledged' },
      { type: 'resolved' },
      { type: 'reopened' },
    ],
  });
});

test('a run that is due stays due whatever else of the monitor is changed, and moves with its schedule', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  catalog.setTime(new Date('2026-03-04T10:00:00Z'));
  const { id } = await createMonitor(catalog.admin, { targetId, metricType: 'row_count' });
  const due = new Date('2026-03-05T00:00:00Z');
  catalog.setTime(new Date('2026-03-05T00:01:00Z'));
  const change = async (input: MonitorInput) =>
    (await updateMonitor(catalog.admin, id, input)).nextRunAt;
  const same = { cadence: 'daily', hour: 0 };
  for (const input of [{ name: 'Rows' }, { isEnabled: true }, { schedule: same }]) {
    expect([input, await change(input)]).toEqual([input, due]);
  }
  expect(await change({ schedule: { hour: 6 } })).toEqual(new Date('2026-03-05T06:00:00Z'));
  // What did not run while it was disabled is not made up for.
  expect(await change({ isEnabled: false })).toBeNull();
  catalog.setTime(new Date('2026-03-05T07:00:00Z'));
  expect(await change({ isEnabled: true })).toEqual(new Date('2026-03-06T06:00:00Z'));
});

test('disabling a monitor resolves its incident with that reason, and it has no next run', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const monitor = await createMonitor(catalog.admin, { targetId, metricType: 'row_count' });
  const { incident } = await breach(catalog, monitor.id, targetId);

  const paused = await updateMonitor(catalog.admin, monitor.id, { isEnabled: false });

  expect(paused).toMatchObject({ status: 'disabled', nextRunAt: null });
  expect(await getIncident(catalog.admin, incident.id)).toMatchObject({
    status: 'resolved',
    resolveReason: 'monitor_disabled',
  });
});

test('marking a measurement as normal is noted on its incident, once', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const monitor = await createMonitor(catalog.admin, { targetId, metricType: 'row_count' });
  const { incident, measurement } = await breach(catalog, monitor.id, targetId);

  const mark = () => markNormal(catalog.admin, measurement.id, true);
  await Promise.all([mark(), mark(), mark()]);
  const marked = await mark();

  expect(marked.markedNormal).toBe(true);
  const actions = await catalog.database.prisma.incidentAction.findMany({
    where: { workspaceId: catalog.workspaceId, incidentId: incident.id },
  });
  expect(actions.map(({ type }) => type)).toEqual(['marked_normal']);
  await expect(listMeasurements(catalog.admin, {}, {})).rejects.toMatchObject({
    code: 'BAD_REQUEST',
  });
  const { nodes } = await listMeasurements(catalog.admin, { incidentId: incident.id }, {});
  expect(nodes).toMatchObject([{ value: 0, lowerThreshold: 5 }]);
});

test('what several people change of a monitor and its incident at once is all changed', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const { admin } = catalog;
  const assigneeId = catalog.idOf('editor');
  for (let round = 0; round < 5; round += 1) {
    const { id } = await createMonitor(admin, { targetId, metricType: 'row_count' });
    const { incident } = await breach(catalog, id, targetId);
    await Promise.all([
      updateMonitor(admin, id, { name: 'Enough rows' }),
      updateMonitor(admin, id, { schedule: { hour: 5 } }),
      updateMonitor(admin, id, { conditionManualMin: 1, conditionAutoSensitivity: null }),
      updateIncident(admin, incident.id, { severity: 'critical' }),
      updateIncident(admin, incident.id, { assigneeId }),
      updateIncident(admin, incident.id, { comment: 'On it' }),
    ]);
    const changed = { name: 'Enough rows', scheduleHour: 5, conditionManualMin: 1 };
    expect(await getMonitor(admin, id)).toMatchObject(changed);
    expect(await getIncident(admin, incident.id)).toMatchObject({
      ...{ severity: 'critical', assigneeId, status: 'acknowledged' },
    });
  }
});

test('settings of a metric that are none are refused in words', async () => {
  await using catalog = await openCatalog();
  const { id: targetId } = await catalog.resource();
  const object = 'Use an object, or the JSON of one.';
  for (const [metricConfig, message] of [
    ['{', `metric_config: ${object}`],
    [[], `metric_config: ${object}`],
    [7, `metric_config: ${object}`],
    [{ where: 7 }, 'metric_config.where: Use text.'],
    [{ where: 'x'.repeat(100_001) }, 'metric_config.where: Use at most 100000 characters.'],
  ]) {
    const input = { targetId, metricType: 'row_count', metricConfig };
    await expect(createMonitor(catalog.admin, input)).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message,
    });
  }
});

test('what is no id is named by its field, and no statement is sent for it', async () => {
  await using catalog = await openCatalog();
  for (const field of ['monitorId', 'targetId']) {
    const { statements } = await catalog.counting(() =>
      expect(listIncidents(catalog.admin, { [field]: '7' }, {})).rejects.toMatchObject({
        code: 'BAD_REQUEST',
        fields: [{ field, message: 'Use an id, which is a UUID.' }],
      }),
    );
    expect(statements).toEqual([]);
  }
});

test('monitors and incidents are seen with their targets, and changed by editors alone', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const draft = await catalog.resource({ published: false });
  const monitor = await createMonitor(catalog.as('editor'), {
    targetId: draft.id,
    metricType: 'row_count',
  });
  const { incident } = await breach(catalog, monitor.id, draft.id);

  for (const ctx of [catalog.as('viewer'), catalog.as('guest'), other.admin]) {
    await expect(getMonitor(ctx, monitor.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(getIncident(ctx, incident.id)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await listMonitors(ctx, {}, {})).nodes).toEqual([]);
    expect((await listIncidents(ctx, {}, {})).nodes).toEqual([]);
  }
  const deleting = deleteMonitor(catalog.as('viewer'), monitor.id);
  await expect(deleting).rejects.toMatchObject({ code: 'FORBIDDEN' });
  for (const [ctx, id] of [
    [other.admin, monitor.id],
    [catalog.admin, draft.id],
    [catalog.admin, 'nonsense'],
  ] as const) {
    const unseen = { code: 'NOT_FOUND', message: 'Monitor not found.' };
    await expect(updateMonitor(ctx, id, { name: 'Mine' })).rejects.toMatchObject(unseen);
    await expect(deleteMonitor(ctx, id)).rejects.toMatchObject(unseen);
  }
  expect((await getMonitor(catalog.admin, monitor.id)).name).toBe(monitor.name);
  await deleteMonitor(catalog.admin, monitor.id);
  await expect(getIncident(catalog.admin, incident.id)).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});
