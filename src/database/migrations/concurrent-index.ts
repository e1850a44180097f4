// Migrations that build or drop one index concurrently: outside of a transaction, while others read and write its table.

import pg from 'pg';

/** The first line of such a migration begins so. */
const mark = /^-- concurrently\b/i;
const comments = /^--.*\n|^\s*\n/gm;
/** All that such a migration may be: one statement, which names its index. */
const form = /^(create (?:unique )?index|drop index) concurrently "?(\w+)"?( on [^;]+)?;?$/is;

/** Whether a migration is such a one. */
export function isConcurrent(sql: string): boolean {
  return mark.test(sql);
}

/** The statement of such a migration as it runs in a transaction, in which no one else uses the table. */
export function withinTransaction(sql: string): string {
  parse(sql);
  return sql.replace(/(^(?!--).*\bindex) concurrently\b/im, '$1');
}

/**
 * Build or drop the index of such a migration, unless that is done already. What a try left that failed or was
 * killed, an invalid index, is dropped first. Throws where the text is of another form.
 */
export async function buildConcurrently(client: pg.ClientBase, sql: string): Promise<void> {
  const { isDrop, index } = parse(sql);
  const { rows } = await client.query<{ isValid: boolean }>(
    'select indisvalid as "isValid" from pg_index where indexrelid = to_regclass($1)',
    [pg.escapeIdentifier(index)],
  );
  const isValid = rows[0]?.isValid ?? null;
  if (isDrop ? isValid === null : isValid === true) return;
  if (isValid === false && !isDrop) {
    await client.query(`drop index concurrently ${pg.escapeIdentifier(index)}`);
  }
  await client.query(sql);
}

function parse(sql: string): { isDrop: boolean; index: string } {
  const [, what = '', index] = form.exec(sql.replaceAll(comments, '').trim()) ?? [];
  if (index !== undefined) return { isDrop: /^drop/i.test(what), index };
  throw new Error(
    'after "-- Concurrently" it has to be one statement, CREATE INDEX CONCURRENTLY "name" ON ... or ' +
      'DROP INDEX CONCURRENTLY "name"',
  );
}
