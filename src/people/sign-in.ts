// Sign-in by key, and the audit entries for what its first use ends.

import { type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import { recordAll } from '../audit/audit.ts';
import { changesOf } from '../audit/changes.ts';
import { findHolder, type RevokedKey } from '../auth/authentication.ts';
import { type LapsedKey, viewerIn } from '../auth/lapsed-key.ts';
import type { Viewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';

/**
 * The viewer that a key acts for, or null for one that is forged, unknown, expired or revoked, or whose
 * user was deactivated. Its first use revokes the keys that starts made and no one has used.
 */
export function viewerOfKey(
  database: Database,
  key: string,
  now: Date,
): MaybePromise<Viewer | null> {
  return whenReady(holderOfKey(database, key, now), viewerIn);
}

/** The same, but of a key that worked once, whom it acted for and why it doesn't any more. */
export function holderOfKey(
  database: Database,
  key: string,
  now: Date,
): MaybePromise<Viewer | LapsedKey | null> {
  return findHolder(database, key, now, recordRevoked);
}

/** Each has an entry of its own, by the server: no one asked for it. */
async function recordRevoked(tx: Context, keys: readonly RevokedKey[]): Promise<void> {
  await recordAll(
    tx,
    keys.map(({ id, name, userId, revokedAt }) => ({
      activity: 'api_key_revoked' as const,
      subject: { id, kind: 'api_key', title: name },
      related: { ids: [userId], type: 'user' },
      changes: changesOf({ revokedAt: null }, { revokedAt }),
      says: `Headwater revoked the API key ${name}, which a start made and was never used, since another key is in use`,
    })),
  );
}
