// Reads the catalog of MySQL and MariaDB: databases, tables, views, columns and keys.

import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { type CatalogColumn, describeSchema, describeTable, type SourceTable } from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { countOrNull, dateOrNull, text, textOrNull } from '../source-answer.ts';
import { mySqlReads } from './history.ts';
import { catalogName, systemSchemas } from './system-schemas.ts';

const limits = { timeoutMs: 60_000 };
/** Tables that are asked for at once. */
const pageTables = 500;

/**
 * All that the login may see. What MySQL calls a database holds tables, as a schema does elsewhere; it
 * is a schema here, in the one catalog of the server.
 */
export async function* extractMySql(
  ask: Ask,
  note: (line: string) => void,
  signal?: AbortSignal,
): Extraction {
  const rows = async (sql: string) => (await ask(sql, limits)).rows;
  const reads = await mySqlReads(ask, signal);
  for (const [name] of await rows(schemas)) {
    const schema = text(name);
    yield* describeSchema({ database: catalogName, schema });
    for (let after: string | null = null; ; ) {
      const page: readonly Row[] = await rows(tablesAfter(schema, after));
      const names = page.map(([table]) => text(table));
      after = names.at(-1) ?? null;
      if (after === null) break;
      const among = `table_schema = ${literal(schema)} and table_name in (${names.map(literal).join(', ')})`;
      const columns = groupBy(await rows(columnsOf(among)), ([table]) => text(table));
      const keys = groupBy(await rows(keysOf(among)), ([table]) => text(table));
      const views = new Map((await rows(viewsOf(among))).map(([t, sql]) => [text(t), text(sql)]));
      for (const row of page) {
        const table = text(row[0]);
        const described = {
          ...tableOf(schema, row, keys.get(table) ?? []),
          ...viewOf(schema, table, views.get(table)),
          usage: reads?.([catalogName, schema, table]) ?? 0,
        };
        yield* describeTable(described, (columns.get(table) ?? []).map(columnOf), note);
      }
    }
  }
}

type Row = readonly unknown[];

/** A text in SQL. These servers read a backslash in it, unless they were told not to. */
export function literal(value: string): string {
  return `'${value.replace(/[\\']/g, '$&$&')}'`;
}

const schemas = `select schema_name from information_schema.schemata
  where schema_name not in ${systemSchemas} order by schema_name`;

const tablesAfter = (
  schema: string,
  after: string | null,
) => `select table_name, table_type, engine,
    table_comment, table_rows, data_length + index_length, update_time
  from information_schema.tables where table_schema = ${literal(schema)}
    and table_type <> 'SEQUENCE' ${after === null ? '' : `and table_name > ${literal(after)}`}
  order by table_name limit ${pageTables}`;

const columnsOf = (among: string) => `select table_name, column_name, column_type,
    ordinal_position, column_comment, column_key, is_nullable, column_default, extra,
    generation_expression
  from information_schema.columns where ${among} order by table_name, ordinal_position`;

const keysOf = (among: string) => `select table_name, constraint_name, column_name,
    referenced_table_schema, referenced_table_name, referenced_column_name
  from information_schema.key_column_usage where ${among}
  order by table_name, constraint_name, ordinal_position`;

const viewsOf = (among: string) =>
  `select table_name, view_definition from information_schema.views where ${among}`;

function tableOf(schema: string, row: Row, keys: readonly Row[]): SourceTable {
  const [table, type, , comment, rowCount, byteSize, updatedAt] = row;
  const isView = /VIEW/.test(text(type));
  const named = groupBy(keys, ([, name]) => text(name));
  return {
    database: catalogName,
    schema,
    table: text(table),
    nativeType: isView ? 'view' : 'table',
    // Of a view the server says VIEW, or that it is broken, where the comment of a table stands.
    description: isView ? null : textOrNull(comment),
    rowCount: isView ? null : countOrNull(rowCount),
    byteSize: isView ? null : countOrNull(byteSize),
    updatedAt: dateOrNull(updatedAt === null ? null : `${text(updatedAt).replace(' ', 'T')}Z`),
    metadata: named.size > 0 ? { keys: [...named].map(keyOf) } : {},
  };
}

function keyOf([name, columns]: [string, Row[]]) {
  const [, , , refersSchema, refersTable] = columns[0] ?? [];
  const isForeign = refersTable !== null && refersTable !== undefined;
  return {
    name,
    kind: isForeign ? 'foreign' : name === 'PRIMARY' ? 'primary' : 'unique',
    columns: columns.map(([, , column]) => text(column)),
    ...(isForeign
      ? {
          refers_to: {
            table: `${text(refersSchema)}.${text(refersTable)}`,
            columns: columns.map(([, , , , , column]) => text(column)),
          },
        }
      : {}),
  };
}

function columnOf(row: Row): CatalogColumn {
  const [, name, type, position, comment, key, isNullable, byDefault, extra, made] = row;
  const value = textOrNull(byDefault);
  return {
    isNullable: text(isNullable) === 'YES',
    // MariaDB writes that there is none as well; and what makes the next number stands elsewhere.
    defaultValue: /auto_increment/i.test(text(extra))
      ? 'auto_increment'
      : value === 'NULL'
        ? null
        : value,
    generatedAs: textOrNull(made),
    name: text(name),
    type: text(type),
    position: Number(position),
    description: textOrNull(comment),
    isPk: key === 'PRI',
  };
}

/** The SQL of a view; empty where the login may not see it. */
function viewOf(schema: string, table: string, sql: string | undefined) {
  if (!sql) return {};
  const path = [schema, table].map((part) => `\`${part.replaceAll('`', '``')}\``).join('.');
  return { creationQuery: `CREATE VIEW ${path} AS\n${sql}` };
}
