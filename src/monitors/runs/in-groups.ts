// Hands on things that come one by one in groups, while the next ones come.

import { setTimeout as sleep } from 'node:timers/promises';

/** So many are handed on together at most. */
const maxGroup = 20;
/** How long the first of a group waits for others: a moment, for the next one may be slow to come. */
const gatherMs = 100;

/**
 * Hand on what comes in groups, one after the other: what comes while a group is handled is the next
 * one. What either side throws ends both and is thrown on.
 */
export async function inGroups<T>(
  things: AsyncIterable<T>,
  handle: (group: readonly T[]) => Promise<void>,
): Promise<void> {
  const waiting: T[] = [];
  const failures: unknown[] = [];
  const over = new AbortController();
  let handling: Promise<void> | null = null;

  async function handleWaiting(): Promise<void> {
    try {
      await sleep(gatherMs, undefined, { signal: over.signal }).catch(() => {});
      while (waiting.length > 0) await handle(waiting.splice(0, maxGroup));
    } catch (error) {
      failures.push(error);
    } finally {
      // In the same step as the last look at what waits: what comes after starts again.
      handling = null;
    }
  }

  try {
    for await (const thing of things) {
      if (failures.length > 0) break;
      waiting.push(thing);
      handling ??= handleWaiting();
    }
  } catch (error) {
    waiting.length = 0;
    throw error;
  } finally {
    over.abort();
    // A group that is being handled is never left alone.
    await handling;
  }
  if (failures.length > 0) throw failures[0];
}
