// Monitors in GraphQL: backtests, the reach of incidents, and what subscribers receive.

import { expect, test } from 'vitest';
import type { Incident, Measurement } from '../../src/generated/prisma/client.ts';
import { follow } from '../../src/graphql/watch.ts';
import { createLineage } from '../../src/lineage/edge.ts';
import { changedIncidents } from '../../src/monitors/incidents/incident.ts';
import { changedMeasurements } from '../../src/monitors/measurement.ts';
import { createMonitor } from '../../src/monitors/monitor.ts';
import { runAndKeep } from '../../src/monitors/runs/run.ts';
import { type Catalog, openCatalog } from '../catalog.ts';

async function measured(catalog: Catalog, values: readonly number[]) {
  const integration = await catalog.integration({ type: 'postgres' });
  const table = await catalog.resource({ title: 'orders' });
  await catalog.database.prisma.resource.update({
    where: { workspaceId_id: { workspaceId: catalog.workspaceId, id: table.id } },
    data: { integrationId: integration.id, schemaName: 'public' },
  });
  const input = { targetId: table.id, metricType: 'row_count' };
  const { id } = await createMonitor(catalog.admin, input);
  let day = Date.UTC(2026, 0, 5, 0, 0, 1);
  const measure = async (value: number) => {
    catalog.setTime(new Date(day));
    day += 86_400_000;
    await runAndKeep(
      catalog.admin,
      [id],
      async () => ({
        dialect: 'postgres',
        query: async () => ({ rows: [[value]] }),
        close: async () => {},
      }),
      { jobId: null, scheduled: false, fence: async () => {} },
      { log: () => {}, progress: () => {} },
    );
  };
  for (const value of values) await measure(value);
  return { id, table, measure };
}

const steady = Array.from({ length: 20 }, (_, i) => 1000 + ((i * 37) % 11));

const backtest = `query($series: [SeriesPointInput!]!, $metricType: MetricType!,
    $schedule: ScheduleInput, $sensitivity: Int, $bounds: Bounds) {
  backtestThresholds(series: $series, metricType: $metricType, schedule: $schedule,
      sensitivity: $sensitivity, bounds: $bounds) {
    incidents points { at value lower upper verdict }
  }
}`;

test('a series is judged by the range known before each point', async () => {
  await using catalog = await openCatalog();
  const series = [...steady, 0, 1001].map((value, i) => ({
    at: new Date(Date.UTC(2026, 0, 5 + i)).toISOString(),
    value,
  }));
  const ask = async (more: object) =>
    catalog.graphql(backtest, {
      ...{ series, metricType: 'row_count', schedule: { cadence: 'daily' }, ...more },
    });
  const { data } = await ask({});
  const { incidents, points } = data.backtestThresholds;
  expect(incidents).toBe(1);
  expect(points).toHaveLength(22);
  expect(points[0]).toEqual({ ...series[0], lower: null, upper: null, verdict: 'learning' });
  expect(points[20]).toMatchObject({ value: 0, verdict: 'below' });
  expect(points[21]).toMatchObject({ verdict: 'within' });
  const given = await ask({ bounds: { upper: 1005 } });
  expect(given.data.backtestThresholds.points[0]).toMatchObject({ lower: null, upper: 1005 });
  for (const wrong of [{ sensitivity: 11 }, { bounds: {} }, { schedule: { hour: 30 } }]) {
    const refused = await ask(wrong);
    expect(refused.errors?.[0]?.extensions.code, JSON.stringify(wrong)).toBe('BAD_REQUEST');
  }
});

test("a monitor's history is judged at another sensitivity, and nothing is stored", async () => {
  await using catalog = await openCatalog();
  const { id } = await measured(catalog, [...steady, 1019]);
  const incidentsAt = async (sensitivity: number) => {
    const { data } = await catalog.graphql(
      `query($id: ID!, $n: Int) { monitorBacktest(id: $id, sensitivity: $n) { incidents points { value } } }`,
      { id, n: sensitivity },
    );
    expect(data.monitorBacktest.points).toHaveLength(21);
    return data.monitorBacktest.incidents;
  };
  const before = await catalog.database.prisma.incident.count();
  expect(await incidentsAt(10)).toBe(1);
  expect(await incidentsAt(1)).toBe(0);
  expect(await catalog.database.prisma.incident.count()).toBe(before);
});

