// The first admin: whoever can use a new catalog, with a key.

import { type Context, contextAcross } from '../context.ts';
import type { Database } from '../database/database.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { keyAccount } from './account.ts';
import { keyHasher, lockFirstUse, reloadKeys } from './authentication.ts';
import type { KeyFile } from './key-file.ts';
import { makeKey, prefixOf } from './key-form.ts';
import { makeWorkspace } from './workspace.ts';

/** Whom to make, where nobody is there yet, and where a key that is made goes. */
export interface FirstAdminOptions {
  /** The key of the first admin; one is made where absent. */
  readonly key?: string | undefined;
  readonly workspace?: string | undefined;
  readonly email?: string | undefined;
  /** The file of an earlier start. It is removed where its key doesn't work any more. */
  readonly file?: KeyFile | undefined;
  /** Whether a key that is made goes to the file, instead of being shown. */
  readonly toFile?: boolean | undefined;
}

export interface FirstAdmin {
  readonly workspaceId: string;
  /** The admin who is longest in it; null where every admin was deactivated. */
  readonly userId: string | null;
  readonly key: FirstKey;
}

/** What the operator is to be told about the first admin's key. */
export type FirstKey =
  /** It was made just now, is to be shown, and can't be read again. */
  | { readonly state: 'made'; readonly key: string }
  /** The key file holds one that works. */
  | { readonly state: 'in file' }
  /** The given one works. */
  | { readonly state: 'given' }
  /** Somebody has a key, for one was used; a given one that doesn't work is ignored. */
  | { readonly state: 'used'; readonly isGivenIgnored: boolean };

/** A chosen key travels in a header: visible ASCII without spaces, long enough to be no guess. */
const chosenKey = /^[\x21-\x7e]{16,200}$/;

/** Throws BAD_REQUEST for a key that may not be chosen as an admin's. */
export function checkChosenKey(key: string, field = 'ADMIN_API_KEY'): void {
  if (chosenKey.test(key)) return;
  throw invalidField(field, 'Use 16 to 200 visible ASCII characters without spaces.');
}

/**
 * Make the workspace `Headwater`, its default team `General` and the first admin, unless the
 * database has a workspace. Until a key of the workspace has been used, whoever starts gets one that
 * works, for nobody can tell whether the last one was seen: the given one, else the one in the file,
 * else one that is made. After that a given key which doesn't work is ignored.
 */
export async function ensureFirstAdmin(
  database: Database,
  { key, workspace = 'Headwater', email = 'admin@localhost', ...place }: FirstAdminOptions = {},
): Promise<FirstAdmin> {
  if (key !== undefined) checkChosenKey(key);
  const hashOf = await keyHasher(database);
  const ctx = contextAcross(database);
  const admin = await transaction(ctx, async (tx) => {
    await lockFirstUse(tx);
    const first = (await findFirst(tx)) ?? (await makeWorkspace(tx, { name: workspace, email }));
    return {
      ...first,
      key: await firstKey(tx, first, key, { ...place, hashOf }),
    };
  });
  reloadKeys(database);
  return admin;
}

/** The workspace that was first, and the admin who is longest in it. */
type First = Omit<FirstAdmin, 'key'>;

async function findFirst(tx: Context): Promise<First | null> {
  const [first] = await rows<First>(
    tx,
    Prisma.sql`select w.id as "workspaceId",
        (select u.id from user_account u
          where u.workspace_id = w.id and u.role = 'admin' and not u.archived
          order by u.created_at, u.id limit 1) as "userId"
      from workspace w order by w.created_at, w.id limit 1`,
  );
  return first ?? null;
}

/** Decide on the key, and make it where one is due. */
async function firstKey(
  tx: Context,
  { workspaceId, userId }: First,
  given: string | undefined,
  { file, toFile = false, hashOf }: Pick<FirstAdminOptions, 'file' | 'toFile'> & Hashing,
): Promise<FirstKey> {
  const held = (await file?.read()) ?? null;
  const isHeldGood = held !== null && (await works(tx, hashOf(held)));
  if (held !== null && !isHeldGood) await file?.remove();
  if (given !== undefined && (await works(tx, hashOf(given)))) return { state: 'given' };
  if (userId === null || (await wasAnyUsed(tx, workspaceId))) {
    return { state: 'used', isGivenIgnored: given !== undefined };
  }
  const owner = { workspaceId, userId, name: 'First admin' };
  if (given !== undefined) {
    await addKey(tx, { ...owner, key: given, hash: hashOf(given) });
    return { state: 'given' };
  }
  if (isHeldGood) return { state: 'in file' };
  const made = makeKey();
  await addKey(tx, { ...owner, key: made, hash: hashOf(made), madeAtStart: true });
  await forgetOldest(tx, workspaceId);
  if (!file || !toFile) return { state: 'made', key: made };
  // Before the commit: a key that can't be handed over is not made.
  await file.write(made);
  return { state: 'in file' };
}

/** Keys that starts made and nobody used, at most: a process may be started again and again for ever. */
const maxUnused = 100;

async function forgetOldest(tx: Context, workspaceId: string): Promise<void> {
  await execute(
    tx,
    Prisma.sql`delete from api_key where id in (
      select k.id from api_key k
        where k.workspace_id = ${workspaceId}::uuid and k.made_at_start and k.last_used_at is null
        order by k.created_at desc, k.id offset ${maxUnused})`,
  );
}

interface Hashing {
  readonly hashOf: (key: string) => string;
}

async function works(tx: Context, hash: string): Promise<boolean> {
  const found = await keyAccount(tx, hash);
  return found !== null && (found.expiresAt === null || found.expiresAt > tx.now());
}

async function wasAnyUsed(tx: Context, workspaceId: string): Promise<boolean> {
  const used = await rows(
    tx,
    Prisma.sql`select k.id from api_key k
      where k.workspace_id = ${workspaceId}::uuid and k.last_used_at is not null limit 1`,
  );
  return used.length > 0;
}

/** A key to be stored as it is. */
export interface NewKey {
  readonly workspaceId: string;
  readonly userId: string;
  readonly name: string;
  readonly key: string;
  /** What it is stored as (`keyHasher`). */
  readonly hash: string;
  /** Whether it stops working when another one of the workspace is used first. Default false. */
  readonly madeAtStart?: boolean;
}

/** Store a key of a user. What this process remembers of chosen keys does not follow it. */
export async function addKey(tx: Context, { key, ...data }: NewKey): Promise<void> {
  await tx.db.apiKey.create({ data: { ...data, prefix: prefixOf(key) } });
}
