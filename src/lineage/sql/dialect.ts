// The list of SQL dialects, each of a file in `dialects/`, and how one is found by what people call it.
import { invalidField } from '../../errors.ts';
import { athena } from './dialects/athena.ts';
import { bigquery } from './dialects/bigquery.ts';
import { clickhouse } from './dialects/clickhouse.ts';
import { databricks } from './dialects/databricks.ts';
import type { Described } from './dialects/describe.ts';
import { duckdb } from './dialects/duckdb.ts';
import { flink } from './dialects/flink.ts';
import { generic } from './dialects/generic.ts';
import { hive } from './dialects/hive.ts';
import { mariadb } from './dialects/mariadb.ts';
import { mysql } from './dialects/mysql.ts';
import { oracle } from './dialects/oracle.ts';
import { postgres } from './dialects/postgres.ts';
import { presto } from './dialects/presto.ts';
import { redshift } from './dialects/redshift.ts';
import { snowflake } from './dialects/snowflake.ts';
import { spark } from './dialects/spark.ts';
import { sqlite } from './dialects/sqlite.ts';
import { teradata } from './dialects/teradata.ts';
import { trino } from './dialects/trino.ts';
import { tsql } from './dialects/tsql.ts';

const ALL = [
  postgres,
  redshift,
  snowflake,
  bigquery,
  databricks,
  spark,
  hive,
  mysql,
  mariadb,
  tsql,
  oracle,
  sqlite,
  duckdb,
  clickhouse,
  trino,
  presto,
  athena,
  flink,
  teradata,
  generic,
] as const;

export type DialectName = (typeof ALL)[number]['name'];
export type Dialect = Described<DialectName>;

const byName = new Map<string, Dialect>();
for (const dialect of ALL) {
  for (const name of [dialect.name, ...dialect.aliases]) byName.set(name, dialect);
}

/** The dialects by their own names, in the order of the list. */
export const DIALECTS: readonly DialectName[] = ALL.map(({ name }) => name);

/** Their own names and every alias, as documents list what is taken. */
export const DIALECT_NAMES: readonly string[] = [...byName.keys()];

/**
 * The dialect of that name or everyday alias (`mssql`, `SQL Server` and `t-sql` are `tsql`).
 * Throws BAD_REQUEST on field `dialect`, with the list of what is allowed.
 */
export function dialectNamed(name: string): Dialect {
  const found = findDialect(name);
  if (found) return found;
  const shown = name.length > 40 ? `${name.slice(0, 40)}...` : name;
  throw invalidField('dialect', `'${shown}' is not one of ${DIALECTS.join(', ')}.`);
}

/** The dialect of that name or alias, or null. Case, blanks, dashes and underscores don't count. */
export function findDialect(name: string): Dialect | null {
  const plain = name.trim().toLowerCase();
  const squeezed = plain.replace(/[\s_-]+/g, '');
  return (
    byName.get(plain) ?? byName.get(plain.replace(/[\s-]+/g, '_')) ?? byName.get(squeezed) ?? null
  );
}
