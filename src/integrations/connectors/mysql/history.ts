// The queries that ran on MySQL or MariaDB, as its performance schema keeps them.

import type { Ask, PastQuery } from '../connector.ts';
import { dateOrNull, text, textOrNull } from '../source-answer.ts';
import { systemSchemas } from './catalog.ts';

const limits = { timeoutMs: 60_000 };
const maxQueries = 2_000;

/**
 * The queries that the server counts, those that ran most first. Values are question marks; texts that
 * were too long to be kept whole end in dots, and are left out. Nothing where the login may not see them.
 */
export async function* mySqlHistory(ask: Ask, since: Date | null): AsyncGenerator<PastQuery> {
  const after = since ? `and last_seen >= '${since.toISOString().slice(0, 19)}'` : '';
  const { rows } = await ask(
    `select digest_text, count_star, schema_name, last_seen
      from performance_schema.events_statements_summary_by_digest
      where digest_text regexp '^[( ]*(SELECT|WITH|INSERT|REPLACE|UPDATE|CREATE)'
        and digest_text not regexp 'information_schema|performance_schema'
        and digest_text not like '%...'
        and coalesce(schema_name, '') not in ${systemSchemas} ${after}
      order by count_star desc limit ${maxQueries}`,
    limits,
  );
  for (const [sql, count, schema, at] of rows) {
    yield {
      sql: text(sql),
      count: Number(count),
      counted: 'ever',
      user: null,
      at: dateOrNull(`${text(at).replace(' ', 'T')}Z`),
      database: 'def',
      schema: textOrNull(schema),
    };
  }
}
