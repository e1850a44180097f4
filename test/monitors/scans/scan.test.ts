// Which SQL measures a table.

import { describe, expect, test } from 'vitest';
import { CatalogError, invalid } from '../../../src/errors.ts';
import type { MetricType } from '../../../src/monitors/metric.ts';
import { readNumber } from '../../../src/monitors/scans/reading.ts';
import {
  freshnessColumn,
  type MeasureRequest,
  planScans,
  tablePath,
} from '../../../src/monitors/scans/scan.ts';
import { type ColumnRef, sourceDialect } from '../../../src/monitors/scans/source-dialect.ts';

const ORDERS = ['shop', 'public', 'orders'];
const AMOUNT: ColumnRef = { name: 'amount', type: 'numeric(10,2)' };
const NOTE: ColumnRef = { name: 'note', type: 'varchar(80)' };

const request = (
  metricType: MetricType,
  column: ColumnRef | null = null,
  where: string | null = null,
): MeasureRequest => ({ metricType, table: ORDERS, column, where });

describe('a plan', () => {
  const postgres = sourceDialect('postgres');

  test('measures all that is due on a table in one scan', () => {
    const requests = [
      request('row_count'),
      request('null_percentage', NOTE),
      request('mean', AMOUNT),
      request('sum', AMOUNT),
    ];
    const { scans } = planScans(postgres, requests);
    expect(scans).toHaveLength(1);
    expect(scans[0]?.sql).toBe(
      [
        'SELECT',
        '  CAST(COUNT(*) AS double precision) AS headwater_m0,',
        '  100 * CAST(COUNT(*) - COUNT("note") AS double precision) / NULLIF(COUNT(*), 0) AS headwater_m1,',
        '  CAST(SUM("amount") AS double precision) / NULLIF(COUNT("amount"), 0) AS headwater_m2,',
        '  CAST(SUM("amount") AS double precision) AS headwater_m3',
        'FROM "public"."orders"',
      ].join('\n'),
    );
  });

  test('measures nothing twice', () => {
    const requests = [request('row_count'), request('sum', AMOUNT), request('row_count')];
    const [scan] = planScans(postgres, requests).scans;
    expect(scan?.sql.match(/headwater_m/g)).toHaveLength(2);
    expect(scan?.cells.map(({ cell }) => cell)).toEqual([0, 1, 0]);
    expect(scan?.cells.map((part) => part.request)).toEqual([0, 1, 2]);
  });

  test('keeps tables and conditions apart', () => {
    const other = { ...request('row_count'), table: ['shop', 'public', 'items'] };
    const requests = [
      request('row_count'),
      request('row_count', null, 'amount > 0'),
      other,
      request('sum', AMOUNT, '  amount > 0 '),
      request('sum', AMOUNT, '   '),
    ];
    const { scans } = planScans(postgres, requests);
    expect(scans.map(({ cells }) => cells.map((part) => part.request))).toEqual([
      [0, 4],
      [1, 3],
      [2],
    ]);
    expect(scans[1]?.sql).toMatch(/\nWHERE \(\namount > 0\n\)$/);
    expect(scans[0]?.sql).not.toContain('WHERE');
  });

  test('cuts a list that no source would like', () => {
    const many = Array.from({ length: 250 }, (_, i) =>
      request('sum', { name: `c${i}`, type: 'int' }),
    );
    const { scans } = planScans(postgres, many);
    expect(scans.map(({ cells }) => cells.length)).toEqual([100, 100, 50]);
    const all = scans.flatMap(({ cells }) => cells.map((part) => part.request));
    expect(all).toEqual(many.map((_, i) => i));
  });

  test('refuses a condition that would leave its place alone, and measures the rest in one scan', () => {
    const requests = [
      request('row_count', null, '1=1) UNION SELECT 1 FROM (t'),
      request('row_count'),
      request('mean', AMOUNT),
    ];
    const { scans, refused } = planScans(postgres, requests);
    expect(scans.map(({ cells }) => cells.map((part) => part.request))).toEqual([[1, 2]]);
    expect([...refused]).toEqual([
      [0, { error: expect.stringContaining('metric_config.where: '), why: 'refused' }],
    ]);
  });

  test('refuses a metric that the source lacks alone, with its reason', () => {
    const without = {
      ...postgres,
      deviation(): string {
        throw invalid('This source has no standard deviation.');
      },
    };
    const requests = [request('sum', AMOUNT), request('stddev', AMOUNT), request('mean', AMOUNT)];
    const { scans, refused } = planScans(without, requests);
    expect(scans.map(({ cells }) => cells.map((part) => part.request))).toEqual([[0, 2]]);
    expect([...refused]).toEqual([
      [1, { error: 'This source has no standard deviation.', why: 'refused' }],
    ]);
  });

  test('has no SQL for what comes with run results', () => {
    expect(() => planScans(postgres, [request('job_duration', AMOUNT)])).toThrow(RangeError);
    expect(() => planScans(postgres, [request('mean')])).toThrow(RangeError);
  });
});

