// The queries that ran on Snowflake, as its account keeps them, and how often tables are read.

import type { Ask, PastQuery } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import { countReads, type TableReads } from '../reads.ts';
import { dateOrNull, text, textOrNull, usersIn } from '../source-answer.ts';
import { literal } from './quoting.ts';
import { queryTag } from './session.ts';

const limits = { timeoutMs: 300_000 };
const maxQueries = 2_000;
const weekMs = 7 * 86_400_000;
/** The views are late by so much: what ran before a sync may show up after it. */
const lateMs = 4 * 3_600_000;

/** Statements that read or write rows. */
const types = `('SELECT', 'INSERT', 'MERGE', 'UPDATE', 'CREATE_TABLE_AS_SELECT', 'CREATE_VIEW')`;

const historyView = 'SNOWFLAKE.ACCOUNT_USAGE.QUERY_HISTORY';

/** The queries that ran since, those that ran most first; equal ones but for their values are one. */
export async function* snowflakeHistory(ask: Ask, since: Date | null): AsyncGenerator<PastQuery> {
  if (!(await seesHistory(ask))) return;
  const from = since ? new Date(since.getTime() - lateMs) : new Date(Date.now() - weekMs);
  // A text is cut at 100,000 characters: no statement that long can be read.
  const { rows } = await ask(
    `SELECT any_value(query_text), count(*), listagg(DISTINCT user_name, ','), max(start_time),
        database_name, schema_name
      FROM ${historyView}
      WHERE start_time >= ${literal(from.toISOString())}::timestamp_ltz
        AND execution_status = 'SUCCESS' AND query_type IN ${types}
        AND coalesce(query_tag, '') <> ${literal(queryTag)} AND length(query_text) < 100000
        AND query_text NOT ILIKE '%INFORMATION_SCHEMA%' AND query_text NOT ILIKE '%ACCOUNT_USAGE%'
      GROUP BY query_parameterized_hash, database_name, schema_name
      ORDER BY 2 DESC, 1 LIMIT ${maxQueries}`,
    limits,
  );
  for (const [sql, count, user, at, database, schema] of rows) {
    yield {
      sql: text(sql),
      count: Number(count),
      counted: 'since',
      ...usersIn(user),
      at: dateOrNull(at),
      database: textOrNull(database),
      schema: textOrNull(schema),
    };
  }
}

/** How often each table was read in the last week; null where the role may not see the queries. */
export async function snowflakeReads(ask: Ask, signal?: AbortSignal): Promise<TableReads | null> {
  if (!(await seesHistory(ask))) return null;
  return countReads(snowflakeHistory(ask, null), 'snowflake', signal);
}

/** Whether the role sees the queries that ran. */
async function seesHistory(ask: Ask): Promise<boolean> {
  return (await rowsIfAllowed(ask, `SELECT 1 FROM ${historyView} LIMIT 0`, 60_000)) !== null;
}
