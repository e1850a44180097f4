// A schema or database is watched by one decision: all its tables by one statement, each with a range of its own.

import { describe, expect, test } from 'vitest';
import type { Context } from '../../../src/context.ts';
import { listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { readSegments, worstSegments } from '../../../src/monitors/learning/segments.ts';
import { listMeasurements } from '../../../src/monitors/measurement.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { testMonitor } from '../../../src/monitors/runs/trial.ts';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { sayCounted } from '../../gates/counted.ts';
import { type Engine, engineNames, enginesOf, runNow } from './engines.ts';

const engines = enginesOf();

const HOUR = 3_600_000;
const rows = (count: number) => Array.from({ length: count }, (_, n) => `(${n})`).join(', ');

/** A schema in the catalog, with the database that it lies in; no table of theirs need be there. */
async function placesOf(catalog: Catalog, integrationId: string, { database, schema }: Place) {
  const { id: databaseId } = await catalog.resource({ kind: 'database', title: database });
  const { id: schemaId } = await catalog.resource({
    ...{ kind: 'schema', title: schema, parentId: databaseId },
  });
  await catalog.database.prisma.resource.updateMany({
    where: { workspaceId: catalog.workspaceId, id: { in: [databaseId, schemaId] } },
    data: { integrationId, databaseName: database },
  });
  return { databaseId, schemaId };
}
type Place = Pick<Engine, 'database' | 'schema'>;

async function segmentsOf(ctx: Context, monitorId: string) {
  const { nodes } = await listMeasurements(ctx, { monitorId }, { first: 1 });
  const segments = readSegments(nodes[0]?.segments);
  return Object.fromEntries(segments.map(({ segment, value }) => [segment, value]));
}

/** What a source says of its tables may come a moment after what was written. */
const afterWrites = { timeout: 20_000, interval: 200 };

describe.each(engineNames)('on %s', (name) => {
  test('volume and freshness of all tables are watched, new ones and those that are gone too', async ({
    skip,
  }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    const tables = ['orders', 'customers', 'tmp_load'];
    for (const table of tables) {
      await engine.run(`drop table if exists ${table}; create table ${table} (id int)`);
      await engine.run(`insert into ${table} values ${rows(100)}`);
    }
    await using catalog = await openCatalog();
    const { admin } = catalog;
    const source = await engine.connect(catalog);
    const { schemaId, databaseId } = await placesOf(catalog, source, engine);
    const metricConfig = { exclude: ['TMP_*'] };
    const given = { conditionAutoSensitivity: null, metricConfig };
    const volume = await createMonitor(admin, {
      ...{ ...given, targetId: schemaId, metricType: 'row_count', conditionManualMin: 50 },
    });
    const age = await createMonitor(admin, {
      ...{ ...given, targetId: schemaId, metricType: 'freshness', conditionManualMax: 7_200 },
    });
    const now = Date.now();
    const runAt = async (hours: number) => {
      catalog.setTime(new Date(now + hours * HOUR));
      return runNow(catalog, [volume.id, age.id]);
    };
    await expect
      .poll(async () => {
        expect(await runAt(0)).toMatchObject({ measured: 2, failed: 0 });
        return segmentsOf(admin, volume.id);
      }, afterWrites)
      .toEqual({ orders: 100, customers: 100 });
    expect(await getMonitor(admin, volume.id)).toMatchObject({
      ...{ status: 'normal', lastMeasurementValue: 200 },
    });
    const ages = await segmentsOf(admin, age.id);
    expect(Object.keys(ages).sort()).toEqual(['customers', 'orders']);
    for (const value of Object.values(ages)) expect(value).toBeLessThan(HOUR / 1_000);

    // Three hours later one has been written to, one is gone, and one is new.
    await engine.run(`insert into customers values ${rows(10)}`);
    await engine.run(`drop table orders; create table refunds (id int)`);
    await engine.run(`insert into refunds values ${rows(60)}`);
    await expect
      .poll(async () => {
        await runAt(3);
        return segmentsOf(admin, volume.id);
      }, afterWrites)
      .toEqual({ customers: 110, refunds: 60, orders: 0 });
    const { nodes } = await listIncidents(admin, { monitorId: volume.id }, { first: 10 });
    expect(nodes).toMatchObject([{ status: 'active', value: 0 }]);
    expect(nodes[0]?.summary).toMatch(/^orders: /);
    const later = await segmentsOf(admin, age.id);
    expect(Object.keys(later).sort()).toEqual(['customers', 'refunds']);

    // A database names its schemas.
    const whole = { targetId: databaseId, metricType: 'row_count' };
    expect(await testMonitor(admin, whole)).toMatchObject({ outcome: 'MEASURED', value: 270 });
    await engine.run('drop table customers; drop table refunds; drop table tmp_load');
  }, 90_000);
});

/** A source of so many tables, that counts its statements. */
function sourceOf(tables: number, rowsOf: (table: number) => number | null) {
  const asked: string[] = [];
  const open = async () => ({
    dialect: 'postgres' as const,
    query: async (sql: string) => {
      asked.push(sql);
      const all = Array.from({ length: tables }, (_, n) => [
        'public',
        `t${n}`,
        rowsOf(n),
        null,
        rowsOf(n),
      ]);
      return { rows: all };
    },
    close: async () => {},
  });
  return { asked, open };
}

const byHand = { jobId: null, scheduled: false, fence: async () => {} };
const silent = { log: () => {}, progress: () => {} };

test('two thousand tables are one statement of the source, and as many of ours as two are', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = catalog;
  const integration = await catalog.integration({ type: 'postgres' });
  const { schemaId } = await placesOf(catalog, integration.id, { database: 'd', schema: 'public' });
  const { id } = await createMonitor(admin, { targetId: schemaId, metricType: 'row_count' });
  const runs = 12;
  const counted: number[] = [];
  let cpu = process.cpuUsage();
  for (let run = 0; run < 2 * runs; run++) {
    // All but two tables are new after a while, and nothing is wrong with that.
    const tables = run < runs ? 2 : 2_000;
    if (run === runs) cpu = process.cpuUsage();
    catalog.setTime(new Date(Date.UTC(2026, 2, 1 + run)));
    const isLast = run === 2 * runs - 1;
    const { asked, open } = sourceOf(tables, (n) => (isLast && n === 1_234 ? 0 : 1_000 + n));
    const { statements } = await catalog.counting(() =>
      runAndKeep(admin, [id], open, byHand, silent),
    );
    expect(asked).toHaveLength(1);
    if (run === 3 || run === runs + 1) counted.push(statements.length);
    expect((await getMonitor(admin, id)).lastIncidentId === null).toBe(!isLast);
  }
  const { user, system } = process.cpuUsage(cpu);
  sayCounted(
    `2,000 tables of a schema: 1 statement of the source and ${counted[1]} of ours a run; ` +
      `${Math.round((user + system) / 1_000 / runs)} ms of CPU a run`,
  );
  expect(counted[1]).toBe(counted[0]);
  const { nodes } = await listMeasurements(admin, { monitorId: id }, { first: 1 });
  expect(readSegments(nodes[0]?.segments)).toHaveLength(2_000);
  // The one that fell to nothing comes first.
  expect(worstSegments(nodes[0]?.segments, 1)).toMatchObject([{ segment: 't1234', value: 0 }]);
  const { nodes: incidents } = await listIncidents(admin, { monitorId: id }, { first: 10 });
  expect(incidents).toHaveLength(1);
  expect(incidents[0]?.summary).toMatch(/^t1234: /);
}, 120_000);

