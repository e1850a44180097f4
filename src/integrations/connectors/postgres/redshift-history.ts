// The queries that ran on Redshift, as a cluster and a serverless work group keep them for some days.

import { type Ask, type ConnectionCheck, found, type PastQuery } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import { dateOrNull, text, textOrNull } from '../source-answer.ts';

const limits = { timeoutMs: 120_000 };
const maxQueries = 2_000;
const weekMs = 7 * 86_400_000;

/** Characters of a statement that stand in one row. */
const rowLength = 4_000;
/** Blanks that a row may end with though the statement goes on: they may be lost on the way. */
const mostBlanks = 200;
/** Rows of one statement that are put together. */
const maxRows = 25;

/** Statements that read or write rows. */
const types = `('SELECT', 'INSERT', 'UPDATE', 'MERGE', 'CTAS')`;

/** The queries of a database that ran since, those that ran most first; equal ones are one. */
export async function* redshiftHistory(
  ask: Ask,
  { database, user }: { readonly database: string; readonly user: string },
  since: Date | null,
): AsyncGenerator<PastQuery> {
  const from = (since ?? new Date(Date.now() - weekMs)).toISOString().slice(0, 19);
  // What the login itself reads is our own doing.
  const rows = await rowsIfAllowed(
    ask,
    `select h.query_text, count(*)::integer, max(u.usename), max(h.start_time), max(h.query_id)
      from sys_query_history h left join pg_user u on u.usesysid = h.user_id
      where h.start_time >= ${literal(from.replace('T', ' '))} and trim(h.status) = 'success'
        and trim(h.query_type) in ${types} and trim(h.database_name) = ${literal(database)}
        and (u.usename is null or u.usename <> ${literal(user)})
        and h.query_text not ilike '%pg_catalog%' and h.query_text not ilike '%information_schema%'
      group by h.query_text order by 2 desc, 1 limit ${maxQueries}`,
    limits.timeoutMs,
  );
  for (const [begin, count, usename, at, id] of rows ?? []) {
    const sql = await wholeOf(ask, text(begin), text(id));
    if (sql === null) continue;
    yield {
      ...{ sql, count: Number(count), counted: 'since', user: textOrNull(usename) },
      ...{ at: dateOrNull(at), database, schema: 'public' },
    };
  }
}

/** A statement of which the beginning is known; null where it is longer than any that is read. */
async function wholeOf(ask: Ask, begin: string, id: string): Promise<string | null> {
  const isWhole = begin.trimEnd().length < rowLength - mostBlanks;
  if (isWhole || !/^\d+$/.test(id)) return unescaped(begin);
  const { rows } = await ask(
    `select "text" from sys_query_text where query_id = ${id} order by sequence limit ${maxRows + 1}`,
    limits,
  );
  if (rows.length > maxRows) return null;
  // Blanks at the end of a row are blanks of the statement.
  return unescaped(rows.map(([part]) => text(part).padEnd(rowLength)).join(''));
}

/** Line ends and tabs are kept as people write them in texts. */
function unescaped(sql: string): string {
  return sql.replaceAll('\\r', '').replaceAll('\\n', '\n').replaceAll('\\t', '\t').trimEnd();
}

/** Whether the login sees the queries of others: without the right to it sees its own alone, and no one says so. */
export async function redshiftHistoryCheck(
  ask: Ask,
  { user }: { readonly user: string },
): Promise<ConnectionCheck> {
  const name = 'query history';
  if (await seesOthers(ask, user)) return found(name, 'Queries are kept by the server.');
  return {
    ...{ name, state: 'limited' },
    message: 'The login sees only its own queries, so that lineage comes from views alone.',
    fix: `ALTER USER "${user.replaceAll('"', '""')}" SYSLOG ACCESS UNRESTRICTED;`,
  };
}

async function seesOthers(ask: Ask, user: string): Promise<boolean> {
  const rows = await rowsIfAllowed(
    ask,
    `select 1 from sys_query_history h left join pg_user u on u.usesysid = h.user_id
      where u.usename is null or u.usename <> ${literal(user)} limit 1`,
    limits.timeoutMs,
  );
  return rows !== null && rows.length > 0;
}

const literal = (value: string): string =>
  `'${value.replaceAll("'", "''").replaceAll('\\', '\\\\')}'`;
