// The tables that a query among the lineage lines reads from.

import { traceSql } from '../../../lineage/queries/trace-sql.ts';
import { isAnyRead } from '../../../lineage/queries/unread.ts';
import type { SqlLineage } from '../../../lineage/sql/answer.ts';
import { DIALECTS, findDialect } from '../../../lineage/sql/dialect.ts';
import type { QueryTables } from '../../readers/jsonl.ts';

/** The dialect of a query that names none: what most others were made from. */
const defaultDialect = 'postgres';

/**
 * The tables that a SQL query reads, by name; those that the query makes itself are left out. One
 * statement that cannot be read leaves out its own tables and is said; only a text of which nothing
 * can be read is refused.
 */
export async function tablesOf(sql: string, dialect = defaultDialect): Promise<QueryTables> {
  if (!findDialect(dialect)) {
    const message = `is not a known dialect; use one of ${DIALECTS.join(', ')}.`;
    return { ok: false, message, unknownDialect: true };
  }
  // In a thread of its own: no line of a file, however hostile, holds up the server.
  const { statements, errors } = await traceSql({ sql, dialect });
  const unread = errors.map(({ line, column, message }) => {
    return `cannot be read at line ${line}, column ${column}: ${message}`;
  });
  const [message] = unread;
  if (message !== undefined && !isAnyRead({ statements })) {
    return { ok: false, message, unknownDialect: false };
  }
  return { ok: true, tables: readBy(statements), unread };
}

function readBy(statements: SqlLineage['statements']) {
  const tables = new Map<string, { database?: string; schema?: string; table: string }>();
  for (const { path, origin } of statements.flatMap(({ sources }) => sources)) {
    const [table, schema, database] = path.toReversed();
    if (origin === 'SCRIPT' || table === undefined) continue;
    tables.set(JSON.stringify(path), {
      table,
      ...(schema ? { schema } : {}),
      ...(database ? { database } : {}),
    });
  }
  return [...tables.values()];
}
