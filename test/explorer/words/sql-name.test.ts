// Names for SQL: what would be read otherwise stands in quotes, as the source writes them.

import { expect, test } from 'vitest';
import { sqlName } from '../../../src/explorer/words/names/sql-name.ts';

const above = [
  { kind: 'schema', title: 'raw data' },
  { kind: 'database', title: 'lake' },
];
const table = (title: string) => ({ kind: 'table', title });

test.each([
  ['postgres', 'orders', 'lake."raw data".orders'],
  ['postgres', 'Orders', 'lake."raw data"."Orders"'],
  ['snowflake', 'ORDERS', 'lake."raw data".ORDERS'],
  ['duckdb', 'events.v2', 'lake."raw data"."events.v2"'],
  ['duckdb', 'a"b', 'lake."raw data"."a""b"'],
  ['duckdb', '2024', 'lake."raw data"."2024"'],
  ['mysql', 'events.v2', 'lake.`raw data`.`events.v2`'],
  ['clickhouse', 'a`b', 'lake.`raw data`.`a``b`'],
  ['mssql', 'a]b', 'lake.[raw data].[a]]b]'],
  [null, 'größe', 'lake."raw data"."größe"'],
])('%s writes the table %s as %s', (source, title, name) => {
  expect(sqlName(table(title), above, source)).toBe(name);
});

test('a column comes after its table, and what is no part of a path is left out', () => {
  const holders = [table('t.1'), { kind: 'collection', title: 'Sales' }];
  expect(sqlName({ kind: 'column', title: 'id' }, holders, 'trino')).toBe('"t.1".id');
});

test('a dashboard has no name in SQL', () => {
  expect(sqlName({ kind: 'dashboard', title: 'Sales' }, [], null)).toBeNull();
});