test('age counts from the run that found a table changed, where the source knows no time', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const integration = await catalog.integration({ type: 'postgres' });
  const { schemaId } = await placesOf(catalog, integration.id, { database: 'd', schema: 'public' });
  const { id } = await createMonitor(admin, { targetId: schemaId, metricType: 'freshness' });
  const ages: (number | undefined)[] = [];
  for (const [hour, written] of [10, 10, 10, 12, 12].entries()) {
    catalog.setTime(new Date(Date.UTC(2026, 2, 1, hour)));
    await runAndKeep(admin, [id], sourceOf(1, () => written).open, byHand, silent);
    ages.push((await segmentsOf(admin, id)).t0);
  }
  expect(ages).toEqual([0, 3_600, 7_200, 0, 3_600]);
});

test('what a schema can not be watched by is refused, and so are those who may not write SQL', async () => {
  await using catalog = await openCatalog();
  const { admin } = catalog;
  const integration = await catalog.integration({ type: 'postgres' });
  const { schemaId } = await placesOf(catalog, integration.id, { database: 'd', schema: 'public' });
  const table = await catalog.resource({ title: 'orders' });
  const make = (targetId: string, metricType: string, metricConfig: object) =>
    createMonitor(admin, { targetId, metricType, metricConfig });
  await expect(make(schemaId, 'mean', {})).rejects.toThrow(/not on a schema/);
  await expect(make(schemaId, 'row_count', { where: 'true' })).rejects.toThrow(/leave where out/);
  await expect(make(table.id, 'row_count', { exclude: ['a'] })).rejects.toThrow(
    'Only a monitor of a schema or database takes this.',
  );
  const editor = catalog.contextOf(await catalog.user({ role: 'editor' }));
  await expect(
    createMonitor(editor, { targetId: schemaId, metricType: 'row_count' }),
  ).rejects.toMatchObject({ code: 'FORBIDDEN' });
});
