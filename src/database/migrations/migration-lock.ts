// The lock of migrations: who changes the tables has it alone, who needs them to stay as they are shares it.

import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';

/** The advisory lock; the number is ours alone. */
export const migrationLock = 72_707_369;

const pauseMs = 200;

/**
 * Take the lock for the session of a connection; false where others had it for all of `limitMs`. It is asked for again
 * and again: an index that is built concurrently waits for every statement that is under way, one that waits for the
 * lock included.
 */
export async function takeMigrationLock(
  client: pg.ClientBase,
  how: 'shared' | 'alone',
  limitMs = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const lock = how === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock';
  const until = performance.now() + limitMs;
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>(`select ${lock}($1) as taken`, [
      migrationLock,
    ]);
    if (rows[0]?.taken) return true;
    if (performance.now() > until) return false;
    await sleep(pauseMs);
  }
}

/** Let no one change the tables until the end of the transaction that is open. */
export async function shareMigrationLock(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_xact_lock_shared($1)', [migrationLock]);
}

/** Give the lock back that was taken alone. */
export async function releaseMigrationLock(client: pg.ClientBase): Promise<void> {
  await client.query('select pg_advisory_unlock($1)', [migrationLock]);
}
