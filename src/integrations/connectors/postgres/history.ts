// The queries that ran on PostgreSQL, as pg_stat_statements keeps them.

import type { Ask, PastQuery } from '../connector.ts';
import { text } from '../source-answer.ts';

const limits = { timeoutMs: 60_000 };
/** The server keeps 5,000 unless told otherwise. */
const maxQueries = 2_000;

/** The queries of this database that the server counts, those that ran most first. */
export async function* postgresHistory(ask: Ask): AsyncGenerator<PastQuery> {
  const { rows: where } = await ask(
    `select n.nspname, current_database() from pg_catalog.pg_extension e
      join pg_catalog.pg_namespace n on n.oid = e.extnamespace
      where e.extname = 'pg_stat_statements'`,
    limits,
  );
  const [schema, database] = where[0] ?? [];
  if (!schema) return;
  const view = `"${text(schema).replaceAll('"', '""')}".pg_stat_statements`;
  // The text is null where the login may not see it. What the login itself reads is our own doing.
  const { rows } = await ask(
    `select s.query, s.calls::double precision, r.rolname from ${view} s
      left join pg_catalog.pg_roles r on r.oid = s.userid
      join pg_catalog.pg_database d on d.oid = s.dbid and d.datname = current_database()
      where s.query ~* '^[[:space:](]*(select|with|insert|update|merge|create)'
        and s.query !~* 'pg_catalog|information_schema|pg_stat_statements'
        and (s.query !~* '^[[:space:](]*(select|with)' or r.rolname is distinct from session_user)
      order by s.calls desc limit ${maxQueries}`,
    limits,
  );
  for (const [sql, count, user] of rows) {
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
