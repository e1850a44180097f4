// In charge of tables that live as long as one piece of work, such as an import.

import type { Prisma } from '../generated/prisma/client.ts';
import type { Connection } from './rows.ts';
import { clientOf } from './transaction.ts';

/** Scratch tables lie in a schema of their own: they are no part of the catalog's tables. */
export const scratchSchema = 'headwater_scratch';

/**
 * Run one statement on scratch tables and answer its rows. Its plan is not kept by name, as that of
 * `rows` is: every piece of work has tables of its own, whose plans nobody needs again.
 */
export async function scratch<Row extends object>(
  ctx: Connection,
  sql: Prisma.Sql | string,
  values: readonly unknown[] = [],
): Promise<Row[]> {
  const result = await (clientOf(ctx.db) ?? ctx.database.pool).query<Row>({
    text: typeof sql === 'string' ? sql : sql.text,
    values: [...(typeof sql === 'string' ? values : sql.values)],
  });
  return result.rows;
}

/**
 * Make a scratch table, in place of one of that name that a process may have left when it died. It is
 * not logged: a crash of the database empties it.
 */
export async function makeScratch(ctx: Connection, name: string, columns: string): Promise<void> {
  await scratch(ctx, `create schema if not exists ${scratchSchema}`);
  await dropScratch(ctx, [name]);
  await scratch(ctx, `create unlogged table ${scratchSchema}.${name} (${columns})`);
}

/** Drop scratch tables, where they are there. */
export async function dropScratch(ctx: Connection, names: readonly string[]): Promise<void> {
  const tables = names.map((name) => `${scratchSchema}.${name}`);
  await scratch(ctx, `drop table if exists ${tables.join(', ')}`);
}
