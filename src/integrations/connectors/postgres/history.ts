// The queries that ran on PostgreSQL, as pg_stat_statements keeps them.

import { CatalogError } from '../../../errors.ts';
import type { Ask, PastQuery } from '../connector.ts';
import { countReads, type TableReads } from '../reads.ts';
import { text } from '../source-answer.ts';

const limits = { timeoutMs: 60_000 };
/** The server keeps 5,000 unless told otherwise. */
const maxQueries = 2_000;

/** What stands before the first word of a statement: blanks, brackets and comments. */
const opening = String.raw`^([[:space:](]|/\*([^*]|\*+[^*/])*\*+/|--[^\n]*\n)*`;
/** Statements that read or write rows. A CREATE is one where it says by which query. */
const query = [
  '(select|with|insert|update|merge|create[[:space:]]+(or[[:space:]]+replace[[:space:]]+)?',
  '([a-z]+[[:space:]]+){0,2}(table|view)[[:space:]].*[[:space:])]as[[:space:](]+',
  '(select|with|values|table)[[:space:]("*])',
].join('');

/** The queries of this database that the server counts, those that ran most first. */
export async function* postgresHistory(ask: Ask): AsyncGenerator<PastQuery> {
  const view = await statementsView(ask);
  if (!view) return;
  // The text is null where the login may not see it. What the login itself reads is our own doing.
  const { rows } = await ask(
    `select s.query, s.calls::double precision, r.rolname, d.datname from ${view} s
      left join pg_catalog.pg_roles r on r.oid = s.userid
      join pg_catalog.pg_database d on d.oid = s.dbid and d.datname = current_database()
      where s.query ~* '${opening}${query}'
        and s.query !~* 'pg_catalog|information_schema|pg_stat_statements'
        and (s.query !~* '${opening}(select|with)' or r.rolname is distinct from session_user)
      order by s.calls desc limit ${maxQueries}`,
    limits,
  );
  for (const [sql, count, user, database] of rows) {
    yield {
      sql: text(sql),
      count: Number(count),
      counted: 'ever',
      user: user === null ? null : text(user),
      at: null,
      database: text(database),
      schema: 'public',
    };
  }
}

/**
 * How often each table was read by statements of others; null where the server keeps none, or doesn't show this login
 * those of others.
 */
export async function postgresReads(ask: Ask, signal?: AbortSignal): Promise<TableReads | null> {
  if ((await historyState(ask)) !== 'kept') return null;
  return countReads(postgresHistory(ask), 'postgres', signal);
}

/**
 * Whether the server keeps the statements that ran: `none` where the extension is missing, `idle` where it is not
 * loaded, `hidden` where the login sees its own alone.
 */
export async function historyState(ask: Ask): Promise<'kept' | 'none' | 'idle' | 'hidden'> {
  const view = await statementsView(ask);
  if (!view) return 'none';
  try {
    await ask(`select 1 from ${view} limit 1`, limits);
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== 'BAD_REQUEST') throw error;
    return 'idle';
  }
  const { rows } = await ask(
    `select pg_catalog.bool_or(pg_catalog.pg_has_role(session_user, r.oid, 'USAGE'))
      from pg_catalog.pg_roles r where r.rolname = 'pg_read_all_stats'`,
    limits,
  );
  return rows[0]?.[0] === true ? 'kept' : 'hidden';
}

/** The view of the extension, with the schema that it lies in; null where it is not there. */
async function statementsView(ask: Ask): Promise<string | null> {
  const { rows } = await ask(
    `select n.nspname from pg_catalog.pg_extension e
      join pg_catalog.pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_stat_statements'`,
    limits,
  );
  const schema = rows[0]?.[0];
  return schema ? `"${text(schema).replaceAll('"', '""')}".pg_stat_statements` : null;
}
