// The sessions of people: beginning, listing and ending them.

import { nameOf, record, recordAll } from '../audit/audit.ts';
import { forgetViewers, storedHash } from '../auth/authentication.ts';
import { makeSessionSecret } from '../auth/key-form.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import { endOf, type SessionLimits } from '../auth/session-limits.ts';
import { endSessionsOf } from '../auth/web-session.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { notFound } from '../errors.ts';
import { Prisma, type WebSession } from '../generated/prisma/client.ts';
import { isUuid } from '../text/uuid.ts';
import { type RefusedPerson, SignInRefused } from './refused.ts';

/** A session as people may see it: without its hash. */
export type KnownSession = Omit<WebSession, 'hash'> & { readonly expiresAt: Date };

/** What a person signed in with. */
export interface SessionStart {
  /** Id of the provider, or `link`. */
  readonly method: string;
  /** The same in words, for the audit log. */
  readonly says: string;
  /** What the browser says that it is. */
  readonly userAgent: string;
}

/** Sessions that one person may have; the next one ends the one that was used the longest ago. */
export const maxSessions = 50;
const maxUserAgent = 200;

const { hash: _hash, ...known } = Prisma.WebSessionScalarFieldEnum;
const columns = columnsOf(known, 's');

/**
 * Sign the viewer in; what the cookie is to hold. Throws `SignInRefused` where the account was deactivated
 * in the meantime.
 */
export async function beginSession(
  ctx: Context,
  { method, says, userAgent }: SessionStart,
  limits: SessionLimits,
): Promise<string> {
  const secret = makeSessionSecret();
  const hash = await storedHash(ctx.database, secret);
  await transaction(ctx, async (tx) => {
    await mustBeActive(tx);
    await forgetOld(tx, limits);
    const now = tx.now();
    const session = await tx.db.webSession.create({
      data: {
        ...{ workspaceId: ctx.workspaceId, userId: ctx.viewer.id, hash, method },
        ...{ userAgent: userAgent.slice(0, maxUserAgent), createdAt: now, lastUsedAt: now },
      },
    });
    await record(tx, {
      activity: 'session_started',
      subject: subject(session),
      says: `${nameOf(ctx.viewer)} signed in ${says}`,
    });
  });
  return secret;
}

/** Anyone who deactivates the account waits for this, or this for them. */
async function mustBeActive(tx: Context): Promise<void> {
  const [user] = await rows<{ archived: boolean }>(
    tx,
    Prisma.sql`select u.archived from user_account u
      where u.workspace_id = ${tx.workspaceId}::uuid and u.id = ${tx.viewer.id}::uuid for update`,
  );
  if (user?.archived !== false) {
    const { workspaceId, id: userId, email } = tx.viewer;
    throw deactivated({ workspaceId, userId, email });
  }
}

/** An account that was deactivated. */
export function deactivated(person: RefusedPerson): SignInRefused {
  return new SignInRefused(
    'deactivated',
    'Your account was deactivated. An admin of the workspace can activate it again.',
    null,
    person,
  );
}

/**
 * Delete what is over of the viewer's, of which the audit log knows, and what is more than there may be, which it
 * learns of here.
 */
async function forgetOld(tx: Context, { idleMs, maxAgeMs }: SessionLimits): Promise<void> {
  const now = tx.now().toISOString();
  const isOpen = Prisma.sql`s.ended_at is null
    and s.created_at > ${now}::timestamptz - ${maxAgeMs / 1000} * interval '1 second'
    and s.last_used_at > ${now}::timestamptz - ${idleMs / 1000 + 60} * interval '1 second'`;
  const own = Prisma.sql`s.workspace_id = ${tx.workspaceId}::uuid
    and s.user_id = ${tx.viewer.id}::uuid`;
  const gone = await rows<Pick<WebSession, 'id' | 'method'> & { isOpen: boolean }>(
    tx,
    Prisma.sql`delete from web_session s where ${own} and (s.ended_at is not null or s.id in (
      select s.id from web_session s where ${own}
        order by (${isOpen}) desc, s.last_used_at desc, s.id offset ${maxSessions - 1}))
      returning s.id, s.method, ${isOpen} as "isOpen"`,
  );
  const who = nameOf(tx.viewer);
  await recordAll(
    tx,
    gone
      .filter((session) => session.isOpen)
      .map((session) => ({
        activity: 'session_ended' as const,
        subject: subject(session),
        related: { ids: [tx.viewer.id], type: 'user' },
        says: `${who} signed in with ${maxSessions} sessions, which ended the one that was used the longest ago`,
      })),
  );
}

