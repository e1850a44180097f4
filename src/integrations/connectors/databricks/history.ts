// The queries that ran on the warehouses of Databricks, as its system tables keep them, and how often tables are read.

import type { Ask, PastQuery } from '../connector.ts';
import { rowsIfAllowed } from '../login-rights.ts';
import { countReads, type TableReads } from '../reads.ts';
import { dateOrNull, text, usersIn } from '../source-answer.ts';

const limits = { timeoutMs: 300_000 };
const maxQueries = 2_000;
const weekMs = 7 * 86_400_000;

/** The queries that ran since, those that ran most first. Nothing where the login may not see them. */
export async function* databricksHistory(ask: Ask, since: Date | null): AsyncGenerator<PastQuery> {
  const from = (since ?? new Date(Date.now() - weekMs)).toISOString();
  const rows = await rowsIfAllowed(
    ask,
    `SELECT statement_text, count(*), array_join(collect_set(executed_by), ','), max(start_time)
      FROM system.query.history
      WHERE start_time >= TIMESTAMP '${from}' AND execution_status = 'FINISHED'
        AND statement_type IN ('SELECT', 'INSERT', 'MERGE', 'UPDATE', 'CREATE', 'REPLACE', 'CTAS')
        AND length(statement_text) < 100000 AND statement_text NOT ILIKE '%information_schema%'
        AND coalesce(client_application, '') NOT ILIKE 'headwater%' AND executed_by <> current_user()
      GROUP BY statement_text ORDER BY 2 DESC, 1 LIMIT ${maxQueries}`,
    limits.timeoutMs,
  );
  for (const [sql, count, user, at] of rows ?? []) {
    yield {
      ...{ sql: text(sql), count: Number(count), counted: 'since', ...usersIn(user) },
      ...{ at: dateOrNull(at), database: null, schema: null },
    };
  }
}

/** How often each table was read in the last week; null where the login may not see the queries. */
export async function databricksReads(ask: Ask, signal?: AbortSignal): Promise<TableReads | null> {
  if (!(await seesHistory(ask))) return null;
  return countReads(databricksHistory(ask, null), 'databricks', signal);
}

/** Whether the login sees the queries that ran. */
export async function seesHistory(ask: Ask): Promise<boolean> {
  const sql = 'SELECT 1 FROM system.query.history LIMIT 0';
  return (await rowsIfAllowed(ask, sql, limits.timeoutMs)) !== null;
}
