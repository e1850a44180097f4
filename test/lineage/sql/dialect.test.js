// Dialects are found by the names people use, and nothing else is taken.
import { describe, expect, test } from 'vitest';
import { DIALECTS, dialectNamed, findDialect } from '../../../src/lineage/sql/dialect.js';

test('all dialects that data teams use are there', () => {
  expect(DIALECTS).toEqual(
    expect.arrayContaining(
      (
        'postgres redshift snowflake bigquery databricks spark hive mysql mariadb tsql oracle sqlite ' +
        'duckdb clickhouse trino presto athena teradata'
      ).split(' '),
    ),
  );
});
test.each([
  ['postgresql', 'postgres'],
  ['PostgreSQL', 'postgres'],
  ['pg', 'postgres'],
  ['mssql', 'tsql'],
  ['SQL Server', 'tsql'],
  ['sqlserver', 'tsql'],
  ['T-SQL', 'tsql'],
  ['spark-sql', 'spark'],
  ['sparksql', 'spark'],
  ['Google BigQuery', 'bigquery'],
  [' snowflake ', 'snowflake'],
  ['databricks', 'databricks'],
])('%s is %s', (alias, name) => {
  expect(dialectNamed(alias).name).toBe(name);
});
describe('a dialect that is not known', () => {
  test.each(['', 'klingon', 'postgres; drop', '__proto__', 'constructor'])(
    '%j is refused',
    (name) => {
      expect(findDialect(name)).toBeNull();
      expect(() => dialectNamed(name)).toThrow(/is not one of postgres, redshift/);
    },
  );
  test('is not repeated at length', () => {
    expect(() => dialectNamed('x'.repeat(10_000))).toThrow(/^.{0,400}$/s);
  });
});
