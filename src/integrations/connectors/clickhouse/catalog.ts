// Reads the catalog of ClickHouse: databases, tables, views, columns, sizes and use.

import { groupBy } from '../../../lists/group-by.ts';
import type { Extraction } from '../../readers/extraction.ts';
import { describeSchema, describeTable } from '../catalog.ts';
import type { Ask, PastQuery } from '../connector.ts';
import { literal } from '../mysql/catalog.ts';
import { countOrNull, dateOrNull, text, textOrNull } from '../source-answer.ts';

const limits = { timeoutMs: 60_000 };
const pageTables = 500;
const maxQueries = 2_000;
/** Where all databases of a server are: as in MySQL, one holds tables and is a schema here. */
const catalogName = 'clickhouse';

export const systemDatabases = `('system', 'information_schema', 'INFORMATION_SCHEMA')`;

/** All that the login may see. */
export async function* extractClickHouse(ask: Ask, note: (line: string) => void): Extraction {
  const rows = async (sql: string) => (await ask(sql, limits)).rows;
  for (const [name, comment] of await rows(databases)) {
    const schema = text(name);
    const description = textOrNull(comment);
    yield* describeSchema({ database: catalogName, schema, description });
    for (let after: string | null = null; ; ) {
      const page: readonly (readonly unknown[])[] = await rows(tablesAfter(schema, after));
      const names = page.map(([table]) => text(table));
      after = names.at(-1) ?? null;
      if (after === null) break;
      const columns = groupBy(await rows(columnsOf(schema, names)), ([table]) => text(table));
      for (const row of page) {
        const own = (columns.get(text(row[0])) ?? []).map(
          ([, column, type, position, comment, isPk]) => ({
            name: text(column),
            type: text(type),
            position: Number(position),
            description: textOrNull(comment),
            isPk: Number(isPk) === 1,
          }),
        );
        yield* describeTable(tableOf(schema, row), own, note);
      }
    }
  }
}

const databases = `SELECT name, comment FROM system.databases
  WHERE name NOT IN ${systemDatabases} ORDER BY name`;

// What a materialized view holds lies in a table of its own, called .inner..., which no one asks for.
const tablesAfter = (schema: string, after: string | null) => `SELECT name, engine, comment,
    total_rows, total_bytes, metadata_modification_time, create_table_query, sorting_key
  FROM system.tables
  WHERE database = ${literal(schema)} AND NOT startsWith(name, '.inner') AND NOT is_temporary
    ${after === null ? '' : `AND name > ${literal(after)}`}
  ORDER BY name LIMIT ${pageTables}`;

const columnsOf = (schema: string, names: readonly string[]) => `SELECT table, name, type, position,
    comment, is_in_primary_key FROM system.columns
  WHERE database = ${literal(schema)} AND table IN (${names.map(literal).join(', ')})
  ORDER BY table, position`;

function tableOf(schema: string, row: readonly unknown[]) {
  const [table, engine, comment, rowCount, byteSize, updatedAt, sql, sortingKey] = row;
  const isView = /View$/.test(text(engine));
  return {
    database: catalogName,
    schema,
    table: text(table),
    nativeType: engine === 'MaterializedView' ? 'materialized view' : isView ? 'view' : 'table',
    description: textOrNull(comment),
    rowCount: countOrNull(rowCount),
    byteSize: countOrNull(byteSize),
    updatedAt: dateOrNull(`${text(updatedAt).replace(' ', 'T')}Z`),
    creationQuery: isView ? textOrNull(sql) : null,
    metadata: {
      engine: text(engine),
      ...(textOrNull(sortingKey) ? { sorting_key: text(sortingKey) } : {}),
    },
  };
}

/** The queries that the server logged since, those that ran most first; equal ones are one. */
export async function* clickHouseHistory(ask: Ask, since: Date | null): AsyncGenerator<PastQuery> {
  const from = since ?? new Date(Date.now() - 7 * 86_400_000);
  const { rows } = await ask(
    `SELECT any(query), count(), any(user), max(event_time), any(current_database)
      FROM system.query_log
      WHERE type = 'QueryFinish' AND is_initial_query
        AND event_time >= toDateTime(${literal(from.toISOString().slice(0, 19).replace('T', ' '))}, 'UTC')
        AND query_kind IN ('Select', 'Insert', 'Create')
        AND NOT hasAny(databases, ['system'])
      GROUP BY normalized_query_hash ORDER BY count() DESC LIMIT ${maxQueries}`,
    limits,
  );
  for (const [sql, count, user, at, database] of rows) {
    yield {
      sql: text(sql),
      count: Number(count),
      counted: 'since',
      user: textOrNull(user),
      at: dateOrNull(`${text(at).replace(' ', 'T')}Z`),
      database: catalogName,
      schema: textOrNull(database),
    };
  }
}