describe('a name', () => {
  test.each([
    ['postgres', '"public"."orders"'],
    ['redshift', '"public"."orders"'],
    ['mysql', '`public`.`orders`'],
    ['mariadb', '`public`.`orders`'],
    ['duckdb', '"shop"."public"."orders"'],
    ['clickhouse', '`public`.`orders`'],
    ['trino', '"shop"."public"."orders"'],
    ['snowflake', '"shop"."public"."orders"'],
    ['bigquery', '`shop`.`public`.`orders`'],
    ['databricks', '`shop`.`public`.`orders`'],
    ['sqlserver', '[shop].[public].[orders]'],
    ['oracle', '"public"."orders"'],
  ])('is written in the way of %s', (name, path) => {
    expect(tablePath(sourceDialect(name), ORDERS)).toBe(path);
  });

  test('stays one name whatever is in it', () => {
    const evil = 'a"b`c]d\\e';
    expect(sourceDialect('postgres').quote(evil)).toBe('"a""b`c]d\\e"');
    expect(sourceDialect('mysql').quote(evil)).toBe('`a"b``c]d\\e`');
    expect(sourceDialect('clickhouse').quote(evil)).toBe('`a"b\\`c]d\\\\e`');
    expect(sourceDialect('bigquery').quote(evil)).toBe('`a"b\\`c]d\\\\e`');
    expect(sourceDialect('sqlserver').quote(evil)).toBe('[a"b`c]]d\\e]');
    expect(() => sourceDialect('postgres').quote('a\0b')).toThrow(CatalogError);
    expect(() => sourceDialect('postgres').quote('')).toThrow(CatalogError);
  });

  test('of a source without SQL is refused with those that have it', () => {
    expect(() => sourceDialect('looker')).toThrow(/looker.*postgres/);
    expect(() => sourceDialect('sqlite')).toThrow(CatalogError);
  });
});

describe('the column that shows freshness', () => {
  const columns = ['id', 'Loaded_At', 'created_at'].map((name) => ({ name, type: 'timestamp' }));

  test('is the first of the usual names', () => {
    expect(freshnessColumn(columns)?.name).toBe('created_at');
    expect(freshnessColumn(columns.slice(0, 2))?.name).toBe('Loaded_At');
    expect(freshnessColumn(columns.slice(0, 1))).toBeNull();
  });

  test('is the configured one, as the catalog writes it, or none', () => {
    expect(freshnessColumn(columns, 'LOADED_AT')?.name).toBe('Loaded_At');
    expect(freshnessColumn(columns, 'id')?.name).toBe('id');
    expect(freshnessColumn(columns, 'updated_at; DROP TABLE t')).toBeNull();
  });
});

describe('a cell', () => {
  test.each<[unknown, number]>([
    [3, 3],
    [12n, 12],
    ['12.50', 12.5],
    ['-1e3', -1000],
    [' 7 ', 7],
    [0, 0],
  ])('%o is a number', (cell, value) => {
    expect(readNumber(cell)).toEqual({ value });
  });

  test.each<[unknown, string]>([
    [null, 'returned no value'],
    [undefined, 'returned no value'],
    ['', 'an empty text'],
    ['abc', 'a text'],
    ['NaN', 'NaN'],
    [Number.NaN, 'NaN'],
    [Number.POSITIVE_INFINITY, 'Infinity'],
    [true, 'boolean'],
    [new Date(0), 'a date'],
    [['x'], 'a list'],
    ['x'.repeat(500), 'a text'],
  ])('%o is an error that says of what kind it is', (cell, shown) => {
    const reading = readNumber(cell);
    expect(reading).toHaveProperty('error');
    expect('error' in reading ? reading.error : '').toContain(shown);
    expect('error' in reading ? reading.error.length : 0).toBeLessThan(120);
  });
});
