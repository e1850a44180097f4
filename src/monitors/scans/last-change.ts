// When a table last changed, as the source's own catalog says at the moment it is asked.

import type { DialectName } from '../../lineage/sql/dialect.ts';
import type { SourceDialect } from './source-dialect.ts';

/** How a source keeps the last change of its tables. */
interface Keeping {
  /** One row, one value: seconds since 1970, or null where the source does not know. */
  statement(table: readonly string[], dialect: SourceDialect): string;
  /** What it means where the source does not know, as the end of a sentence. */
  readonly unknown: string;
}

/**
 * The statement that asks a source when a table last changed, and what no answer means. Null where
 * sources of the kind keep no such thing, or where too little is known of the table's place.
 */
export function askForLastChange(
  dialect: SourceDialect,
  table: readonly string[],
): { sql: string; unknown: string } | null {
  const keeping = keepings[dialect.name];
  const path = table.slice(-dialect.depth);
  if (!keeping || path.length < dialect.depth) return null;
  return { sql: keeping.statement(path, dialect), unknown: keeping.unknown };
}

const quotes = (value: string) => `'${value.replaceAll("'", "''")}'`;
const escaped = (value: string) => `'${value.replace(/[\\']/g, '\\$&')}'`;

const path = (names: readonly string[], { quote }: SourceDialect) => names.map(quote).join('.');

const mysql: Keeping = {
  statement: ([schema = '', table = '']) =>
    `SELECT TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', update_time) / 1e6 AS v
FROM information_schema.tables
WHERE table_schema = ${escaped(schema)} AND table_name = ${escaped(table)}`,
  unknown: 'its server has seen no change of the table since it was started',
};

// Sources that are not here keep no such thing (DuckDB, Redshift), only when the definition last
// changed (Databricks), or show it to administrators alone (SQL Server, Oracle).
const keepings: Partial<Record<DialectName, Keeping>> = {
  mysql,
  mariadb: mysql,
  postgres: {
    // Without the setting nothing is kept, and the function that says it fails. What is deleted leaves
    // no row behind to show it; and each row is looked at, for there is no index on it.
    statement: (names, dialect) =>
      `SELECT CASE WHEN current_setting('track_commit_timestamp') = 'on' THEN (
  SELECT EXTRACT(EPOCH FROM MAX(pg_xact_commit_timestamp(written.id)))
  FROM (SELECT DISTINCT xmin AS id FROM ${path(names, dialect)}) AS written) END AS v`,
    unknown:
      'PostgreSQL knows when rows were written only where track_commit_timestamp was on by then',
  },
  clickhouse: {
    statement: ([schema = '', table = '']) =>
      `SELECT toFloat64(maxOrNull(toUnixTimestamp(modification_time))) AS v FROM system.parts
WHERE active AND database = ${escaped(schema)} AND table = ${escaped(table)}`,
    unknown: 'the table has no parts',
  },
  snowflake: {
    statement: ([database = '', schema = '', table = ''], dialect) =>
      `SELECT DATE_PART(EPOCH_MICROSECOND, last_altered) / 1e6 AS v
FROM ${dialect.quote(database)}.INFORMATION_SCHEMA.TABLES
WHERE table_schema = ${quotes(schema)} AND table_name = ${quotes(table)}`,
    unknown: 'its catalog does not name the table',
  },
  bigquery: {
    statement: ([project = '', dataset = '', table = ''], dialect) =>
      `SELECT last_modified_time / 1000 AS v FROM ${path([project, dataset], dialect)}.__TABLES__
WHERE table_id = ${escaped(table)}`,
    unknown: 'its catalog does not name the table',
  },
  trino: {
    // Tables of other formats have no snapshots, and Trino says so.
    statement: ([database = '', schema = '', table = ''], dialect) =>
      `SELECT TO_UNIXTIME(MAX(committed_at)) AS v
FROM ${path([database, schema, `${table}$snapshots`], dialect)}`,
    unknown: 'the table has no snapshots',
  },
};
