// Owners of resources, summed.

import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { rows } from '../../database/rows.ts';
import { Prisma, type User } from '../../generated/prisma/client.ts';

/** Somebody who owns some of what a change reaches, and how much of it. */
export interface ReachedOwner {
  readonly user: User;
  readonly count: number;
}

/** Users who own the most of these resources, themselves or as members of a group. */
export async function ownersOf(
  ctx: Context,
  ids: readonly string[],
  first: number,
): Promise<ReachedOwner[]> {
  if (ids.length === 0) return [];
  const found = await rows<User & { owned: number }>(
    ctx,
    Prisma.sql`with owned as (
        select r.id, r.owner_ids, r.owner_group_ids from unnest(${[...ids]}::uuid[]) n(id)
        join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
        where r.owner_ids <> '{}' or r.owner_group_ids <> '{}'),
      owners as (
        select o.id, u as user_id from owned o cross join unnest(o.owner_ids) u
        union
        select o.id, m from owned o cross join unnest(o.owner_group_ids) g
          join user_group ug on ug.workspace_id = ${ctx.workspaceId}::uuid and ug.id = g
          cross join unnest(ug.member_ids) m)
      select ${columnsOf(Prisma.UserScalarFieldEnum, 'u')}, o.owned
      from (select user_id, count(*)::integer as owned from owners group by 1) o
      join user_account u on u.workspace_id = ${ctx.workspaceId}::uuid and u.id = o.user_id
        and not u.archived
      order by o.owned desc, u.email, u.id limit ${first}`,
  );
  return found.map(({ owned, ...user }) => ({ user, count: owned }));
}
