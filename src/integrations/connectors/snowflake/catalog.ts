// Reads the catalog of Snowflake: databases, schemas, tables, views, columns, keys, tags, sizes and use.

import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { describeSchema, describeTable, type SourceTable } from '../catalog.ts';
import type { Ask } from '../connector.ts';
import { answerIfAllowed, rowsIfAllowed } from '../login-rights.ts';
import type { SchemaChoice } from '../patterns.ts';
import type { TableReads } from '../reads.ts';
import { countOrNull, dateOrNull, text, textOrNull } from '../source-answer.ts';
import { snowflakeReads } from './history.ts';
import { literal, quoted } from './quoting.ts';
import { snowflakeTags, type TagsOf } from './tags.ts';

const limits = { timeoutMs: 300_000 };
/** INFORMATION_SCHEMA refuses to answer with too many columns at once. */
const pageTables = 200;
/** Databases of Snowflake's own. */
const ownDatabases = ['SNOWFLAKE', 'SNOWFLAKE_SAMPLE_DATA'];

export interface SnowflakeWatch {
  note(line: string): void;
  readonly signal?: AbortSignal | undefined;
}

/** All that the role may see of the databases that are chosen. */
export async function* extractSnowflake(
  ask: Ask,
  choice: SchemaChoice,
  { note, signal }: SnowflakeWatch,
): Extraction {
  const reads = await snowflakeReads(ask, signal);
  for (const database of await databasesOf(ask, choice)) {
    const tagsOf = await snowflakeTags(ask, database);
    const { rows } = await ask(schemasOf(database), limits);
    for (const [name, comment] of rows) {
      const schema = text(name);
      if (!choice.schema(database, schema)) continue;
      yield* describeSchema({ database, schema, description: textOrNull(comment) });
      yield* extractSchema(ask, { database, schema, reads, tagsOf }, note);
    }
  }
}

/** The databases that may be read, by name. */
export async function databasesOf(ask: Ask, choice: SchemaChoice): Promise<string[]> {
  const { rows, columns = [] } = await ask('SHOW DATABASES', limits);
  const place = (name: string) => columns.findIndex((column) => column.toLowerCase() === name);
  const [title, kind] = [place('name'), place('kind')];
  return rows
    .filter((row) => kind < 0 || ['', 'STANDARD'].includes(text(row[kind])))
    .map((row) => text(row[title]))
    .filter((name) => !ownDatabases.includes(name) && choice.database(name))
    .sort();
}

interface SchemaPlace {
  readonly database: string;
  readonly schema: string;
  readonly reads: TableReads | null;
  readonly tagsOf: TagsOf | null;
}

async function* extractSchema(
  ask: Ask,
  place: SchemaPlace,
  note: (line: string) => void,
): Extraction {
  const { database, schema } = place;
  const keys = await keysOf(ask, database, schema);
  for (let after: string | null = null; ; ) {
    const page: readonly (readonly unknown[])[] = (
      await ask(tablesAfter(database, schema, after), limits)
    ).rows;
    const names = page.map(([table]) => text(table));
    after = names.at(-1) ?? null;
    if (after === null) return;
    const among = `WHERE table_schema = ${literal(schema)} AND table_name IN (${names.map(literal).join(', ')})`;
    const columns = groupBy((await ask(columnsOf(database, among), limits)).rows, ([table]) =>
      text(table),
    );
    const sqlOf = await viewsOf(ask, database, among, page.some(isView));
    for (const row of page) {
      const table = text(row[0]);
      const own = (columns.get(table) ?? []).map((column) => ({
        name: text(column[1]),
        type: typeOf(column),
        position: Number(column[2]),
        description: textOrNull(column[7]),
        isNullable: text(column[8]) !== 'NO',
        defaultValue: textOrNull(column[9]),
        isPk: keys?.get(table)?.includes(text(column[1])) ?? false,
        tags: place.tagsOf?.(schema, table, text(column[1])),
      }));
      yield* describeTable(tableOf(place, row, sqlOf.get(table) ?? null), own, note);
    }
  }
}

const isView = (row: readonly unknown[]) => /VIEW/.test(text(row[1]));

