// A table with odd names and values, on real databases and as it is without them.

import pg from 'pg';
import { inject } from 'vitest';
import type { MetricType } from '../../../src/monitors/metric.ts';
import { tablePath } from '../../../src/monitors/scans/scan.ts';
import { type SourceDialect, sourceDialect } from '../../../src/monitors/scans/source-dialect.ts';
import { randomFrom } from '../../trials/random.ts';

/** A real database that a plan can be run on. */
export interface Source {
  readonly dialect: SourceDialect;
  readonly table: readonly string[];
  readonly types: { amount: string; rate: string; note: string; stamp: string; flag: string };
  /** The metrics that its dialect says it can't measure; none where absent. */
  readonly lacks?: readonly MetricType[];
  run(sql: string): Promise<unknown[]>;
  close(): Promise<void>;
}

/** A row of the generated table. */
export interface Row {
  readonly amount: number | null;
  readonly rate: number | null;
  readonly note: string | null;
  readonly stamp: string | null;
  readonly flag: boolean | null;
}

export const TABLE = 'odd "table" `name`';
export const NAMES = {
  amount: 'Größe',
  rate: 'select',
  note: 'no"te',
  stamp: 'updated_at',
  flag: 'Is it?',
};
export const NOW = new Date('2024-06-01T12:00:00Z');
const WORDS = ['', ' ', 'a', 'A', 'a ', 'é', 'e\u0301', '東京', '🙂', "it's", 'b;c--d', 'null'];

function makeRows(): Row[] {
  const random = randomFrom(2024);
  const some = <T>(value: T): T | null => (random.even() < 0.15 ? null : value);
  return Array.from({ length: 400 }, (_, i) => ({
    amount: some(random.whole(-20, 60)),
    rate: some(Math.round(1e4 * random.normal()) / 64),
    note: some(WORDS[random.whole(0, WORDS.length - 1)] ?? ''),
    stamp: some(`2024-05-${String(1 + (i % 28)).padStart(2, '0')} 06:30:15.250`),
    flag: some(i % 3 === 0),
  }));
}

export const ROWS = makeRows();
const literal = (value: string | number | boolean | null): string =>
  value === null
    ? 'NULL'
    : typeof value !== 'string'
      ? `${value}`
      : `'${value.replaceAll("'", "''")}'`;

/** What makes the table, and an empty one next to it. */
export function scriptFor({ dialect, table, types }: Omit<Source, 'run' | 'close'>): string[] {
  const path = tablePath(dialect, table);
  const names = Object.values(NAMES).map(dialect.quote);
  const columns = Object.values(types).map((type, i) => `${names[i]} ${type}`);
  const values = ROWS.map((row) => `(${Object.values(row).map(literal).join(', ')})`);
  const empty = tablePath(dialect, [...table.slice(0, -1), 'empty']);
  return [
    `CREATE TABLE ${path} (${columns.join(', ')})`,
    `CREATE TABLE ${empty} (${columns.join(', ')})`,
    `INSERT INTO ${path} VALUES ${values.join(', ')}`,
  ];
}

export async function openPostgres(): Promise<Source> {
  const database = new pg.Client({ connectionString: inject('server') });
  database.on('error', () => {});
  await database.connect();
  const types = {
    ...{ amount: 'bigint', rate: 'double precision', note: 'text' },
    ...{ stamp: 'timestamp', flag: 'boolean' },
  };
  const source = { dialect: sourceDialect('postgres'), table: ['pg_temp', TABLE], types };
  // Times without a zone are in the session's.
  await database.query(
    `SET TIME ZONE 'UTC'; SET search_path TO pg_temp; ${scriptFor(source).join(';')}`,
  );
  return {
    ...source,
    run: async (text) =>
      (await database.query<unknown[]>({ text, rowMode: 'array' })).rows[0] ?? [],
    close: () => database.end(),
  };
}

export async function openDuckDb(): Promise<Source | null> {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (duckdb === null) return null;
  const connection = await duckdb.DuckDBConnection.create();
  const types = {
    ...{ amount: 'INTEGER', rate: 'DOUBLE', note: 'VARCHAR' },
    ...{ stamp: 'TIMESTAMP', flag: 'BOOLEAN' },
  };
  const source = { dialect: sourceDialect('duckdb'), table: ['memory', 'main', TABLE], types };
  for (const statement of scriptFor(source)) await connection.run(statement);
  return {
    ...source,
    run: async (sql) => (await connection.runAndReadAll(sql)).getRowsJS()[0] ?? [],
    close: async () => connection.closeSync(),
  };
}

const present = <T>(list: readonly (T | null)[]): T[] =>
  list.filter((item): item is T => item !== null);
const distinct = (list: readonly unknown[]): number => new Set(list).size;
const shareOf = (part: number, whole: number): number | null =>
  whole === 0 ? null : (100 * part) / whole;

/** What each metric is, computed without any SQL. */
export function expected(rows: readonly Row[]): [MetricType, keyof Row | null, number | null][] {
  const amounts = present(rows.map((row) => row.amount));
  const rates = present(rows.map((row) => row.rate));
  const notes = present(rows.map((row) => row.note));
  const stamps = present(rows.map((row) => row.stamp));
  const sum = (list: readonly number[]) => list.reduce((total, value) => total + value, 0);
  const mean = (list: readonly number[]) => (list.length === 0 ? null : sum(list) / list.length);
  const average = mean(rates) ?? 0;
  const variance = sum(rates.map((rate) => (rate - average) ** 2)) / (rates.length - 1);
  const flags = present(rows.map((row) => row.flag));
  const times = stamps.map((stamp) => Date.parse(`${stamp.replace(' ', 'T')}Z`));
  const ageOf = (time: number) => (some ? (NOW.getTime() - time) / 1000 : null);
  const some = rates.length > 0;
  return [
    ['row_count', null, rows.length],
    ['freshness', 'stamp', ageOf(Math.max(...times))],
    ['newest_age', 'stamp', ageOf(Math.max(...times))],
    ['oldest_age', 'stamp', ageOf(Math.min(...times))],
    ['true_percentage', 'flag', shareOf(flags.filter(Boolean).length, flags.length)],
    ['null_percentage', 'note', shareOf(rows.length - notes.length, rows.length)],
    ['null_percentage', 'amount', shareOf(rows.length - amounts.length, rows.length)],
    ['unique_percentage', 'note', shareOf(distinct(notes), notes.length)],
    ['unique_percentage', 'rate', shareOf(distinct(rates), rates.length)],
    ['cardinality', 'note', distinct(notes)],
    ['cardinality', 'amount', distinct(amounts)],
    ['cardinality', 'stamp', distinct(stamps)],
    ['duplicate_count', 'note', notes.length - distinct(notes)],
    ['duplicate_count', 'amount', amounts.length - distinct(amounts)],
    ['minimum', 'amount', some ? Math.min(...amounts) : null],
    ['maximum', 'rate', some ? Math.max(...rates) : null],
    ['mean', 'amount', mean(amounts)],
    ['mean', 'rate', mean(rates)],
    ['sum', 'amount', some ? sum(amounts) : null],
    ['sum', 'rate', some ? sum(rates) : null],
    ['stddev', 'rate', some ? Math.sqrt(variance) : null],
    ['zero_percentage', 'amount', shareOf(amounts.filter((v) => v === 0).length, rows.length)],
    ['negative_percentage', 'amount', shareOf(amounts.filter((v) => v < 0).length, rows.length)],
    ['empty_string_percentage', 'note', shareOf(notes.filter((v) => v === '').length, rows.length)],
    ['average_length', 'note', mean(notes.map((note) => [...note].length))],
  ];
}
