// The queries that ran on Trino lately: the coordinator keeps them in memory, some hundred, for some minutes.

import { type Ask, type ConnectionCheck, found, type PastQuery } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import { dateOrNull, text, textOrNull } from '../source-answer.ts';

const limits = { timeoutMs: 60_000 };
const maxQueries = 1_000;

/** Statements that read or write rows, after blanks, brackets and comments. */
const opening = String.raw`(?is)^([\s(]|--[^\n]*\n|/\*.*?\*/)*(select|with|insert|merge|update|create\s+(or\s+replace\s+)?table)\b.*`;

/** Where names without a catalog or schema lie, as far as the login says; null where it names several catalogs. */
export interface TrinoNames {
  readonly catalog: string | null;
  readonly schema?: string | undefined;
}

/**
 * The queries that the coordinator still knows, those that ran most first; equal ones are one. Which session they ran in is
 * not said.
 */
export async function* trinoHistory(
  ask: Ask,
  { catalog, schema }: TrinoNames,
  since: Date | null,
): AsyncGenerator<PastQuery> {
  const from = (since ?? new Date(0)).toISOString().slice(0, 19).replace('T', ' ');
  const rows = await rowsIfAllowed(
    ask,
    `SELECT query, count(*), max("user"), to_iso8601(max(created)) FROM system.runtime.queries
      WHERE state = 'FINISHED' AND "end" >= TIMESTAMP '${from} UTC' AND coalesce(source, '') <> 'headwater'
        AND regexp_like(query, '${opening}') AND NOT regexp_like(query, '(?i)information_schema|system\\.(runtime|metadata)')
      GROUP BY query ORDER BY 2 DESC, 1 LIMIT ${maxQueries}`,
    limits.timeoutMs,
  );
  for (const [sql, count, user, at] of rows ?? []) {
    yield {
      ...{ sql: text(sql), count: Number(count), counted: 'since', user: textOrNull(user) },
      ...{ at: dateOrNull(at), database: catalog, schema: schema ?? null },
    };
  }
}

/** Whether the login sees queries of others. */
export async function trinoHistoryCheck(ask: Ask): Promise<ConnectionCheck> {
  const name = 'query history';
  const rows = await rowsIfAllowed(
    ask,
    `SELECT 1 FROM system.runtime.queries WHERE "user" <> current_user LIMIT 1`,
  );
  if (rows && rows.length > 0) return found(name, 'Queries that ran lately can be seen.');
  return {
    ...{ name, state: 'limited' },
    message: 'The login sees no queries of others now, so that lineage comes from views alone.',
    fix: 'Let the access rules of the server give this login system.runtime.queries, and the right to view queries of others; sync often, as they are kept for minutes.',
  };
}
