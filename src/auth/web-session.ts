// Whose request a session makes, and that it is used.

import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { acrossWorkspaces, inWorkspace } from '../database/outside.ts';
import { execute } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { sessionAccount } from './account.ts';
import { recall } from './authentication.ts';
import { isWellFormedSession } from './key-form.ts';
import { endOf, minuteMs, type SessionLimits } from './session-limits.ts';
import type { Viewer } from './viewer.ts';
import type { RememberedViewer } from './viewer-memory.ts';

/** Which session, and for what it is looked at. */
export interface SessionLook {
  /** What the cookie holds. */
  readonly secret: string;
  readonly limits: SessionLimits;
  readonly now: Date;
  /** Whether a person asks for something: a subscription that stays open is no use of it. */
  readonly isUse: boolean;
}

/**
 * Who is signed in with a session; null for one that is forged, unknown, ended or too old, or whose user
 * was deactivated. A known one costs one statement every three seconds, and another one a minute while
 * it is used.
 */
export async function viewerOfSession(
  database: Database,
  { secret, limits, now, isUse }: SessionLook,
): Promise<Viewer | null> {
  if (!isWellFormedSession(secret)) return null;
  const known = await recall(database, secret, now, (hash) => lookUp(database, hash, limits));
  if (known && isUse) await known.noteUse?.(now);
  return known?.viewer ?? null;
}

async function lookUp(
  database: Database,
  hash: string,
  limits: SessionLimits,
): Promise<RememberedViewer | null> {
  // Of which workspace it is, only the session says.
  const found = await sessionAccount(acrossWorkspaces(database), hash);
  if (!found) return null;
  const { viewer, createdAt } = found;
  let { lastUsedAt } = found;
  return {
    viewer,
    get expiresAt() {
      return endOf({ createdAt, lastUsedAt }, limits);
    },
    async noteUse(now) {
      const minute = new Date(Math.floor(now.getTime() / minuteMs) * minuteMs);
      if (lastUsedAt >= minute) return;
      lastUsedAt = minute;
      await execute(
        inWorkspace(database, viewer.workspaceId),
        Prisma.sql`update web_session set last_used_at = ${minute.toISOString()}::timestamptz
          where workspace_id = ${viewer.workspaceId}::uuid and id = ${viewer.sessionId}::uuid
            and last_used_at < ${minute.toISOString()}::timestamptz`,
      );
    },
  };
}

/** End all sessions of a user, in a transaction; how many there were. */
export async function endSessionsOf(tx: Context, userId: string): Promise<number> {
  return execute(
    tx,
    Prisma.sql`update web_session set ended_at = ${tx.now()}::timestamptz
      where workspace_id = ${tx.workspaceId}::uuid and user_id = ${userId}::uuid and ended_at is null`,
  );
}
