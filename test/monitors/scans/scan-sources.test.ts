// The SQL of a scan measures right on real databases.

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { MetricType } from '../../../src/monitors/metric.ts';
import { type Reading, readNumber } from '../../../src/monitors/scans/reading.ts';
import {
  type MeasureRequest,
  planScans,
  readScan,
  tablePath,
} from '../../../src/monitors/scans/scan.ts';
import { customStatement } from '../../../src/monitors/scans/user-sql.ts';
import { EXTREMES, openMariaDbServer, openPostgresServer } from './odd-servers.ts';
import {
  expected,
  NAMES,
  NOW,
  openDuckDb,
  openPostgres,
  ROWS,
  type Row,
  type Source,
} from './odd-table.ts';

const opened = new Map<string, Source>();

beforeAll(async () => {
  opened.set('postgres', await openPostgres());
  const duckdb = await openDuckDb();
  if (duckdb) opened.set('duckdb', duckdb);
  else console.warn('@duckdb/node-api is not installed: DuckDB is not tried.');
  const [server, mariadb] = await Promise.all([openPostgresServer(), openMariaDbServer()]);
  if (server) opened.set('a PostgreSQL server', server);
  if (mariadb) opened.set('MariaDB', mariadb);
}, 60_000);

afterAll(async () => {
  for (const source of opened.values()) await source.close();
});

const sourceNamed = (name: string): Source | undefined => opened.get(name);

async function measure(
  source: Source,
  requests: readonly MeasureRequest[],
): Promise<{ readings: Reading[]; statements: number }> {
  const readings: Reading[] = [];
  const { scans, refused } = planScans(source.dialect, requests);
  for (const [index, reading] of refused) readings[index] = reading;
  for (const scan of scans) {
    const row = await source.run(scan.sql);
    for (const { request: index, reading } of readScan(scan, requests, row, NOW)) {
      readings[index] = reading;
    }
  }
  return { readings, statements: scans.length };
}

const lacks = (source: Source, metric: MetricType) => source.lacks?.includes(metric) === true;

/** All that a source can measure. */
function allOf(source: Source, table: readonly string[], rows: readonly Row[], where?: string) {
  const metrics = expected(rows).filter(([metric]) => !lacks(source, metric));
  const requests = metrics.map(([metricType, key]) => {
    const column = key === null ? null : { name: NAMES[key], type: source.types[key] };
    return { metricType, table, column, where: where ?? null };
  });
  return { metrics, requests };
}

const names = ['postgres', 'duckdb', 'a PostgreSQL server', 'MariaDB'];

