// The tags of Snowflake's tables and columns, as its account keeps them.

import type { Ask } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import { text, textOrNull } from '../source-answer.ts';
import { literal } from './quoting.ts';

/** The tags of a table, or of one of its columns. */
export type TagsOf = (schema: string, table: string, column: string | null) => readonly string[];

/** More would be values of rows rather than tags. */
const maxNames = 1_000;
const maxRows = 200_000;

/**
 * The tags of a database, called `name` or `name: value`; null where the role may not read them. Where a tag has very many
 * values, its name alone is kept.
 */
export async function snowflakeTags(ask: Ask, database: string): Promise<TagsOf | null> {
  const rows = await rowsIfAllowed(
    ask,
    `SELECT object_schema, object_name, column_name, tag_name, tag_value
      FROM SNOWFLAKE.ACCOUNT_USAGE.TAG_REFERENCES
      WHERE object_database = ${literal(database)} AND object_deleted IS NULL
        AND domain IN ('TABLE', 'COLUMN') ORDER BY 1, 2, 3, 4 LIMIT ${maxRows}`,
    300_000,
  );
  if (!rows) return null;
  const labels = new Set(rows.map(([, , , name, value]) => labelOf(name, value)));
  const areTooMany = labels.size > maxNames;
  const kept = new Map<string, string[]>();
  for (const [schema, table, column, name, value] of rows) {
    const key = JSON.stringify([text(schema), text(table), textOrNull(column)]);
    const label = areTooMany ? text(name) : labelOf(name, value);
    kept.set(key, [...(kept.get(key) ?? []), label]);
  }
  return (schema, table, column) => kept.get(JSON.stringify([schema, table, column])) ?? [];
}

function labelOf(name: unknown, value: unknown): string {
  return textOrNull(value) ? `${text(name)}: ${text(value)}` : text(name);
}
