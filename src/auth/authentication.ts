// Whose request a key makes: its holder, from a memory that forgets within seconds, as it does of sessions.

import { hash, randomBytes } from 'node:crypto';
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import { type Context, contextFor } from '../context.ts';
import { type Database, ofDatabase } from '../database/database.ts';
import { holdName } from '../database/held-name.ts';
import { acrossWorkspaces, inWorkspace } from '../database/outside.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { currentSource } from '../tracing/request.ts';
import { type KeyAccount, keyAccount } from './account.ts';
import { chosenPrefix, hashKey, isWellFormedKey, workspaceIn } from './key-form.ts';
import type { LapsedKey } from './lapsed-key.ts';
import { serverViewer, type Viewer } from './viewer.ts';
import { type InTurn, type RememberedViewer, ViewerMemory } from './viewer-memory.ts';

/** A longer key is none of ours. */
const maxKeyLength = 200;

/** What one process knows of the keys of one database. */
interface KeyRing {
  readonly pepper: Buffer;
  /** The same as a text. */
  readonly salt: string;
  /** Hashes of keys that somebody chose, so that no other key without our form is looked up. */
  readonly chosen: ReadonlySet<string>;
  /** By what `placeOf` makes of a key. */
  readonly memory: ViewerMemory;
}

/** A key that was revoked because another one was used. */
export interface RevokedKey {
  readonly id: string;
  readonly name: string;
  /** The account that it acted for. */
  readonly userId: string;
  readonly revokedAt: Date;
}

/** Called with keys that are revoked, in the transaction that does it. */
export type OnRevoked = (tx: Context, keys: readonly RevokedKey[]) => Promise<void>;

const openedRing = ofDatabase((): { ring: MaybePromise<KeyRing> | null } => ({ ring: null }));

/**
 * The viewer that a key acts for; of one that expired, that was revoked, or whose user was deactivated, whom
 * it acted for and why it doesn't any more; null for one that is forged or unknown. A forged key never reaches the database: it fails its checksum or,
 * having another form, is none of the few keys that somebody chose. A known key costs one statement
 * every three seconds, and once a minute another one that notes when it was used; its first use is
 * noted before anything is answered.
 */
export function findHolder(
  database: Database,
  key: string,
  now: Date,
  onRevoked: OnRevoked,
): MaybePromise<Viewer | LapsedKey | null> {
  if (key.length > maxKeyLength) return null;
  return whenReady(keyRing(database), (ring) => {
    const place = placeOf(ring, 'key', key);
    const look = () => {
      const stored = hashKey(ring.pepper, key);
      if (!isWellFormedKey(key) && !ring.chosen.has(stored)) return null;
      return ring.memory.lookUp(place, (inTurn) =>
        lookUp(database, { stored, workspaceId: workspaceIn(key), inTurn }, now, onRevoked),
      );
    };
    const known = ring.memory.get(place);
    return whenReady(
      known === undefined ? look() : known,
      (found) => found && holderIn(found, now),
    );
  });
}

function holderIn(
  { viewer, expiresAt, lapse = null }: RememberedViewer,
  now: Date,
): Viewer | LapsedKey {
  const why = lapse ?? (isPast(expiresAt, now) ? 'expired' : null);
  return why === null ? viewer : { lapse: why, viewer };
}

/**
 * What `load` finds by the hash of a secret, which is remembered for a moment; null where it finds nothing
 * that works at a time.
 */
export async function recall(
  database: Database,
  secret: string,
  now: Date,
  load: (hash: string) => Promise<RememberedViewer | null>,
): Promise<RememberedViewer | null> {
  const ring = await keyRing(database);
  const place = placeOf(ring, 'session', secret);
  const before = ring.memory.get(place);
  const known = await (before === undefined
    ? ring.memory.lookUp(place, (inTurn) => inTurn(() => load(hashKey(ring.pepper, secret))))
    : before);
  return !known || isPast(known.expiresAt, now) ? null : known;
}

/** Forget what this process remembers of keys and sessions, after a change to them, users or teams. */
export async function forgetViewers(database: Database): Promise<void> {
  const { ring: opened } = openedRing(database);
  const ring = await opened;
  ring?.memory.forget();
}

/** The hash of a key as the `api_key` table stores it. */
export async function storedHash(database: Database, key: string): Promise<string> {
  return (await keyHasher(database))(key);
}

/** What makes such hashes, without a statement: for transactions, which have their own connection. */
export async function keyHasher(database: Database): Promise<(key: string) => string> {
  const { pepper } = await keyRing(database);
  return (key) => hashKey(pepper, key);
}

/** Read the pepper and the chosen keys again, after one was added. */
export function reloadKeys(database: Database): void {
  openedRing(database).ring = null;
}

/**
 * Where a key or a session is remembered: neither is taken for the other. A digest takes a fifth of the time of
 * the hash that is stored.
 */
function placeOf({ salt }: KeyRing, use: 'key' | 'session', secret: string): string {
  return hash('sha256', `${salt} ${use} ${secret}`, 'base64url');
}

