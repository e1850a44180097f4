// Users: who belongs to the workspace, and with which role.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfNew } from '../audit/changes.ts';
import type { Activity } from '../audit/sentence.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { forgetViewers } from '../auth/authentication.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import { roles } from '../auth/viewer.ts';
import { endSessionsOf } from '../auth/web-session.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import {
  checkFields,
  choice,
  type Field,
  flag,
  isOwnOnly,
  type Noun,
  optionalText,
  own,
  text,
  unlessBlank,
  webAddress,
} from '../fields.ts';
import { Prisma, type User } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { checkLine, checkName, checkText, maxName } from '../text/text.ts';
import { isUuid } from '../text/uuid.ts';
import { keepingAdminAccess } from './admin-access.ts';
import { folded, foldedAddress, isAddress } from './mail-address.ts';

/** What a user is made of. Absent takes the default, or leaves alone; null clears. */
export interface UserInput extends ProfileInput {
  email?: string | null | undefined;
  role?: string | null | undefined;
  /** True deactivates: the user's keys no longer work, sessions end. False takes it back. */
  archived?: boolean | null | undefined;
}

/** What users may change of themselves. */
export interface ProfileInput {
  firstName?: string | null | undefined;
  lastName?: string | null | undefined;
  title?: string | null | undefined;
  avatarUrl?: string | null | undefined;
  /** False: no email, only the inbox. */
  emailNotifications?: boolean | null | undefined;
}

type SetByPeople = Pick<User, keyof UserInput>;

export const userNoun: Noun<UserInput, SetByPeople> = {
  by: 'manage people',
  fields: {
    email: {
      rest: 'email',
      holds: 'an email address of up to 254 characters',
      form: { type: 'string', format: 'email', maxLength: 254 },
      check: (given) => checkEmail(given ?? ''),
    },
    role: choice('role', roles),
    archived: flag('archived'),
    firstName: own(inOneLine(text('first_name', maxName))),
    lastName: own(inOneLine(text('last_name', maxName))),
    title: own(optionalText('title')),
    // Pages show the picture: another scheme could be a script.
    avatarUrl: own(unlessBlank(webAddress('avatar_url', 2_000), null)),
    emailNotifications: own(flag('email_notifications')),
  },
};

const columns = columnsOf(Prisma.UserScalarFieldEnum, 'u');

/** Add a user. Only admins may. The address is unique without regard to case (CONFLICT). */
export async function createUser(
  ctx: Context,
  input: UserInput,
  activity: Activity = 'user_created',
): Promise<User> {
  mustBeAllowed(ctx, userNoun.by);
  const { email, ...data } = checkFields(userNoun, input);
  if (email === undefined) throw invalidField('email', 'A user needs an email address.');
  return transaction(ctx, async (tx) => {
    await holdAddresses(tx);
    await mustBeFree(tx, email, null);
    const user = await tx.db.user.create({
      data: { ...data, email, workspaceId: ctx.workspaceId },
    });
    const changes = changesOfNew(user);
    await record(tx, { activity, subject: userSubject(user), changes });
    return user;
  });
}

/**
 * Change a user. Admins may; others only their own name, title, picture and whether they get email. The last admin keeps
 * the role and stays active, and so does the last one with a key that works (CONFLICT).
 */
export async function updateUser(
  ctx: Context,
  id: string,
  input: UserInput,
  expectedVersion?: ExpectedVersion,
): Promise<User> {
  if (!isOwnProfile(ctx, id, input)) mustBeAllowed(ctx, userNoun.by);
  const run: typeof keepingAdminAccess = mayEndAdmin(input) ? keepingAdminAccess : transaction;
  const updated = await run(ctx, async (tx) => {
    if (input.email !== undefined) await holdAddresses(tx);
    const { user: before, admins } = await lockUser(tx, id, mayEndAdmin(input));
    await mustBeAtVersion(tx, before, expectedVersion);
    const data = checkFields(userNoun, input);
    if (data.email !== undefined) await mustBeFree(tx, data.email, before.id);
    const isAdmin = (data.role ?? before.role) === 'admin' && !(data.archived ?? before.archived);
    if (!isAdmin) mustNotBeLastAdmin(before, admins);
    const user = await tx.db.user.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: ctx.now() },
    });
    // Activated again, the account begins without any.
    if (user.archived && !before.archived) await endSessionsOf(tx, user.id);
    const changes = changesOf(before, user);
    await record(tx, { activity: activityOf(before, user), subject: userSubject(user), changes });
    return user;
  });
  await forgetViewers(ctx.database);
  return updated;
}

/**
 * Deactivate a user: the keys stop working, sessions end, what the user made and owns stays. Only admins may; the
 * last admin, and the last one with a key that works, stay (CONFLICT).
 */