/**
 * The sessions of a user that are open, the one used last first: the viewer's own where no user is named.
 * Only admins may see those of others.
 */
export async function listSessions(
  ctx: Context,
  limits: SessionLimits,
  userId: string = ctx.viewer.id,
): Promise<KnownSession[]> {
  mustBeOwnOrAdmin(ctx, userId);
  if (!isUuid(userId) || !(await isThere(ctx, userId))) throw notFound('User', userId);
  const found = await rows<Omit<WebSession, 'hash'>>(
    ctx,
    Prisma.sql`select ${columns} from web_session s
      where s.workspace_id = ${ctx.workspaceId}::uuid and s.user_id = ${userId}::uuid
        and s.ended_at is null order by s.last_used_at desc, s.id limit ${maxSessions}`,
  );
  return found
    .map((session) => ({ ...session, expiresAt: endOf(session, limits) }))
    .filter(({ expiresAt }) => expiresAt > ctx.now());
}

/** End one session: the viewer's own, or for admins anybody's. Ending it again changes nothing. */
export async function endSession(ctx: Context, id: string): Promise<void> {
  await transaction(ctx, async (tx) => {
    const [session] = isUuid(id)
      ? await rows<Omit<WebSession, 'hash'> & { email: string }>(
          tx,
          Prisma.sql`select ${columns}, u.email from web_session s
            join user_account u on u.workspace_id = s.workspace_id and u.id = s.user_id
            where s.workspace_id = ${ctx.workspaceId}::uuid and s.id = ${id}::uuid for update of s`,
        )
      : [];
    if (!session) throw notFound('Session');
    // Of others' sessions no one else learns.
    if (session.userId !== ctx.viewer.id && !isAllowed(ctx, 'manage people'))
      throw notFound('Session');
    if (session.endedAt) return;
    await execute(
      tx,
      Prisma.sql`update web_session set ended_at = ${tx.now()}::timestamptz
        where workspace_id = ${ctx.workspaceId}::uuid and id = ${session.id}::uuid`,
    );
    const who = nameOf(ctx.viewer);
    const isOwn = session.userId === ctx.viewer.id;
    await record(tx, {
      activity: 'session_ended',
      subject: subject(session),
      related: { ids: [session.userId], type: 'user' },
      says: isOwn ? `${who} signed out` : `${who} ended a session of ${session.email}`,
    });
  });
  await forgetViewers(ctx.database);
}

/**
 * End every session of a user: the viewer's own where no user is named, this one included. How many there
 * were. Only admins may end those of others.
 */
export async function signOutEverywhere(
  ctx: Context,
  userId: string = ctx.viewer.id,
): Promise<number> {
  mustBeOwnOrAdmin(ctx, userId);
  const ended = await transaction(ctx, async (tx) => {
    const [user] = isUuid(userId)
      ? await rows<{ id: string; email: string }>(
          tx,
          Prisma.sql`select u.id, u.email from user_account u
            where u.workspace_id = ${ctx.workspaceId}::uuid and u.id = ${userId}::uuid for update`,
        )
      : [];
    if (!user) throw notFound('User', userId);
    const count = await endSessionsOf(tx, user.id);
    const whom = user.id === ctx.viewer.id ? '' : `${user.email} `;
    await record(tx, {
      activity: 'sessions_ended',
      subject: { id: user.id, kind: 'user', title: user.email },
      says: `${nameOf(ctx.viewer)} signed ${whom}out everywhere (${count} ${count === 1 ? 'session' : 'sessions'})`,
    });
    return count;
  });
  await forgetViewers(ctx.database);
  return ended;
}

function mustBeOwnOrAdmin(ctx: Context, userId: string): void {
  if (userId.toLowerCase() !== ctx.viewer.id) mustBeAllowed(ctx, 'manage people');
}

async function isThere(ctx: Context, userId: string): Promise<boolean> {
  const found = await rows(
    ctx,
    Prisma.sql`select u.id from user_account u
      where u.workspace_id = ${ctx.workspaceId}::uuid and u.id = ${userId}::uuid`,
  );
  return found.length > 0;
}

function subject({ id, method }: Pick<WebSession, 'id' | 'method'>) {
  return { id, kind: 'session', title: method };
}
