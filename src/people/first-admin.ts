// The first admin: anyone who can use a new catalog, with a key.

import { record, recordAll } from '../audit/audit.ts';
import { changesOfGone, changesOfNew } from '../audit/changes.ts';
import { keyAccount } from '../auth/account.ts';
import { keyHasher, lockFirstUse, reloadKeys } from '../auth/authentication.ts';
import type { KeyFile } from '../auth/key-file.ts';
import { makeKey, prefixOf } from '../auth/key-form.ts';
import { serverViewer } from '../auth/viewer.ts';
import { makeWorkspace, type NewWorkspace } from '../auth/workspace.ts';
import { type Context, contextAcross } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { KnownKey } from './api-key.ts';

/** Whom to make, where no one is there yet, and where a key that is made goes. */
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

const { hash: _hash, ...known } = Prisma.ApiKeyScalarFieldEnum;
const columns = columnsOf(known, 'k');

/**
 * Make the workspace `Headwater`, its default team `General` and the first admin, unless the
 * database has a workspace. Until a key of the workspace has been used, each start shows one that
 * works, for no one can tell whether the last one was seen: the given one, else the one in the file,
 * else one that is made. After that a given key which doesn't work is ignored. The audit log says what
 * was made, by the server itself.
 */
export async function ensureFirstAdmin(
  database: Database,
  {
    key: given,
    workspace = 'Headwater',
    email = 'admin@localhost',
    ...place
  }: FirstAdminOptions = {},
): Promise<FirstAdmin> {
  if (given !== undefined) checkChosenKey(given);
  const hashOf = await keyHasher(database);
  const ctx = contextAcross(database);
  const admin = await transaction(ctx, async (any) => {
    await lockFirstUse(any);
    const first =
      (await findFirst(any)) ?? (await makeFirstWorkspace(any, { name: workspace, email }));
    const { workspaceId, userId } = first;
    const key = await firstKey(ofServer(any, workspaceId), first, given, { ...place, hashOf });
    return { workspaceId, userId, key };
  });
  reloadKeys(database);
  return admin;
}

/** Make a workspace with its first admin, which is no doing of anybody but the server. */
export async function makeFirstWorkspace(any: Context, input: NewWorkspace): Promise<FirstMade> {
  const { workspaceId, userId } = await makeWorkspace(any, input);
  const { name, email } = input;
  await record(ofServer(any, workspaceId), {
    activity: 'user_created',
    subject: { id: userId, kind: 'user', title: email },
    changes: changesOfNew({ email, role: 'admin' }),
    says: `Headwater made the workspace ${name} with the team General and the first admin, ${email}`,
  });
  return { workspaceId, userId, email };
}

/** The same context in one workspace, for what the server does there. */
function ofServer(any: Context, workspaceId: string): Context {
  return { ...any, viewer: serverViewer(workspaceId), workspaceId };
}

/** The workspace that was first, and the admin who is longest in it; null for none. */
interface First {
  readonly workspaceId: string;
  readonly userId: string | null;
  readonly email: string | null;
}

/** A workspace that was made just now, and its admin. */
interface FirstMade extends First {
  readonly userId: string;
  readonly email: string;
}

async function findFirst(tx: Context): Promise<First | null> {
  const [first] = await rows<First>(
    tx,
    Prisma.sql`select w.id as "workspaceId", u.id as "userId", u.email
      from (select * from workspace order by created_at, id limit 1) w
      left join lateral (select a.id, a.email from user_account a
        where a.workspace_id = w.id and a.role = 'admin' and not a.archived and not a.is_service
        order by a.created_at, a.id limit 1) u on true`,
  );
  return first ?? null;
}

/** Decide on the key, and make it where one is due. */
async function firstKey(
  tx: Context,
  { workspaceId, userId, email }: First,
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
    const how = 'which is the one of ADMIN_API_KEY';
    await giveKey(tx, { ...owner, key: given, hash: hashOf(given) }, `${email}, ${how}`);
    return { state: 'given' };
  }
  if (isHeldGood) return { state: 'in file' };
  const made = makeKey(workspaceId);
  const how = 'which ends unless it is the first that is used';
  const key = { ...owner, key: made, hash: hashOf(made), madeAtStart: true };
  await giveKey(tx, key, `${email}, ${how}`);
  await forgetOldest(tx, workspaceId);
  if (!file || !toFile) return { state: 'made', key: made };
  // Before the commit: a key that can't be handed over is not made.
  await file.write(made);
  return { state: 'in file' };
}

/** Keys that starts made and no one used, at most: a process may be started again and again for ever. */
const maxUnused = 100;

async function forgetOldest(tx: Context, workspaceId: string): Promise<void> {
  const gone = await rows<KnownKey>(
    tx,
    Prisma.sql`delete from api_key k where k.workspace_id = ${workspaceId}::uuid and k.id in (
      select o.id from api_key o
        where o.workspace_id = ${workspaceId}::uuid and o.made_at_start and o.last_used_at is null
        order by o.created_at desc, o.id offset ${maxUnused}) returning ${columns}`,
  );
  await recordAll(
    tx,
    gone.map((key) => ({
      ...{ activity: 'api_key_deleted' as const, subject: subject(key), related: userOf(key) },
      changes: changesOfGone(key),
      says: `Headwater deleted the API key ${key.name}, which an earlier start made and was never used`,
    })),
  );
}

/** Store a key of the first admin, and say so. */
async function giveKey(tx: Context, key: NewKey, forWhom: string): Promise<void> {
  const made = await addKey(tx, key);
  await record(tx, {
    ...{ activity: 'api_key_created', subject: subject(made), related: userOf(made) },
    changes: changesOfNew(made),
    says: `Headwater created the API key ${made.name} at a start, for the admin ${forWhom}`,
  });
}

function subject({ id, name }: KnownKey) {
  return { id, kind: 'api_key', title: name };
}

function userOf({ userId }: KnownKey) {
  return { ids: [userId], type: 'user' };
}

interface Hashing {
  readonly hashOf: (key: string) => string;
}

async function works(tx: Context, hash: string): Promise<boolean> {
  const found = await keyAccount(tx, hash);
  if (found === null || found.lapse !== null) return false;
  return found.expiresAt === null || found.expiresAt > tx.now();
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

/**
 * Store a key of a user, without an entry in the audit log. What this process remembers of chosen keys does
 * not follow it.
 */
export async function addKey(tx: Context, { key, ...data }: NewKey): Promise<KnownKey> {
  const { hash: _, ...added } = await tx.db.apiKey.create({
    data: { ...data, prefix: prefixOf(key) },
  });
  return added;
}