describe.each(names)('on %s', (name) => {
  test('every metric is what it is without SQL, from one scan', async ({ skip }) => {
    const source = sourceNamed(name) ?? skip();
    const { metrics, requests } = allOf(source, source.table, ROWS);
    const { readings, statements } = await measure(source, requests);
    expect(statements).toBe(1);
    for (const [i, [metric, key, value]] of metrics.entries()) {
      const reading = readings[i];
      const seen = reading && 'value' in reading ? reading.value : Number.NaN;
      const digits = metric === 'stddev' || key === 'rate' ? 9 : 12;
      expect(seen, `${metric} of ${key}`).toBeCloseTo(value ?? Number.NaN, digits);
    }
  });

  test('a metric is refused if the source lacks it, and only then', async ({ skip }) => {
    const source = sourceNamed(name) ?? skip();
    for (const [metricType, key] of expected(ROWS)) {
      const column = key === null ? null : { name: NAMES[key], type: source.types[key] };
      const { refused } = planScans(source.dialect, [{ metricType, table: source.table, column }]);
      expect([metricType, refused.size]).toEqual([metricType, lacks(source, metricType) ? 1 : 0]);
    }
  });

  test('an empty table has no rows, no values, and nothing else', async ({ skip }) => {
    const source = sourceNamed(name) ?? skip();
    const empty = [...source.table.slice(0, -1), 'empty'];
    const { metrics, requests } = allOf(source, empty, []);
    const { readings } = await measure(source, requests);
    for (const [i, [metric, , value]] of metrics.entries()) {
      const nothing = { error: 'The metric returned no value.' };
      expect(readings[i], metric).toEqual(value === null ? nothing : { value });
    }
  });

  test('a condition narrows every metric', async ({ skip }) => {
    const source = sourceNamed(name) ?? skip();
    const where = `${source.dialect.quote(NAMES.amount)} > 10 -- only these`;
    const rows = ROWS.filter(({ amount }) => amount !== null && amount > 10);
    const { metrics, requests } = allOf(source, source.table, rows, where);
    const { readings } = await measure(source, requests);
    for (const [i, [metric, , value]] of metrics.entries()) {
      const reading = readings[i];
      const seen = reading && 'value' in reading ? reading.value : Number.NaN;
      expect(seen, metric).toBeCloseTo(value ?? Number.NaN, 9);
    }
  });

  test('a custom query gives its one number', async ({ skip }) => {
    const source = sourceNamed(name) ?? skip();
    const path = tablePath(source.dialect, source.table);
    const run = async (sql: string) =>
      readNumber((await source.run(customStatement(source.dialect, sql)))[0]);
    expect(await run(`SELECT count(*) FROM ${path}; -- all`)).toEqual({ value: ROWS.length });
    expect(await run('WITH a AS (SELECT 2.5 AS v) SELECT v * 2 FROM a')).toEqual({ value: 5 });
    expect(await run(`SELECT 1 FROM ${path} WHERE 1 = 0`)).toHaveProperty('error');
  });

  test('a custom query of two rows, two columns or a word is an error', async ({ skip }) => {
    const source = sourceNamed(name) ?? skip();
    const path = tablePath(source.dialect, source.table);
    for (const sql of [`SELECT 1 FROM ${path}`, 'SELECT 1, 2', "SELECT 'many'"]) {
      const reading = await source.run(customStatement(source.dialect, sql)).then(
        ([value]) => readNumber(value),
        (error: unknown) => ({ error }),
      );
      expect(reading, sql).toHaveProperty('error');
    }
  });
});

test('on MariaDB the largest integers have no sign, and a zero date is none', async ({ skip }) => {
  const source = sourceNamed('MariaDB') ?? skip();
  const table = ['def', 'odd', EXTREMES];
  const of = (metricType: MetricType, name: string, type: string) => ({
    metricType,
    table,
    column: { name, type },
  });
  const { readings } = await measure(source, [
    of('minimum', 'id', 'bigint(20) unsigned'),
    of('maximum', 'id', 'bigint(20) unsigned'),
    of('sum', 'id', 'bigint(20) unsigned'),
    of('freshness', 'made', 'datetime'),
    of('freshness', 'never', 'datetime'),
  ]);
  expect(readings).toEqual([
    { value: 2 ** 64 },
    { value: 2 ** 64 },
    { value: 2 ** 65 },
    { value: 3600 },
    { error: 'The metric returned no value.' },
  ]);
});

test('every metric is the same number on all that have it, also where there is nothing', async () => {
  const found = new Map<string, Record<string, number | null>>();
  for (const [name, source] of opened) {
    const empty = [...source.table.slice(0, -1), 'empty'];
    const values: Record<string, number | null> = {};
    for (const table of [source.table, empty]) {
      const { metrics, requests } = allOf(source, table, ROWS);
      const { readings } = await measure(source, requests);
      for (const [i, [metric, key]] of metrics.entries()) {
        const reading = readings[i] ?? { error: 'none' };
        // In the last digits floats differ by the order in which they were summed.
        values[`${metric} of ${key} of ${table.at(-1)}`] =
          'value' in reading ? Number(reading.value.toPrecision(13)) : null;
      }
    }
    found.set(name, values);
  }
  const [first = {}, ...others] = found.values();
  expect(Object.values(first).filter((value) => value !== null).length).toBeGreaterThan(20);
  for (const other of others) expect(first).toMatchObject(other);
  expect([...found.keys()]).toEqual(names.filter((name) => opened.has(name)));
});
