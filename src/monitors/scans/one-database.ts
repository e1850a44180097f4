// The database that a statement is for, of a source that reads several.

import type { QueryOptions } from '../../integrations/connectors/connector.ts';
import type { MeasuredSource } from './run-scans.ts';

/** A source whose statements are for one database, where it reads several. */
export function within(source: MeasuredSource, database: string | null): MeasuredSource {
  if (database === null) return source;
  const { estimate } = source;
  const there = (options: QueryOptions) => ({ ...options, database });
  return {
    ...source,
    query: (sql, options) => source.query(sql, there(options)),
    ...(estimate
      ? { estimate: (sql: string, options: QueryOptions) => estimate(sql, there(options)) }
      : {}),
  };
}

/** The database in a path that leads to a table; null where it names none. */
export function databaseOf(table: readonly string[] | undefined): string | null {
  return table?.length === 3 ? (table[0] ?? null) : null;
}
