// Keeps back what an import adds to something that somebody unpublished: its parts are seen with it or not at all.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { partKinds } from '../../resources/kind.ts';
import type { Stage } from './staging/stage.ts';

/**
 * Unpublish the new parts of what is unpublished, such as a new column of a table, within a transaction that holds
 * what they lie in.
 */
export async function unpublishNewParts(tx: Context, { plan }: Stage): Promise<void> {
  const kinds = [...partKinds];
  const holders = Prisma.sql`select p.parent_id from ${Prisma.raw(plan)} p
    where p.is_new and p.kind = any(${kinds}::text[])
      and not exists (select from ${Prisma.raw(plan)} q where q.id = p.parent_id and q.is_new)`;
  const [found] = await scratch<{ isAny: boolean }>(
    tx,
    Prisma.sql`select exists (select from resource r
      where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (${holders})
        and not r.published) as "isAny"`,
  );
  if (!found?.isAny) return;
  await scratch(
    tx,
    `with recursive within(id) as (
        select p.id from ${plan} p join resource h
          on h.workspace_id = $1::uuid and h.id = p.parent_id and not h.published
          where p.is_new and p.kind = any($2::text[])
        union select p.id from within w join ${plan} p on p.parent_id = w.id
          where p.is_new and p.kind = any($2::text[]))
      update resource r set published = false
      from within w where r.workspace_id = $1::uuid and r.id = w.id`,
    [tx.workspaceId, kinds],
  );
}
