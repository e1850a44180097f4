// All tables of a schema or database by the source's own figures: one statement, however many there are.

import type { Context } from '../../context.ts';
import { fitsGlob } from '../../integrations/connectors/patterns.ts';
import { saidBy } from '../../integrations/connectors/source-error.ts';
import type { DialectName } from '../../lineage/sql/dialect.ts';
import { lastingSegments, type Segment } from '../learning/segments.ts';
import { type FailedReading, type Reading, readNumber, type SegmentValue } from './reading.ts';
import { isAway, limits, type MeasuredSource, reasonOf } from './run-scans.ts';
import type { SourceDialect } from './source-dialect.ts';

/** What is watched: a schema, or all of a database. */
export interface TablesScope {
  readonly database: string | null;
  /** Null for all schemas of the database. */
  readonly schema: string | null;
}

/** What a source says of one table. */
export interface TableFigures {
  readonly schema: string;
  readonly table: string;
  /** Rows as the source counts or estimates them; null where it doesn't. */
  readonly rows: number | null;
  /** When it changed last, in seconds since 1970; null where the source doesn't know. */
  readonly changed: number | null;
  /** A number that is another one after each change, where the source has one. */
  readonly mark: number | null;
}

/** Tables that are watched together at most. */
const mostTables = 10_000;

type Statement = (scope: TablesScope, dialect: SourceDialect) => string;

const mysql: Statement = ({ schema }, dialect) =>
  `SELECT table_schema, table_name, table_rows,
  TIMESTAMPDIFF(MICROSECOND, '1970-01-01 00:00:00', update_time) / 1e6, NULL
FROM information_schema.tables
WHERE table_type IN ('BASE TABLE', 'SYSTEM VERSIONED') AND ${
    schema === null
      ? "table_schema NOT IN ('mysql', 'sys', 'information_schema', 'performance_schema')"
      : `table_schema = ${dialect.text(schema)}`
  }
ORDER BY table_schema, table_name LIMIT ${mostTables}`;

// A part of a partitioned table is no table of its own to anybody who queries it.
const postgres: Statement = ({ schema }, dialect) =>
  `SELECT n.nspname, c.relname, f.live, NULL, f.written
FROM pg_catalog.pg_class c
JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
CROSS JOIN LATERAL (
  SELECT SUM(CASE WHEN s.n_live_tup > 0 THEN s.n_live_tup ELSE GREATEST(p.reltuples, 0) END)::float8 AS live,
    SUM(s.n_tup_ins + s.n_tup_upd + s.n_tup_del)::float8 AS written
  FROM pg_catalog.pg_class p JOIN pg_catalog.pg_stat_all_tables s ON s.relid = p.oid
  WHERE p.oid = c.oid OR (c.relkind = 'p'
    AND p.oid IN (SELECT t.relid FROM pg_catalog.pg_partition_tree(c.oid) t WHERE t.isleaf))) f
WHERE c.relkind IN ('r', 'p', 'm') AND NOT c.relispartition
  AND ${schema === null ? "n.nspname <> 'information_schema' AND LEFT(n.nspname, 3) <> 'pg_'" : `n.nspname = ${dialect.text(schema)}`}
ORDER BY n.nspname, c.relname LIMIT ${mostTables}`;

const duckdb: Statement = ({ schema }, dialect) =>
  `SELECT schema_name, table_name, estimated_size, NULL, estimated_size
FROM duckdb_tables() WHERE database_name = current_database() AND NOT internal
  ${schema === null ? '' : `AND schema_name = ${dialect.text(schema)}`}
ORDER BY schema_name, table_name LIMIT ${mostTables}`;

const statements: Partial<Record<DialectName, Statement>> = {
  ...{ mysql, mariadb: mysql, postgres, duckdb },
};

