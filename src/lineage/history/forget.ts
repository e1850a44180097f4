// Lineage that ended long ago, and since when it is known.

import type { Context } from '../../context.ts';
import { type Connection, execute, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { daysAgo, type Kept, keptRows } from '../../jobs/kept-rows.ts';

const ended = keptRows(
  'lineage that ended',
  'lineage_edge',
  (days) => Prisma.sql`lineage_edge o where o.valid_to < ${daysAgo(days)}`,
);

/** The setting that holds the moment from which on the past of lineage is whole. */
const setting = 'lineage_history_begins';

/** Edges that ended: pictures of the time before say that they are not whole. */
export const keptLineage: Kept = {
  ...ended,
  async forget(db, days) {
    // Before anything is gone. Who keeps it for longer from now on doesn't get back what was deleted.
    await execute(
      db,
      Prisma.sql`insert into setting as s (name, value)
          select ${setting}, to_jsonb(${daysAgo(days)})#>>'{}'
            where exists (select from lineage_edge o where o.valid_to < ${daysAgo(days)})
        on conflict (name) do update set value = excluded.value
          where excluded.value::timestamptz > s.value::timestamptz`,
    );
    return ended.forget(db, days);
  },
};

/** Since when the past of lineage is whole; null where nothing was deleted of it. */
export async function historyBegins(ctx: Context | Connection): Promise<Date | null> {
  const [found] = await rows<{ at: Date }>(
    ctx,
    Prisma.sql`select s.value::timestamptz as at from setting s where s.name = ${setting}`,
  );
  return found?.at ?? null;
}
