// How long rows are kept: what deletes the old ones of a kind, and what counts them.

import { type Connection, execute, rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { inBatches } from './hourly.ts';

/** Rows of one kind that are kept for some days. */
export interface Kept {
  /** What they are, in words: a plural. */
  readonly what: string;
  /** How many of them are older than these days, and would be deleted. */
  count(db: Connection, days: number): Promise<number>;
  /** Delete them, some at a time, so that no one waits for a lock; answers how many. */
  forget(db: Connection, days: number): Promise<number>;
}

/** A table whose rows are found by workspace and id. */
type Table =
  | 'job'
  | 'notification'
  | 'resource_version'
  | 'lineage_edge'
  | 'web_session'
  | 'usage_day'
  | 'image';

/** Rows of a table: `old` is what follows `from`, with the table as `o`, for rows older than some days. */
export function keptRows(what: string, table: Table, old: (days: number) => Prisma.Sql): Kept {
  const name = Prisma.raw(`"${table}"`);
  return {
    what,
    count: (db, days) => countOf(db, old(days)),
    forget: (db, days) =>
      inBatches((most) =>
        execute(
          db,
          Prisma.sql`delete from ${name} where ctid = any(array(
            select o.ctid from ${old(days)} limit ${most} for update of o skip locked))`,
        ),
      ),
  };
}

/** How many rows a query finds; it is what follows `from`. */
export async function countOf(db: Connection, from: Prisma.Sql): Promise<number> {
  const [counted] = await rows<{ count: number }>(
    db,
    Prisma.sql`select count(*)::float8 as count from ${from}`,
  );
  return counted?.count ?? 0;
}

/** The moment some days ago, as the database has it. */
export function daysAgo(days: number): Prisma.Sql {
  return Prisma.sql`(now() - make_interval(days => ${days}))`;
}
