// The people that rules name, alone or with a group.

import type { Sees } from '../auth/permission.ts';
import { isRole } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type NotificationRule, Prisma } from '../generated/prisma/client.ts';
import type { Person } from './person.ts';

/** Somebody whom a rule names. What they may not see they are not notified of. */
export interface NamedPerson extends Person {
  readonly viewer: Sees;
}

interface Row extends Person {
  readonly ruleId: string;
  readonly role: string;
  readonly teamIds: readonly string[];
}

/** The active users that each of some rules names, by the rule's id, each once. */
export async function namedBy(
  ctx: Context,
  rules: readonly NotificationRule[],
): Promise<Map<string, NamedPerson[]>> {
  const named = new Map<string, NamedPerson[]>();
  const naming = rules.filter(({ userIds, groupIds }) => userIds.length + groupIds.length > 0);
  if (naming.length === 0) return named;
  const found = await rows<Row>(
    ctx,
    Prisma.sql`select n.id as "ruleId", u.id as "userId", u.email, u.role,
        u.email_notifications as "wantsEmail", u.role <> 'guest' as "knowsPeople",
        array(select t.id from team t where t.workspace_id = u.workspace_id and not t.archived
          and t.member_ids @> array[u.id]) as "teamIds"
      from notification_rule n
      cross join lateral (
        select unnest(n.user_ids) as user_id
        union select unnest(g.member_ids) from user_group g
          where g.workspace_id = n.workspace_id and g.id = any(n.group_ids)) x
      join user_account u on u.workspace_id = n.workspace_id and u.id = x.user_id
      where n.workspace_id = ${ctx.workspaceId}::uuid
        and n.id = any(${naming.map(({ id }) => id)}::uuid[]) and not u.archived
      order by u.id`,
  );
  for (const { ruleId, role, teamIds, ...person } of found) {
    // A role of a later version that this one does not know must not open anything.
    const viewer = { role: isRole(role) ? role : 'guest', teamIds } as const;
    const people = named.get(ruleId) ?? [];
    named.set(ruleId, people);
    people.push({ ...person, viewer });
  }
  return named;
}
