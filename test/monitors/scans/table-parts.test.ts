// Closed periods and the values of a dimension are measured on real sources: history at once, one incident for all.

import { describe, expect, test } from 'vitest';
import { listIncidents } from '../../../src/monitors/incidents/incident.ts';
import { readSegments } from '../../../src/monitors/learning/segments.ts';
import { listMeasurements } from '../../../src/monitors/measurement.ts';
import { createMonitor, getMonitor } from '../../../src/monitors/monitor.ts';
import { closedPeriods } from '../../../src/monitors/scans/periods.ts';
import { readSchedule } from '../../../src/monitors/schedule.ts';
import { openCatalog } from '../../catalog.ts';
import { engineNames, enginesOf, runNow, tableOf } from './engines.ts';

const engines = enginesOf();

const DAY = 86_400_000;
const begin = Date.UTC(2026, 2, 1);
const at = (day: number, hour = 0) => new Date(begin + day * DAY + hour * 3_600_000);
const stamp = (day: number, hour: number) =>
  at(day, hour).toISOString().slice(0, 19).replace('T', ' ');

/** Orders of a day by country: some more on some days, so that there is something to learn. */
const usual = { DE: 20, FR: 10, US: 30 };
function rowsOf(day: number, counts: Readonly<Record<string, number>> = usual): string[] {
  return Object.entries(counts).flatMap(([country, count]) =>
    Array.from(
      { length: count + (day % 3) },
      (_, n) => `('${country}', ${n}, '${stamp(day, n % 24)}')`,
    ),
  );
}
const insert = (rows: readonly string[]) =>
  `insert into orders (country, amount, ordered_at) values ${rows.join(', ')}`;

const types = {
  postgres: { country: 'text', amount: 'integer', ordered_at: 'timestamp without time zone' },
  mariadb: { country: 'varchar(10)', amount: 'int(11)', ordered_at: 'datetime' },
  duckdb: { country: 'VARCHAR', amount: 'INTEGER', ordered_at: 'TIMESTAMP' },
};

describe.each(engineNames)('on %s', (name) => {
  test('ninety closed days are known with the first run, and a value that falls out is named', async ({
    skip,
  }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    await engine.run('drop table if exists orders');
    await engine.run(
      'create table orders (country varchar(10), amount int, ordered_at timestamp null)',
    );
    await engine.run(insert(Array.from({ length: 100 }, (_, day) => rowsOf(day)).flat()));
    // An order of today belongs to no closed day, and one without a time to none.
    await engine.run(insert([`('DE', 1, '${stamp(100, 3)}')`, "('DE', 1, null)"]));
    await using catalog = await openCatalog();
    const source = await engine.connect(catalog);
    const table = await tableOf(catalog, engine, source, 'orders', types[name]);
    catalog.setTime(at(100, 6));
    const { id } = await createMonitor(catalog.admin, {
      targetId: table.id,
      metricType: 'row_count',
      schedule: { cadence: 'daily', hour: 6 },
      metricConfig: { time_column: 'ordered_at', dimension: 'country' },
    });
    expect(await runNow(catalog, [id])).toMatchObject({ measured: 1, failed: 0 });
    const page = await listMeasurements(catalog.admin, { monitorId: id }, { first: 100 });
    expect(page.nodes).toHaveLength(90);
    const [newest] = page.nodes;
    // Day 99 is the last that is closed: it is measured at six on day 100.
    expect(newest).toMatchObject({ createdAt: at(100, 6), value: 60 + 3 * (99 % 3) });
    expect(newest?.upperThreshold).not.toBeNull();
    expect(page.nodes.at(-1)).toMatchObject({ createdAt: at(11, 6), value: 60 + 3 * (10 % 3) });
    expect(readSegments(newest?.segments).map(({ segment, value }) => [segment, value])).toEqual([
      ['US', 30],
      ['DE', 20],
      ['FR', 10],
    ]);
    expect(await getMonitor(catalog.admin, id)).toMatchObject({ status: 'normal' });

    // The next day one country is gone. The whole is still not far from what it is as a rule.
    await engine.run(insert(rowsOf(100, { DE: 20, US: 30 })));
    catalog.setTime(at(101, 6));
    expect(await runNow(catalog, [id])).toMatchObject({ measured: 1, outOfRange: 1 });
    const { nodes } = await listIncidents(catalog.admin, { monitorId: id }, { first: 10 });
    expect(nodes).toHaveLength(1);
    expect(nodes[0]).toMatchObject({ status: 'active', value: 0 });
    expect(nodes[0]?.summary).toMatch(/^country = FR: Expected about 1\d .*; measured 0\./);

    // A run by hand measures the same day again, and learns nothing twice.
    expect(await runNow(catalog, [id])).toMatchObject({ measured: 1 });
    const again = await listMeasurements(catalog.admin, { monitorId: id }, { first: 100 });
    expect(again.nodes).toHaveLength(92);
  });

  test('periods that were missed are made up for, and a mean has no value where there are no rows', async ({
    skip,
  }) => {
    const engine = engines.get(name) ?? skip('It is not installed.');
    await engine.run('drop table if exists orders');
    await engine.run(
      'create table orders (country varchar(10), amount int, ordered_at timestamp null)',
    );
    await engine.run(insert([0, 1, 2, 4].flatMap((day) => rowsOf(day))));
    await using catalog = await openCatalog();
    const source = await engine.connect(catalog);
    const table = await tableOf(catalog, engine, source, 'orders', types[name]);
    catalog.setTime(at(2));
    const { id } = await createMonitor(catalog.admin, {
      targetId: table.columns.get('amount') ?? '',
      metricType: 'mean',
      metricConfig: { time_column: 'ordered_at' },
    });
    await runNow(catalog, [id]);
    catalog.setTime(at(5));
    await runNow(catalog, [id]);
    const { nodes } = await listMeasurements(catalog.admin, { monitorId: id }, { first: 100 });
    expect(nodes.map(({ createdAt }) => createdAt)).toEqual([at(5), at(3), at(2), at(1)]);
  });
});

