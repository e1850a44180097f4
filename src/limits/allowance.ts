// What a request is given to do its work with.

import type { Lane } from '../async/semaphore.ts';
import type { Budget } from '../database/connections/budget.ts';
import type { Pace } from './pace.ts';

/** What one request may take. */
export interface Allowance {
  /** Of the database. */
  readonly budget: Budget;
  /** Of the main thread; null where an answer is built in one piece. */
  readonly pace: Pace | null;
  /** Of the threads for long calculations: places for all requests with the same key. */
  readonly threads: Lane;
}

/** Do long work in a thread when it is the key's turn: of one key there is one at a time. */
export async function inThread<T>(
  { allowance, signal }: { allowance: Allowance | null; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  if (!allowance) return work();
  const leave = await allowance.threads.enter(signal);
  try {
    return await work();
  } finally {
    leave();
  }
}
