// The queries that ran on MySQL or MariaDB, as its performance schema keeps them.

import { CatalogError } from '../../../errors.ts';
import type { Ask, PastQuery } from '../connector.ts';
import { countReads, type TableReads } from '../reads.ts';
import { dateOrNull, text, textOrNull } from '../source-answer.ts';
import { catalogName, systemSchemas } from './system-schemas.ts';

const limits = { timeoutMs: 60_000 };
const maxQueries = 2_000;

/**
 * Statements that read or write rows. A CREATE is one where it says by which query, or at which change a trigger does:
 * names are in backticks here, and words in capitals.
 */
const query = [
  'SELECT|WITH|INSERT|REPLACE|UPDATE',
  'CREATE (OR REPLACE )?(TEMPORARY )?TABLE .*[ )(]SELECT ',
  'CREATE [^(]*(VIEW|TRIGGER) ',
].join('|');

/**
 * The queries that the server counts, those that ran most first. Values are question marks; texts that
 * were too long to be kept whole end in dots, and are left out. Nothing where the login may not see them.
 */
export async function* mySqlHistory(ask: Ask, since: Date | null): AsyncGenerator<PastQuery> {
  const after = since ? `and last_seen >= '${since.toISOString().slice(0, 19)}'` : '';
  const { rows } = await ask(
    `select digest_text, count_star, schema_name, last_seen
      from performance_schema.events_statements_summary_by_digest
      where digest_text regexp '^[( ]*(${query})'
        and digest_text not regexp 'information_schema|performance_schema'
        and digest_text not like '%...'
        and coalesce(schema_name, '') not in ${systemSchemas} ${after}
      order by count_star desc limit ${maxQueries}`,
    limits,
  );
  for (const [sql, count, schema, at] of rows) {
    yield {
      sql: text(sql).replace(unitToken, '$1'),
      count: Number(count),
      counted: 'ever',
      user: null,
      at: dateOrNull(`${text(at).replace(' ', 'T')}Z`),
      database: catalogName,
      schema: textOrNull(schema),
    };
  }
}

/** MariaDB writes the word `day` so, a column of that name included. */
const unitToken = /\bSQL_TSI_([A-Z]+)\b/g;

/** How often each table was read by statements; null where the server counts none, or doesn't show them to this login. */
export async function mySqlReads(ask: Ask, signal?: AbortSignal): Promise<TableReads | null> {
  if (!(await seesHistory(ask))) return null;
  return countReads(mySqlHistory(ask, null), 'mysql', signal);
}

/** Whether the server keeps the statements that ran, and lets the login see them. */
export async function seesHistory(ask: Ask): Promise<boolean> {
  try {
    const { rows } = await ask('select @@performance_schema', limits);
    if (Number(rows[0]?.[0]) !== 1) return false;
    const digests = 'performance_schema.events_statements_summary_by_digest';
    await ask(`select 1 from ${digests} limit 1`, limits);
    return true;
  } catch (error) {
    if (!(error instanceof CatalogError) || error.code !== 'BAD_REQUEST') throw error;
    return false;
  }
}