test('the age of the newest is an age for each value of a column, too', async ({ skip }) => {
  const engine = engines.get('duckdb') ?? skip('It is not installed.');
  await engine.run('drop table if exists orders');
  await engine.run('create table orders (country varchar(10), amount int, ordered_at timestamp)');
  await engine.run(insert([`('DE', 1, '${stamp(0, 3)}')`, `('FR', 1, '${stamp(1, 3)}')`]));
  await using catalog = await openCatalog();
  const source = await engine.connect(catalog);
  const table = await tableOf(catalog, engine, source, 'orders', types.duckdb);
  catalog.setTime(at(1, 6));
  const { id } = await createMonitor(catalog.admin, {
    targetId: table.columns.get('ordered_at') ?? '',
    metricType: 'newest_age',
    metricConfig: { dimension: 'country' },
  });
  await runNow(catalog, [id]);
  const { nodes } = await listMeasurements(catalog.admin, { monitorId: id }, { first: 1 });
  const ages = readSegments(nodes[0]?.segments).map(({ segment, value }) => [segment, value]);
  expect(Object.fromEntries(ages)).toEqual({ DE: 27 * 3600, FR: 3 * 3600 });
});

test('days follow the clocks of the time zone, over a change of them as well', () => {
  const schedule = readSchedule({ cadence: 'daily', hour: 6 });
  const now = new Date('2026-03-31T06:00:01Z');
  const periods = closedPeriods(schedule, 'Europe/Berlin', now, null);
  expect(periods).toHaveLength(90);
  const shown = periods
    .slice(-3)
    .map(({ from, to }) => [from, to].map((ms) => new Date(ms).toISOString()));
  expect(shown).toEqual([
    ['2026-03-27T23:00:00.000Z', '2026-03-28T23:00:00.000Z'],
    ['2026-03-28T23:00:00.000Z', '2026-03-29T22:00:00.000Z'],
    ['2026-03-29T22:00:00.000Z', '2026-03-30T22:00:00.000Z'],
  ]);
});

test('a period is over before it is measured, by the hour, the week and the month', () => {
  const last = (input: object, now: string) => {
    const [period] = closedPeriods(readSchedule(input), null, new Date(now), null).slice(-1);
    return [period?.from, period?.to].map((ms) => new Date(ms ?? 0).toISOString().slice(0, 13));
  };
  const hourly = { cadence: 'hourly', frequency: 6 };
  expect(last(hourly, '2026-03-31T11:59:59Z')).toEqual(['2026-03-31T00', '2026-03-31T06']);
  expect(last(hourly, '2026-03-31T12:00:00Z')).toEqual(['2026-03-31T06', '2026-03-31T12']);
  const weekly = { cadence: 'weekly', day: 0, hour: 5 };
  expect(last(weekly, '2026-03-30T05:00:00Z')).toEqual(['2026-03-23T00', '2026-03-30T00']);
  const monthly = { cadence: 'monthly', day: 1, hour: 0 };
  expect(last(monthly, '2026-03-30T05:00:00Z')).toEqual(['2026-02-01T00', '2026-03-01T00']);
});
