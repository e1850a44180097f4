// Makes an empty database usable: a workspace, its default team, and a first admin with a key.

import { type Context, contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { reloadKeys, storedHash } from './api-key.ts';
import { makeKey, prefixOf } from './key-form.ts';
import { serverId, serverViewer } from './viewer.ts';

/** Whom to make, where nobody is there yet. */
export interface FirstAdminOptions {
  /** The key of the first admin; one is made where absent. */
  readonly key?: string | undefined;
  readonly workspace?: string | undefined;
  readonly email?: string | undefined;
}

export interface FirstAdmin {
  readonly workspaceId: string;
  /** The key that was made just now, to be shown once; null when there was nothing to make. */
  readonly madeKey: string | null;
}

/** A chosen key travels in a header: visible ASCII without spaces, long enough to be no guess. */
const chosenKey = /^[\x21-\x7e]{16,200}$/;

/** Throws BAD_REQUEST for a key that may not be chosen as an admin's. */
export function checkChosenKey(key: string, field = 'ADMIN_API_KEY'): void {
  if (chosenKey.test(key)) return;
  throw invalidField(field, 'It is 16 to 200 visible ASCII characters without spaces.');
}

/** What a workspace starts with. */
export interface NewWorkspace {
  readonly name: string;
  /** Address of its first admin. */
  readonly email: string;
  /** The first admin's key, and the hash it is stored as (`storedHash`). */
  readonly key: string;
  readonly hash: string;
}

/**
 * Make the workspace `Headwater`, its default team `General` and the first admin, unless the
 * database has a workspace; the given key is ignored then. Several processes may start on one
 * database at once: one of them makes all of it, the others find it.
 */
export async function ensureFirstAdmin(
  database: Database,
  { key, workspace = 'Headwater', email = 'admin@localhost' }: FirstAdminOptions = {},
): Promise<FirstAdmin> {
  if (key !== undefined) checkChosenKey(key);
  const used = key ?? makeKey();
  // Taken before the transaction, in which another connection for the pepper would be refused.
  const hash = await storedHash(database, used);
  const ctx = contextFor(database, serverViewer(serverId));
  const made = await transaction(ctx, async (tx) => {
    await rows(
      tx,
      Prisma.sql`select pg_advisory_xact_lock(hashtext('headwater first admin'))::text`,
    );
    const [first] = await rows<{ id: string }>(
      tx,
      Prisma.sql`select id from workspace order by created_at, id limit 1`,
    );
    if (first) return { workspaceId: first.id, madeKey: null };
    const { workspaceId } = await makeWorkspace(tx, { name: workspace, email, key: used, hash });
    return { workspaceId, madeKey: key === undefined ? used : null };
  });
  reloadKeys(database);
  return made;
}

/** Make a workspace with its default team and a first admin who has a key. */
export async function makeWorkspace(
  tx: Context,
  { name, email, key, hash }: NewWorkspace,
): Promise<{ workspaceId: string; userId: string }> {
  const { id: workspaceId } = await tx.db.workspace.create({ data: { name } });
  const { id: userId } = await tx.db.user.create({
    data: { workspaceId, email, firstName: 'Admin', role: 'admin' },
  });
  await tx.db.team.create({
    data: {
      workspaceId,
      name: 'General',
      description: 'Everyone in the workspace.',
      isDefaultTeam: true,
      memberIds: [userId],
    },
  });
  await tx.db.apiKey.create({
    data: { workspaceId, userId, name: 'First admin', prefix: prefixOf(key), hash },
  });
  return { workspaceId, userId };
}
