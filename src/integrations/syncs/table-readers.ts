// Who reads tables in their source: the accounts of those whom the history of queries names.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { folded } from '../../people/mail-address.ts';

/**
 * Add those who read tables, by their names in small letters, to the people who use them. A name is an address of somebody
 * here, or what one begins with, if it is one person's alone; a name that is no one's here is left out.
 */
export async function keepReaders(
  ctx: Context,
  readers: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<number> {
  const pairs = [...readers].flatMap(([table, names]) =>
    [...names].map((name) => ({ table, name })),
  );
  if (pairs.length === 0) return 0;
  return transaction(ctx, async (tx) => {
    const changed = await rows<{ id: string }>(
      tx,
      Prisma.sql`with people as (
          select ${folded(Prisma.sql`u.email`)} as name, u.id from user_account u
            where u.workspace_id = ${tx.workspaceId}::uuid and not u.archived
          union
          select split_part(${folded(Prisma.sql`u.email`)}, '@', 1), (array_agg(u.id))[1] from user_account u
            where u.workspace_id = ${tx.workspaceId}::uuid and not u.archived
            group by 1 having count(*) = 1),
        used as (
          select p.table_id, array_agg(distinct h.id) as ids
          from unnest(${pairs.map(({ table }) => table)}::uuid[], ${pairs.map(({ name }) => name)}::text[])
            p(table_id, name)
          join people h on h.name = p.name group by p.table_id),
        held as (
          select r.id, r.external_user_ids, n.ids from resource r join used n on n.table_id = r.id
          where r.workspace_id = ${tx.workspaceId}::uuid and not n.ids <@ r.external_user_ids
          order by r.id for no key update of r)
        update resource r set external_user_ids =
            array(select distinct x from unnest(held.external_user_ids || held.ids) x order by x)
          from held where r.workspace_id = ${tx.workspaceId}::uuid and r.id = held.id
          returning r.id`,
    );
    return changed.length;
  });
}
