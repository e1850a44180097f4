// In charge of whether the server can do its work.

import type { Database } from './database/database.ts';

/** How long a readiness check waits for the database. */
const patienceMs = 2_000;

/** Whether the database answers. It was migrated before the server began to listen. */
export async function isReady(database: Database): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), patienceMs).unref();
  });
  const answer = database.pool.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]);
}