/** What the source says of all tables of a scope, but for those that are excluded; or why it doesn't. */
export async function readAllTables(
  ctx: Context,
  source: MeasuredSource,
  dialect: SourceDialect,
  scope: TablesScope,
): Promise<readonly TableFigures[] | FailedReading> {
  const statement = statements[dialect.name];
  if (!statement) {
    const known = Object.keys(statements).join(', ');
    return {
      error: `Tables of a ${dialect.name} source are watched one by one; all at once are those of ${known}.`,
      why: 'refused',
    };
  }
  try {
    const { rows } = await source.query(statement(scope, dialect), limits(ctx));
    return rows.map(figuresOf);
  } catch (error) {
    const why = isAway(error) ? 'away' : 'refused';
    return { error: reasonOf(ctx, error), said: saidBy(error), why };
  }
}

function figuresOf([schema, table, rows, changed, mark]: readonly unknown[]): TableFigures {
  const number = (value: unknown) => {
    const read = readNumber(value);
    return 'value' in read ? read.value : null;
  };
  return {
    ...{ schema: String(schema), table: String(table), rows: number(rows) },
    ...{ changed: number(changed), mark: number(mark) },
  };
}

/** What is asked of all tables. */
export interface AskedOfAll {
  readonly metricType: 'row_count' | 'freshness';
  readonly scope: TablesScope;
  /** Patterns of tables, or of a schema and a table, that are not watched. */
  readonly exclude: readonly string[];
  /** What was measured before. */
  readonly known: readonly Segment[];
}

/**
 * The reading of a metric for all tables: of each table its rows or its age, of the whole all rows or the least age.
 * Where a source knows no time of a change, its age counts from the run that found it changed.
 */
export function readingOfAll(
  { metricType, scope, exclude, known }: AskedOfAll,
  figures: readonly TableFigures[],
  now: Date,
): Reading {
  const before = new Map(known.map((one) => [one.segment, one]));
  const nameOf = ({ schema, table }: TableFigures) =>
    scope.schema === null ? `${schema}.${table}` : table;
  const watched = figures.filter((one) => !isExcluded(exclude, one));
  const segments = watched.flatMap((one) => {
    const segment = nameOf(one);
    if (metricType === 'freshness') return ageOf(segment, one, before.get(segment), now);
    return one.rows === null ? [] : [{ segment, value: one.rows }];
  });
  if (segments.length === 0) {
    const what = metricType === 'freshness' ? 'knows when one changed' : 'counts the rows of one';
    return { error: `There are no tables here, or the source ${what} of none.`, why: 'refused' };
  }
  const values = segments.map(({ value }) => value);
  const value =
    metricType === 'freshness'
      ? values.reduce((least, one) => Math.min(least, one))
      : values.reduce((total, one) => total + one, 0);
  return { value, segments: [...segments, ...goneOf(metricType, figures.map(nameOf), known)] };
}

/** Whether a table is left out by a pattern of it, or of its schema and it. */
export function isExcluded(
  exclude: readonly string[],
  { schema, table }: Pick<TableFigures, 'schema' | 'table'>,
): boolean {
  return exclude.some((glob) => fitsGlob(glob, glob.includes('.') ? `${schema}.${table}` : table));
}

/** A table that is gone has no rows; one that had none for long is forgotten. */
function goneOf(
  metricType: AskedOfAll['metricType'],
  names: readonly string[],
  known: readonly Segment[],
): SegmentValue[] {
  if (metricType !== 'row_count') return [];
  const there = new Set(names);
  return lastingSegments(known)
    .filter((segment) => !there.has(segment))
    .map((segment) => ({ segment, value: 0 }));
}

function ageOf(
  segment: string,
  { changed, mark }: TableFigures,
  before: Segment | undefined,
  now: Date,
): SegmentValue[] {
  const seconds = now.getTime() / 1_000;
  const isMoved = mark !== null && mark !== before?.mark;
  const since = changed ?? (isMoved ? seconds : (before?.since ?? null));
  if (since === null) return [];
  return [{ segment, value: Math.max(0, seconds - since), since, ...(mark !== null && { mark }) }];
}
