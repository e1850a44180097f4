// What balancers are told: whether the server is alive, and whether it can do its work.

import type { ServerResponse } from 'node:http';
import { type Database, ofDatabase } from '../database/database.ts';
import { retryAfterSeconds } from '../errors.ts';

/** How long a readiness check waits for the database. */
const patienceMs = 2_000;

/** Checks under way: anyone who asks in the meantime is answered with them, so that any number of them cost one statement. */
const checkOf = ofDatabase((): { running: Promise<boolean> | null } => ({ running: null }));

/** Whether the database answers. It was migrated before the program was handed requests. */
export function isReady(database: Database): Promise<boolean> {
  const check = checkOf(database);
  check.running ??= ask(database).finally(() => {
    check.running = null;
  });
  return check.running;
}

async function ask(database: Database): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), patienceMs).unref();
  });
  const answer = database.pool.query('select 1').then(
    () => true,
    () => false,
  );
  return Promise.race([answer, late]);
}

/** Answer a check of the server's health; anyone who is told 503 is told when to ask again. */
export function sayHealth(response: ServerResponse, status: 200 | 503, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    ...(status === 503 ? { 'retry-after': String(retryAfterSeconds) } : {}),
  });
  response.end(JSON.stringify({ status: text }));
}
