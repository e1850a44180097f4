// A way in for admins: that no change takes the last one away.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** How admins get in: by a key that works for good, by keys that work until a time, or not at all. */
type Access = 'lasting' | Date | 'none';

/**
 * A transaction that may take a way in from an admin, by revoking a key or changing a user. Throws CONFLICT,
 * and so undoes it, where afterwards no key of an admin works, or those that do will expire and before there
 * was one that will not. Of two such transactions at once the second one sees what the first one left.
 */
export function keepingAdminAccess<T>(ctx: Context, work: (tx: Context) => Promise<T>): Promise<T> {
  return transaction(ctx, async (tx) => {
    await rows(
      tx,
      Prisma.sql`select pg_advisory_xact_lock(hashtext(${`admin access ${tx.workspaceId}`}))::text`,
    );
    const before = await adminAccess(tx);
    const done = await work(tx);
    if (before !== 'none') mustBeAsGood(before, await adminAccess(tx));
    return done;
  });
}

function mustBeAsGood(before: Access, after: Access): void {
  if (after === 'none') {
    throw conflict(
      'This is the last working admin key. Create another one first, for an active user with the role admin.',
    );
  }
  if (before === 'lasting' && after !== 'lasting') {
    throw conflict(
      `The other admin keys expire, the last one at ${after.toISOString()}. First create one for an admin that does not expire.`,
    );
  }
}

/** A key that a start made and no one used is none: it ends as soon as another one is used. */
async function adminAccess(tx: Context): Promise<Access> {
  const [found] = await rows<{ isLasting: boolean | null; until: Date | null }>(
    tx,
    Prisma.sql`select bool_or(k.expires_at is null) as "isLasting", max(k.expires_at) as until
      from api_key k join user_account u on u.workspace_id = k.workspace_id and u.id = k.user_id
      where k.workspace_id = ${tx.workspaceId}::uuid and k.revoked_at is null
        and (k.expires_at is null or k.expires_at > ${tx.now()}::timestamptz)
        and not (k.made_at_start and k.last_used_at is null)
        and 'ADMIN' = any(k.scopes) and u.role = 'admin' and not u.archived and not u.is_service`,
  );
  if (found?.isLasting) return 'lasting';
  return found?.until ?? 'none';
}