test('an incident says why it was opened, and what it reaches', async () => {
  await using catalog = await openCatalog();
  const owner = await catalog.user();
  const { id, table } = await measured(catalog, [...steady, 0]);
  const report = await catalog.resource({ title: 'report', ownerIds: [owner.id] });
  await createLineage(catalog.admin, {
    fromId: table.id,
    toId: report.id,
    direction: 'DOWNSTREAM',
  });
  const { data } = await catalog.graphql(
    `query($id: ID!) { incidents(monitorId: $id, first: 5) { nodes {
      summary reasons impact { count isMore resources { id } owners { id } } } } }`,
    { id },
  );
  const [incident] = data.incidents.nodes;
  expect(incident.reasons[0]).toBe(incident.summary);
  expect(incident.reasons[1]).toMatch(/^Forecast: .+, blended with other models\.$/);
  expect(incident.impact).toEqual({
    ...{ count: 1, isMore: false, resources: [{ id: report.id }], owners: [{ id: owner.id }] },
  });
});

test('subscribers receive each measurement and each change of an incident, of theirs only', async () => {
  await using catalog = await openCatalog({ alone: true });
  const other = await catalog.another();
  const { id, measure } = await measured(catalog, steady);
  catalog.setTime(new Date(catalog.admin.now().getTime() + 1_000));
  const measurements = follow<Measurement>(catalog.admin, {
    topic: 'measurement',
    read: (ctx, ids, since) => changedMeasurements(ctx, { ids, since, monitorId: id }),
  });
  const incidents = follow<Incident>(catalog.admin, {
    topic: 'incident',
    read: (ctx, ids, since) => changedIncidents(ctx, { ids, since }),
  });
  const foreign = follow<Incident>(other.admin, {
    topic: 'incident',
    read: (ctx, ids, since) => changedIncidents(ctx, { ids, since }),
  });
  let leaked = false;
  void foreign.next().then(({ done }) => {
    leaked = !done;
  });
  const received = Promise.all([measurements.next(), incidents.next()]);
  await measure(0);
  const [added, opened] = await received;
  expect(added.value?.thing).toMatchObject({ monitorId: id, value: 0 });
  expect(opened.value?.thing).toMatchObject({ monitorId: id, status: 'active' });
  await Promise.all([measurements.return?.(), incidents.return?.(), foreign.return?.()]);
  expect(leaked).toBe(false);
  expect(await measurements.next()).toMatchObject({ done: true });
});

test('freshness is refused on a time of day, and SQL that leaves its parentheses', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  const column = (type: string) => catalog.resource({ kind: 'column', parentId: table.id, type });
  const make = (targetId: string, metricType: string, metricConfig = {}) =>
    createMonitor(catalog.admin, { targetId, metricType, metricConfig });
  for (const type of ['time', 'TIME(6)', 'timetz', 'time without time zone']) {
    await expect(make((await column(type)).id, 'freshness'), type).rejects.toMatchObject({
      fields: [{ field: 'metric_type' }],
    });
  }
  await make((await column('timestamp')).id, 'freshness');
  for (const [type, config] of [
    ['custom_sql', { query_select: 'select 1; drop table orders' }],
    ['custom_sql', { query_select: 'delete from orders' }],
    ['row_count', { where: '1 = 1) union select 2 --' }],
  ] as const) {
    await expect(make(table.id, type, config)).rejects.toMatchObject({ code: 'BAD_REQUEST' });
  }
});

test('a resource says what a monitor can measure of it', async () => {
  await using catalog = await openCatalog();
  const table = await catalog.resource();
  const text = await catalog.resource({ kind: 'column', type: 'varchar(20)', parentId: table.id });
  const dashboard = await catalog.resource({ kind: 'dashboard' });
  const metricsOf = async ({ id }: { id: string }): Promise<string[]> => {
    const { data } = await catalog.graphql('query ($id: ID!) { resource(id: $id) { metrics } }', {
      id,
    });
    return data.resource.metrics;
  };
  expect(await metricsOf(table)).toContain('row_count');
  expect(await metricsOf(text)).toContain('average_length');
  expect(await metricsOf(text)).not.toContain('mean');
  expect(await metricsOf(dashboard)).toEqual([]);
});