/** What is looked up: the hash of a key, and the workspace that it names. */
interface KeyLook {
  readonly stored: string;
  readonly workspaceId: string | null;
  readonly inTurn: InTurn;
}

async function lookUp(
  database: Database,
  { stored, workspaceId, inTurn }: KeyLook,
  now: Date,
  onRevoked: OnRevoked,
): Promise<KeyAccount | null> {
  // A key of an earlier version doesn't name its workspace.
  const db = workspaceId ? inWorkspace(database, workspaceId) : acrossWorkspaces(database);
  const found = await inTurn(() => keyAccount(db, stored));
  if (!found || found.lapse || isPast(found.expiresAt, now)) return found;
  const minute = new Date(Math.floor(now.getTime() / 60_000) * 60_000);
  if (found.endsStartKeys) return noteFirstUse(database, found, minute, onRevoked);
  if (!found.lastUsedAt || found.lastUsedAt < minute) {
    await noteUse(inWorkspace(database, found.viewer.workspaceId), found, minute);
  }
  return found;
}

/**
 * Note the first use of a key before anything is answered to it, and revoke the keys that starts made
 * and no one has used: anyone who lost one has another now. Of two of them that are used at once, one
 * works, and the other was revoked by that. A key that was ever answered to is never revoked here.
 */
async function noteFirstUse(
  database: Database,
  account: KeyAccount,
  minute: Date,
  onRevoked: OnRevoked,
): Promise<KeyAccount | null> {
  const { keyId, viewer } = account;
  const { workspaceId } = viewer;
  const ctx = contextFor(database, serverViewer(workspaceId));
  return transaction(ctx, async (tx) => {
    await lockFirstUse(tx);
    const [key] = await rows<{ isRevoked: boolean }>(
      tx,
      Prisma.sql`select k.revoked_at is not null as "isRevoked" from api_key k
        where k.workspace_id = ${workspaceId}::uuid and k.id = ${keyId}::uuid`,
    );
    if (!key) return null;
    if (key.isRevoked) return { ...account, lapse: 'revoked' };
    await noteUse(tx, account, minute);
    const revoked = await rows<RevokedKey>(
      tx,
      Prisma.sql`update api_key set revoked_at = now()
        where workspace_id = ${workspaceId}::uuid and made_at_start
          and last_used_at is null and revoked_at is null
        returning id, name, user_id as "userId", revoked_at as "revokedAt"`,
    );
    await onRevoked(tx, revoked);
    return account;
  });
}

/**
 * Until the end of the transaction no key is used for the first time, on any process, and no start
 * makes one because none was used.
 */
export async function lockFirstUse(tx: Context): Promise<void> {
  await holdName(tx, 'headwater first admin');
}

/** Many processes may note the same minute: only the first writes. */
async function noteUse(db: Connection, { keyId, viewer }: KeyAccount, minute: Date): Promise<void> {
  const at = minute.toISOString();
  const { clientAddress } = currentSource();
  await execute(
    db,
    Prisma.sql`update api_key set last_used_at = ${at}::timestamptz, last_used_from = ${clientAddress}
      where workspace_id = ${viewer.workspaceId}::uuid and id = ${keyId}::uuid
        and (last_used_at is null or last_used_at < ${at}::timestamptz)`,
  );
}

function isPast(time: Date | null, now: Date): boolean {
  return time !== null && time <= now;
}

function keyRing(database: Database): MaybePromise<KeyRing> {
  const opened = openedRing(database);
  if (opened.ring) return opened.ring;
  const opening = openRing(acrossWorkspaces(database));
  opened.ring = opening;
  opening.then(
    (ring) => {
      // The keys may have been reloaded.
      if (opened.ring === opening) opened.ring = ring;
    },
    () => {
      opened.ring = null;
    },
  );
  return opening;
}

async function openRing(db: Connection): Promise<KeyRing> {
  const salt = await pepperOf(db);
  const pepper = Buffer.from(salt, 'base64');
  const chosen = await rows<{ hash: string }>(
    db,
    Prisma.sql`select hash from api_key where prefix = ${chosenPrefix}`,
  );
  return {
    pepper,
    salt,
    chosen: new Set(chosen.map(({ hash }) => hash)),
    memory: new ViewerMemory(),
  };
}

/** The setting that holds the pepper. It is this installation's alone: it signs for all of its workspaces. */
export const pepperSetting = 'api_key_pepper';

/** The pepper of this installation; the first process that needs it makes it. */
async function pepperOf(db: Connection): Promise<string> {
  const name = pepperSetting;
  const made = randomBytes(32).toString('base64');
  // The update that changes nothing makes the row come back even where it was there already.
  const [row] = await rows<{ value: string }>(
    db,
    Prisma.sql`insert into setting (name, value) values (${name}, ${made})
      on conflict (name) do update set name = excluded.name returning value`,
  );
  if (!row) throw new Error('The setting api_key_pepper was neither found nor made.');
  return row.value;
}
