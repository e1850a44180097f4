// Who watches resources: their owners and subscribers, as far as they may see them.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { folded, foldedAddress } from '../people/mail-address.ts';
import type { Person } from './person.ts';

/**
 * What ties somebody to a resource: one may own it alone or with a group, have made a monitor of it, or be
 * named by a rule.
 */
export interface Tie {
  readonly resourceId: string;
  readonly how: 'owns' | 'subscribes' | 'made' | 'named';
}

/** Somebody who watches a resource, or the table of a column, and may see it. */
export interface Watcher extends Person, Tie {}

/** Those who watch resources, in one statement. Who may not see a resource is not notified of it. */
export async function watchersOf(ctx: Context, ids: readonly string[]): Promise<Watcher[]> {
  if (ids.length === 0) return [];
  return rows<Watcher>(
    ctx,
    Prisma.sql`select c.id as "resourceId", u.id as "userId", u.email,
        case when bool_or(x.owns) then 'owns' else 'subscribes' end as how,
        u.email_notifications as "wantsEmail", u.role <> 'guest' as "knowsPeople"
      from resource c
      join resource w on w.workspace_id = c.workspace_id
        and w.id = any(array[c.id, case when c.kind = 'column' then c.parent_id end])
      cross join lateral (
        select unnest(w.owner_ids) as user_id, true as owns
        union all select unnest(w.subscriber_ids), false
        union all select unnest(g.member_ids), true from user_group g
          where g.workspace_id = w.workspace_id and g.id = any(w.owner_group_ids)) x
      join user_account u on u.workspace_id = c.workspace_id and u.id = x.user_id
      where c.workspace_id = ${ctx.workspaceId}::uuid and c.id = any(${[...ids]}::uuid[])
        and not u.archived and ${mayRead('c')} and ${mayRead('w')}
      group by c.id, u.id, u.email, u.email_notifications, u.role`,
  );
}

/** A resource, and who made a monitor of it. */
interface Made {
  readonly resourceId: string;
  readonly userId: string | null;
}

/** Those who made monitors of resources, as ones who watch them; no one where they may not see what they made it of. */
export async function makersOf(ctx: Context, made: readonly Made[]): Promise<Watcher[]> {
  const known = made.flatMap(({ resourceId, userId }) =>
    userId === null ? [] : [{ resourceId, userId }],
  );
  if (known.length === 0) return [];
  return rows<Watcher>(
    ctx,
    Prisma.sql`select distinct c.id as "resourceId", u.id as "userId", u.email, 'made' as how,
        u.email_notifications as "wantsEmail", u.role <> 'guest' as "knowsPeople"
      from unnest(${known.map(({ resourceId }) => resourceId)}::uuid[],
        ${known.map(({ userId }) => userId)}::uuid[]) m(resource_id, user_id)
      join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = m.resource_id
      left join resource w on w.workspace_id = c.workspace_id
        and w.id = c.parent_id and c.kind = 'column'
      join user_account u on u.workspace_id = c.workspace_id and u.id = m.user_id
      where not u.archived and ${mayRead('c')} and (w.id is null or ${mayRead('w')})`,
  );
}

/** The rule of `maySee` for a user `u`, where many of them are looked at in one statement. */
export function mayRead(resource: 'c' | 'w'): Prisma.Sql {
  const r = Prisma.raw(resource);
  return Prisma.sql`case u.role when 'admin' then true when 'editor' then true
    when 'viewer' then ${r}.published
    else exists (select from team t where t.workspace_id = u.workspace_id and not t.archived
      and t.id = any(${r}.team_ids) and u.id = any(t.member_ids)) end`;
}

/** Of these addresses, those of users who said no to email. */
export async function addressesOptedOut(
  ctx: Context,
  addresses: readonly string[],
): Promise<Set<string>> {
  if (addresses.length === 0) return new Set();
  const found = await rows<{ email: string }>(
    ctx,
    Prisma.sql`select ${folded(Prisma.sql`u.email`)} as email from user_account u
      where u.workspace_id = ${ctx.workspaceId}::uuid and not u.email_notifications
        and ${folded(Prisma.sql`u.email`)} = any(${addresses.map(foldedAddress)}::text[])`,
  );
  return new Set(found.map(({ email }) => email));
}

/** Of some users, those who may see each of some resources, by its id. */
export async function thoseWhoMayRead(
  ctx: Context,
  resourceIds: readonly string[],
  userIds: readonly string[],
): Promise<Map<string, Set<string>>> {
  const seeing = new Map(resourceIds.map((id) => [id, new Set<string>()]));
  if (userIds.length === 0) return seeing;
  const found = await rows<{ resourceId: string; userId: string }>(
    ctx,
    Prisma.sql`select c.id as "resourceId", u.id as "userId" from resource c
      join user_account u on u.workspace_id = c.workspace_id and u.id = any(${[...userIds]}::uuid[])
      where c.workspace_id = ${ctx.workspaceId}::uuid
        and c.id = any(${[...seeing.keys()]}::uuid[]) and ${mayRead('c')}`,
  );
  for (const { resourceId, userId } of found) seeing.get(resourceId)?.add(userId);
  return seeing;
}
