// Deletes what an import adds within what somebody deleted: nothing that is there lies in what is not.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { lockOrder } from '../../resources/editing/lock.ts';
import type { Stage } from './staging/stage.ts';

/**
 * Delete what is new and lies in something deleted, within a transaction, at the time of that deletion:
 * so it is restored together with it. Whoever deletes what holds something new waits from here on, and
 * finds it when the import has ended.
 */
export async function deleteWithinDeleted(tx: Context, { plan }: Stage): Promise<void> {
  const holders = Prisma.sql`select p.parent_id from ${Prisma.raw(plan)} p where p.is_new
    and not exists (select from ${Prisma.raw(plan)} q where q.id = p.parent_id and q.is_new)`;
  const [deleted] = await scratch<{ isAny: boolean }>(
    tx,
    Prisma.sql`select bool_or(archived) as "isAny" from (
      select r.archived from resource r
      where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (${holders})
      order by ${lockOrder} for share) held`,
  );
  if (!deleted?.isAny) return;
  await scratch(
    tx,
    `with recursive within(id, archived_at) as (
        select p.id, r.archived_at from ${plan} p
          join resource r on r.workspace_id = $1::uuid and r.id = p.parent_id and r.archived
          where p.is_new
        union select p.id, w.archived_at from within w join ${plan} p on p.parent_id = w.id
          where p.is_new)
      update resource r set archived = true, archived_at = w.archived_at
      from within w where r.workspace_id = $1::uuid and r.id = w.id`,
    [tx.workspaceId],
  );
}
