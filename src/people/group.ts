// Groups: users who own resources together.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { changedMembers } from '../auth/account.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { checkFields, type Noun, name, text } from '../fields.ts';
import { type Group, Prisma } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { lockWhere } from '../resources/editing/lock.ts';
import { isUuid } from '../text/uuid.ts';

/** What a group is made of. Absent takes the default, or leaves alone; null clears. */
export interface GroupInput {
  name?: string | null | undefined;
  description?: string | null | undefined;
  /** All members; replaces those there were. */
  memberIds?: readonly string[] | null | undefined;
  addMemberIds?: readonly string[] | null | undefined;
  removeMemberIds?: readonly string[] | null | undefined;
}

/** Its plain fields. Members are replaced, added and removed. */
export const groupNoun: Noun<GroupInput, Pick<Group, 'name' | 'description'>> = {
  by: 'manage people',
  fields: { name: name('name'), description: text('description') },
};

const columns = columnsOf(Prisma.GroupScalarFieldEnum, 'g');

/** Make a group. Only admins may. The name is unique (CONFLICT). */
export async function createGroup(ctx: Context, input: GroupInput): Promise<Group> {
  mustBeAllowed(ctx, groupNoun.by);
  return transaction(ctx, async (tx) => {
    const { name, ...data } = checkFields(groupNoun, input);
    if (name === undefined) throw invalidField('name', 'A group needs a name.');
    await holdNames(tx);
    await mustBeFree(tx, name, null);
    const members = await changedMembers(tx, [], input);
    const group = await tx.db.group.create({
      data: { ...data, ...members, name, workspaceId: ctx.workspaceId },
    });
    const changes = changesOfNew(group);
    await record(tx, { activity: 'group_created', subject: subject(group), changes });
    return group;
  });
}

/** The groups that the viewer is a member of, by name; guests get to know none. */
export async function listOwnGroups(ctx: Context): Promise<Group[]> {
  if (!isAllowed(ctx, 'read people')) return [];
  return rows<Group>(
    ctx,
    Prisma.sql`select ${columns} from user_group g
      where g.workspace_id = ${ctx.workspaceId}::uuid
        and g.member_ids @> array[${ctx.viewer.id}::uuid] order by g.name`,
  );
}

/** Change a group. Only admins may. */
export async function updateGroup(
  ctx: Context,
  id: string,
  input: GroupInput,
  expectedVersion?: ExpectedVersion,
): Promise<Group> {
  mustBeAllowed(ctx, groupNoun.by);
  return transaction(ctx, async (tx) => {
    if (input.name !== undefined) await holdNames(tx);
    const before = await lockGroup(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    const data = checkFields(groupNoun, input);
    if (data.name !== undefined) await mustBeFree(tx, data.name, before.id);
    const members = await changedMembers(tx, before.memberIds, input);
    const group = await tx.db.group.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, ...members, updatedAt: ctx.now() },
    });
    const changes = changesOf(before, group);
    await record(tx, { activity: 'group_updated', subject: subject(group), changes });
    return group;
  });
}

/** Delete a group; it owns and previews nothing any more, and no rule names it. Only admins may. */
export async function deleteGroup(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Group> {
  mustBeAllowed(ctx, groupNoun.by);
  return transaction(ctx, async (tx) => {
    // Anyone who makes the group an owner holds a share lock: this waits for them, they for this.
    const group = await lockGroup(tx, id);
    await mustBeAtVersion(tx, group, expectedVersion);
    await execute(
      tx,
      Prisma.sql`update integration i
        set preview_access_groups = array_remove(i.preview_access_groups, ${group.id}::uuid),
          updated_at = ${ctx.now()}::timestamptz
        where i.workspace_id = ${ctx.workspaceId}::uuid
          and i.preview_access_groups @> array[${group.id}::uuid]`,
    );
    const isOwned = Prisma.sql`r.owner_group_ids @> array[${group.id}::uuid]`;
    await lockWhere(tx, isOwned);
    await execute(
      tx,
      Prisma.sql`update resource r
        set owner_group_ids = array_remove(r.owner_group_ids, ${group.id}::uuid),
          updated_at = ${ctx.now()}::timestamptz
        where r.workspace_id = ${ctx.workspaceId}::uuid and ${isOwned}`,
    );
    await execute(
      tx,
      Prisma.sql`update notification_rule n
        set group_ids = array_remove(n.group_ids, ${group.id}::uuid),
          updated_at = ${ctx.now()}::timestamptz
        where n.workspace_id = ${ctx.workspaceId}::uuid
          and n.group_ids @> array[${group.id}::uuid]`,
    );
    await execute(
      tx,
      Prisma.sql`delete from user_group g
        where g.workspace_id = ${ctx.workspaceId}::uuid and g.id = ${group.id}::uuid`,
    );
    const changes = changesOfGone(group);
    await record(tx, { activity: 'group_deleted', subject: subject(group), changes });
    return group;
  });
}

/** One group. Guests may not read it. */
export async function getGroup(ctx: Context, id: string): Promise<Group> {
  mustBeAllowed(ctx, 'read people');
  const group = isUuid(id) ? (await groupsById(ctx, [id])).get(id.toLowerCase()) : undefined;
  if (!group) throw notFound('Group');
  return group;
}

/** All groups, newest first. Guests may not list them. */
export async function listGroups(ctx: Context, args: PageArgs): Promise<Page<Group>> {
  mustBeAllowed(ctx, 'read people');
  return listPage<Group>(
    ctx,
    {
      from: Prisma.sql`user_group g`,
      columns,
      where: Prisma.sql`g.workspace_id = ${ctx.workspaceId}::uuid`,
      order: newestFirst(Prisma.sql`g`),
    },
    args,
  );
}

/** Groups by their ids, for a loader: `loaderOf(ctx, groupsById)`. */
export async function groupsById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Group>> {
  const found = await rows<Group>(
    ctx,
    Prisma.sql`select ${columns} from user_group g
      where g.workspace_id = ${ctx.workspaceId}::uuid and g.id = any(${ids}::uuid[])`,
  );
  return new Map(found.map((group) => [group.id, group]));
}

async function lockGroup(ctx: Context, id: string): Promise<Group> {
  const [group] = isUuid(id)
    ? await rows<Group>(
        ctx,
        Prisma.sql`select ${columns} from user_group g
          where g.workspace_id = ${ctx.workspaceId}::uuid and g.id = ${id}::uuid for update`,
      )
    : [];
  if (!group) throw notFound('Group');
  return group;
}

/** Let no one else name a group until the transaction ends; to be called before a group is locked. */
async function holdNames(ctx: Context): Promise<void> {
  await rows(
    ctx,
    Prisma.sql`select pg_advisory_xact_lock(hashtext(${`group ${ctx.workspaceId}`}))::text`,
  );
}

async function mustBeFree(ctx: Context, name: string, id: string | null): Promise<void> {
  const taken = await rows(
    ctx,
    Prisma.sql`select g.id from user_group g where g.workspace_id = ${ctx.workspaceId}::uuid
      and g.name = ${name} and g.id is distinct from ${id}::uuid`,
  );
  if (taken.length > 0) throw conflict(`There is a group named "${name}" already.`);
}

function subject({ id, name, version }: Group) {
  return { id, kind: 'group', title: name, version };
}
