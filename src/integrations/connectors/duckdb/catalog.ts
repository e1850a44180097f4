// Reads the catalog of a DuckDB file: schemas, tables, views, columns and keys.

import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { type CatalogColumn, describeSchema, describeTable, type SourceTable } from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { countOrNull, text, textOrNull } from '../source-answer.ts';

const limits = { timeoutMs: 60_000 };

/** All that a file says of itself. It is asked at once: what a file holds has a size. */
export async function* extractDuckDb(ask: Ask, note: (line: string) => void): Extraction {
  const rows = async (sql: string) => (await ask(sql, limits)).rows;
  for (const [database, schema, comment] of await rows(schemas)) {
    const description = textOrNull(comment);
    yield* describeSchema({ database: text(database), schema: text(schema), description });
  }
  const place = ([schema, table]: Row) => JSON.stringify([schema, table]);
  const columns = groupBy(await rows(columnsOfAll), place);
  const keys = groupBy(await rows(keysOfAll), place);
  for (const row of await rows(relations)) {
    const at = place(row.slice(1));
    const described = tableOf(row, keys.get(at) ?? []);
    const primary = new Set(keys.get(at)?.flatMap(([, , kind, list]) => primaryOf(kind, list)));
    const own = (columns.get(at) ?? []).map((column) => columnOf(column, primary));
    yield* describeTable(described, own, note);
  }
}

type Row = readonly unknown[];

const schemas = `select database_name, schema_name, comment from duckdb_schemas()
  where database_name = current_database()
    and schema_name not in ('information_schema', 'pg_catalog') order by 2`;

const relations = `select database_name, schema_name, table_name, comment, estimated_size, null
    from duckdb_tables() where database_name = current_database() and not internal
  union all select database_name, schema_name, view_name, comment, null, sql
    from duckdb_views() where database_name = current_database() and not internal
  order by 2, 3`;

const columnsOfAll = `select schema_name, table_name, column_name, data_type, column_index, comment,
    is_nullable, column_default
  from duckdb_columns() where database_name = current_database() and not internal
  order by 1, 2, 5`;

const keysOfAll = `select schema_name, table_name, constraint_type, constraint_column_names,
    constraint_text
  from duckdb_constraints() where database_name = current_database()
    and constraint_type in ('PRIMARY KEY', 'UNIQUE', 'FOREIGN KEY') order by 1, 2, 5`;

function tableOf(row: Row, keys: readonly Row[]): SourceTable {
  const [database, schema, table, comment, rowCount, view] = row;
  const isView = textOrNull(view) !== null;
  return {
    database: text(database),
    schema: text(schema),
    table: text(table),
    nativeType: isView ? 'view' : 'table',
    description: textOrNull(comment),
    rowCount: countOrNull(rowCount),
    creationQuery: isView ? text(view) : null,
    metadata: keys.length > 0 ? { keys: keys.map(keyOf) } : {},
  };
}

function keyOf([, , kind, columns, definition]: Row) {
  const name = text(kind).split(' ')[0]?.toLowerCase();
  return {
    kind: name,
    columns,
    ...(name === 'foreign' ? { definition: text(definition) } : {}),
  };
}

function primaryOf(kind: unknown, columns: unknown): string[] {
  return kind === 'PRIMARY KEY' && Array.isArray(columns) ? columns.map(text) : [];
}

function columnOf(row: Row, primary: ReadonlySet<string>): CatalogColumn {
  const [, , name, type, position, comment, nullable, byDefault] = row;
  return {
    name: text(name),
    type: text(type),
    position: Number(position),
    description: textOrNull(comment),
    isPk: primary.has(text(name)),
    isNullable: nullable !== false,
    defaultValue: textOrNull(byDefault),
  };
}