export async function deactivateUser(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<User> {
  mustBeAllowed(ctx, userNoun.by);
  return updateUser(ctx, id, { archived: true }, expectedVersion);
}

/** One user. Guests may read only themselves. */
export async function getUser(ctx: Context, id: string): Promise<User> {
  if (!isSelf(ctx, id)) mustBeAllowed(ctx, 'read people');
  const user = isUuid(id) ? (await usersById(ctx, [id])).get(id.toLowerCase()) : undefined;
  if (!user) throw notFound('User');
  return user;
}

/** Which users to list. */
export interface UserQuery {
  /** Part of the address or the name, without regard to case. */
  readonly search?: string | null | undefined;
  /** True lists the deactivated ones, too. */
  readonly archived?: boolean | null | undefined;
}

/** People, newest first, without service accounts. Guests may not list them. */
export async function listUsers(
  ctx: Context,
  { search, archived }: UserQuery,
  args: PageArgs,
): Promise<Page<User>> {
  mustBeAllowed(ctx, 'read people');
  const pattern = `%${checkText('search', search ?? '', 255).replace(/[\\%_]/g, '\\$&')}%`;
  return listPage<User>(
    ctx,
    {
      from: Prisma.sql`user_account u`,
      columns,
      where: Prisma.sql`u.workspace_id = ${ctx.workspaceId}::uuid
        and not u.is_service and (not u.archived or ${archived ?? false})
        and (u.email ilike ${pattern} or (u.first_name || ' ' || u.last_name) ilike ${pattern})`,
      order: newestFirst(Prisma.sql`u`),
    },
    args,
  );
}

/** Users by their ids, for a loader: `loaderOf(ctx, usersById)`. */
export async function usersById(ctx: Context, ids: readonly string[]): Promise<Map<string, User>> {
  const found = await rows<User>(
    ctx,
    Prisma.sql`select ${columns} from user_account u
      where u.workspace_id = ${ctx.workspaceId}::uuid and u.id = any(${ids}::uuid[])`,
  );
  return new Map(found.map((user) => [user.id, user]));
}

function isSelf(ctx: Context, id: string): boolean {
  return id.toLowerCase() === ctx.viewer.id;
}

function isOwnProfile(ctx: Context, id: string, input: UserInput): boolean {
  return isSelf(ctx, id) && isOwnOnly(userNoun, input) && isAllowed(ctx, 'take part');
}

/** Whether a change may take an admin's place, and with it a way in, from somebody. */
function mayEndAdmin({ role, archived }: UserInput): boolean {
  return archived === true || (role !== undefined && role !== 'admin');
}

/**
 * Lock a user, and with `withAdmins` every admin, all in one order: of two that would leave at once the
 * second one sees the first gone.
 */
async function lockUser(
  ctx: Context,
  id: string,
  withAdmins: boolean,
): Promise<{ user: User; admins: User[] }> {
  const which = withAdmins
    ? Prisma.sql`(u.id = ${id}::uuid or u.role = 'admin' and not u.archived)`
    : Prisma.sql`u.id = ${id}::uuid`;
  const found = isUuid(id)
    ? await rows<User>(
        ctx,
        Prisma.sql`select ${columns} from user_account u
          where u.workspace_id = ${ctx.workspaceId}::uuid and not u.is_service and ${which}
          order by u.id for no key update`,
      )
    : [];
  const user = found.find((one) => one.id === id.toLowerCase());
  if (!user) throw notFound('User');
  return { user, admins: found.filter(({ role, archived }) => role === 'admin' && !archived) };
}

function mustNotBeLastAdmin({ id, role, archived }: User, admins: readonly User[]): void {
  if (role !== 'admin' || archived || admins.some((admin) => admin.id !== id)) return;
  throw conflict('The last admin of the workspace keeps the role and cannot be deactivated.');
}

/** Let no one else take an address until the transaction ends; to be called before a user is locked. */
async function holdAddresses(ctx: Context): Promise<void> {
  await rows(
    ctx,
    Prisma.sql`select pg_advisory_xact_lock(hashtext(${`user ${ctx.workspaceId}`}))::text`,
  );
}

async function mustBeFree(ctx: Context, email: string, id: string | null): Promise<void> {
  const taken = await rows(
    ctx,
    Prisma.sql`select u.id from user_account u where u.workspace_id = ${ctx.workspaceId}::uuid
      and ${folded(Prisma.sql`u.email`)} = ${foldedAddress(email)} and u.id is distinct from ${id}::uuid`,
  );
  if (taken.length > 0) throw conflict(`There is a user with the address ${email} already.`);
}

/** An email address, as it is stored. Throws BAD_REQUEST for what can't be one. */
export function checkEmail(text: string): string {
  const email = checkName('email', text, 254);
  if (isAddress(email)) return email;
  throw invalidField('email', `Use an email address, not "${email.slice(0, 60)}".`);
}

function inOneLine(field: Field<string, string>): Field<string, string> {
  return {
    ...field,
    holds: `${field.holds} in one line`,
    check: (given) => checkLine(field.rest, field.check(given)?.trim() ?? ''),
  };
}

function activityOf(before: User, after: User): Activity {
  if (before.archived === after.archived) return 'user_updated';
  return after.archived ? 'user_deactivated' : 'user_reactivated';
}

/** How the audit log names a user. */
export function userSubject({ id, email, firstName, lastName, version }: User) {
  return { id, kind: 'user', title: `${firstName} ${lastName}`.trim() || email, version };
}
