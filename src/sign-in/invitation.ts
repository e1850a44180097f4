// Invitations: a link that signs in, once, somebody who was added.

import { record } from '../audit/audit.ts';
import { storedHash } from '../auth/authentication.ts';
import { isWellFormedInvitation, makeInvitationCode, workspaceIn } from '../auth/key-form.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { loaderOf } from '../database/loader.ts';
import { inWorkspace } from '../database/outside.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField } from '../errors.ts';
import { type Invitation, Prisma, type User } from '../generated/prisma/client.ts';
import { folded, foldedAddress } from '../people/mail-address.ts';
import { checkEmail, createUser, getUser, type UserInput, userSubject } from '../people/user.ts';
import { addTeamMembers } from '../teams/member.ts';
import type { CodeOwner } from './one-time-code.ts';
import { SignInRefused } from './refused.ts';

/** Whom to invite. Absent takes the default. */
export interface InvitationInput extends Pick<UserInput, 'firstName' | 'lastName' | 'role'> {
  readonly email: string;
  /** Teams that the person is a member of from the beginning. */
  readonly teamIds?: readonly string[] | null | undefined;
  /** Hours that the link works; a week where absent. */
  readonly expiresInHours?: number | null | undefined;
}

/** An invitation with its code, which is shown once. */
export interface MadeInvitation {
  readonly user: User;
  readonly code: string;
  readonly expiresAt: Date;
}

const usualHours = 7 * 24;

/** The longest that a link works. */
export const maxInvitationHours = 30 * 24;

/**
 * Add a person, and make the link by which they come for the first time. Only admins may. Somebody who was invited and
 * has not come yet gets another link in place of the one before, and nothing else of them changes; any other address
 * that is taken is a CONFLICT.
 */
export async function inviteUser(
  ctx: Context,
  { teamIds, expiresInHours, ...person }: InvitationInput,
): Promise<MadeInvitation> {
  mustBeAllowed(ctx, 'manage people');
  const hours = expiresInHours ?? usualHours;
  if (!Number.isInteger(hours) || hours < 1 || hours > maxInvitationHours) {
    const range = `a whole number from 1 to ${maxInvitationHours}`;
    throw invalidField('expires_in_hours', `Use ${range}.`);
  }
  const email = checkEmail(person.email);
  const code = makeInvitationCode(ctx.workspaceId);
  const hash = await storedHash(ctx.database, code);
  const expiresAt = new Date(ctx.now().getTime() + hours * 3_600_000);
  return transaction(ctx, async (tx) => {
    const known = await lockInvited(tx, email);
    const user = known ?? (await createUser(tx, { ...person, email }, 'user_invited'));
    if (known) await record(tx, { activity: 'user_invited', subject: userSubject(known) });
    await execute(
      tx,
      Prisma.sql`insert into invitation (workspace_id, user_id, hash, created_at, expires_at)
        values (${tx.workspaceId}::uuid, ${user.id}::uuid, ${hash}, ${tx.now()}::timestamptz, ${expiresAt}::timestamptz)
        on conflict (workspace_id, user_id) do update set
          hash = excluded.hash, created_at = excluded.created_at, expires_at = excluded.expires_at`,
    );
    if (!known)
      for (const team of new Set(teamIds ?? [])) await addTeamMembers(tx, team, [user.id]);
    return { user, code, expiresAt };
  });
}

/** The person of an address who was invited and has not come yet; locked until this is done. */
async function lockInvited(tx: Context, email: string): Promise<User | null> {
  const [found] = await rows<Pick<User, 'id'>>(
    tx,
    Prisma.sql`select u.id from user_account u
      join invitation i on i.workspace_id = u.workspace_id and i.user_id = u.id
      where u.workspace_id = ${tx.workspaceId}::uuid and not u.archived and i.used_at is null
        and ${folded(Prisma.sql`u.email`)} = ${foldedAddress(email)} for update of i`,
  );
  return found ? getUser(tx, found.id) : null;
}

/**
 * End the invitation of a person, whose link no longer works; the account stays. Only admins may. Nothing happens where
 * there is none, or where it was used.
 */
export async function revokeInvitation(ctx: Context, userId: string): Promise<User> {
  mustBeAllowed(ctx, 'manage people');
  return transaction(ctx, async (tx) => {
    const user = await getUser(tx, userId);
    const ended = await execute(
      tx,
      Prisma.sql`delete from invitation i where i.workspace_id = ${tx.workspaceId}::uuid
        and i.user_id = ${user.id}::uuid and i.used_at is null`,
    );
    if (ended > 0) {
      await record(tx, { activity: 'invitation_revoked', subject: userSubject(user) });
    }
    return user;
  });
}

/** Until when the link of a person works who has not come yet; null where there is none, and for all but admins. */
export async function invitedUntil(ctx: Context, userId: string): Promise<Date | null> {
  if (!isAllowed(ctx, 'manage people')) return null;
  return (await loaderOf(ctx, openInvitations).load(userId)) ?? null;
}

async function openInvitations(ctx: Context, ids: readonly string[]): Promise<Map<string, Date>> {
  const found = await rows<Pick<Invitation, 'userId' | 'expiresAt'>>(
    ctx,
    Prisma.sql`select i.user_id as "userId", i.expires_at as "expiresAt" from invitation i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.user_id = any(${[...ids]}::uuid[])
        and i.used_at is null and i.expires_at > ${ctx.now()}::timestamptz`,
  );
  return new Map(found.map(({ userId, expiresAt }) => [userId, expiresAt]));
}

/** Whether a code is that of an invitation. */
export const isInvitation = isWellFormedInvitation;

/** Whom the code of an invitation signs in, who has used it with that. Throws `SignInRefused`. */
export async function useInvitation(
  database: Database,
  code: string,
  now: Date,
): Promise<CodeOwner> {
  const workspaceId = workspaceIn(code);
  if (workspaceId === null) throw unknownInvitation();
  const db = inWorkspace(database, workspaceId);
  const hash = await storedHash(database, code);
  const own = Prisma.sql`i.workspace_id = ${workspaceId}::uuid and i.hash = ${hash}`;
  // Of two who use it at once one is first.
  const [used] = await rows<Pick<Invitation, 'userId'>>(
    db,
    Prisma.sql`update invitation i set used_at = ${now}::timestamptz
      where ${own} and i.used_at is null and i.expires_at > ${now}::timestamptz
      returning i.user_id as "userId"`,
  );
  if (used) return { workspaceId, userId: used.userId };
  const [known] = await rows<Pick<Invitation, 'userId' | 'usedAt'>>(
    db,
    Prisma.sql`select i.user_id as "userId", i.used_at as "usedAt" from invitation i where ${own}`,
  );
  if (!known) throw unknownInvitation();
  const person = { workspaceId, userId: known.userId, email: null };
  throw known.usedAt
    ? new SignInRefused(
        'code',
        'This invitation was used already, and works once. Sign in as you set it up, or ask an admin for another one.',
        null,
        person,
      )
    : new SignInRefused(
        'expired',
        'This invitation has expired. Ask an admin for another one.',
        null,
        person,
      );
}

function unknownInvitation(): SignInRefused {
  return new SignInRefused(
    'code',
    'This invitation is not complete, or was revoked or replaced. Ask an admin for another one.',
  );
}
