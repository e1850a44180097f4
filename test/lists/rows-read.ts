// Rows of resources that the database reads for a piece of work.

import type { Context } from '../../src/context.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import type { Catalog } from '../catalog.ts';

/** Rows of resources that PostgreSQL reads from the table for some work. */
export async function rowsRead(catalog: Catalog, work: (tx: Context) => Promise<unknown>) {
  return transaction(catalog.admin, async (tx) => {
    const read = async () => {
      const [found] = await rows<{ n: number }>(
        tx,
        `select (seq_tup_read + idx_tup_fetch)::int as n from pg_stat_xact_user_tables where relname = 'resource'`,
      );
      return found?.n ?? 0;
    };
    const before = await read();
    await work(tx);
    return (await read()) - before;
  });
}