function tableOf(place: SchemaPlace, row: readonly unknown[], sql: string | null): SourceTable {
  const [name, type, rowCount, bytes, comment, altered, clustering, dynamic, iceberg, owner] = row;
  const { database, schema, reads, tagsOf } = place;
  const table = text(name);
  const nativeType = text(dynamic) === 'YES' ? 'dynamic table' : text(type).toLowerCase();
  return {
    ...{ database, schema, table },
    nativeType: nativeType === 'base table' ? 'table' : nativeType,
    description: textOrNull(comment),
    rowCount: countOrNull(rowCount),
    byteSize: countOrNull(bytes),
    updatedAt: dateOrNull(altered),
    creationQuery: sql,
    tags: tagsOf?.(schema, table, null),
    ...(reads ? { usage: reads([database, schema, table]) } : {}),
    metadata: {
      ...(textOrNull(clustering) ? { clustering_key: text(clustering) } : {}),
      ...(text(iceberg) === 'YES' ? { iceberg: true } : {}),
      ...(textOrNull(owner) ? { owner_role: text(owner) } : {}),
    },
  };
}

/** Lengths that stand for none. */
const unlimited = new Set(['16777216', '134217728', '8388608', '67108864']);

function typeOf([, , , type, length, precision, scale]: readonly unknown[]): string {
  const name = text(type);
  if (/^(TEXT|VARCHAR)$/i.test(name)) {
    return textOrNull(length) && !unlimited.has(text(length))
      ? `VARCHAR(${text(length)})`
      : 'VARCHAR';
  }
  return /^NUMBER$/i.test(name) && textOrNull(precision)
    ? `NUMBER(${text(precision)},${text(scale)})`
    : name;
}

/** The SQL of views. The catalog shows it to their owner alone; ACCOUNT_USAGE to those who may read that. */
async function viewsOf(
  ask: Ask,
  database: string,
  among: string,
  areThere: boolean,
): Promise<Map<string, string>> {
  if (!areThere) return new Map();
  const sql = new Map<string, string>();
  const keep = (rows: readonly (readonly unknown[])[]) => {
    for (const [table, definition] of rows) {
      if (textOrNull(definition) && !sql.has(text(table))) sql.set(text(table), text(definition));
    }
  };
  const { rows } = await ask(
    `SELECT table_name, view_definition FROM ${information(database)}.VIEWS ${among}`,
    limits,
  );
  keep(rows);
  if (rows.every(([, definition]) => textOrNull(definition) !== null)) return sql;
  const all = `SELECT table_name, view_definition FROM SNOWFLAKE.ACCOUNT_USAGE.VIEWS
    ${among} AND table_catalog = ${literal(database)} AND deleted IS NULL`;
  keep((await rowsIfAllowed(ask, all, limits.timeoutMs)) ?? []);
  return sql;
}

/** The primary keys of a schema, by table; null where they may not be asked. */
async function keysOf(ask: Ask, database: string, schema: string) {
  const sql = `SHOW PRIMARY KEYS IN SCHEMA ${quoted(database)}.${quoted(schema)}`;
  const answer = await answerIfAllowed(ask, sql, limits.timeoutMs);
  if (!answer) return null;
  const { rows, columns = [] } = answer;
  const place = (name: string) => columns.findIndex((column) => column.toLowerCase() === name);
  const [table, column] = [place('table_name'), place('column_name')];
  const keys = new Map<string, string[]>();
  for (const row of rows) {
    const own = keys.get(text(row[table])) ?? [];
    keys.set(text(row[table]), [...own, text(row[column])]);
  }
  return keys;
}

const schemasOf = (database: string) => `SELECT schema_name, comment
  FROM ${information(database)}.SCHEMATA WHERE schema_name <> 'INFORMATION_SCHEMA'
  ORDER BY schema_name`;

const tablesAfter = (database: string, schema: string, after: string | null) =>
  `SELECT table_name, table_type, row_count, bytes, comment, last_altered, clustering_key,
    is_dynamic, is_iceberg, table_owner
  FROM ${information(database)}.TABLES
  WHERE table_schema = ${literal(schema)} AND table_type <> 'TEMPORARY TABLE'
    ${after === null ? '' : `AND table_name > ${literal(after)}`}
  ORDER BY table_name LIMIT ${pageTables}`;

const columnsOf = (database: string, among: string) => `SELECT table_name, column_name,
    ordinal_position, data_type, character_maximum_length, numeric_precision, numeric_scale, comment,
    is_nullable, column_default
  FROM ${information(database)}.COLUMNS ${among} ORDER BY table_name, ordinal_position`;

const information = (database: string): string => `${quoted(database)}.INFORMATION_SCHEMA`;
