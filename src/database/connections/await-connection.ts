// Waits for a connection as long as it takes, for work whose answer no one waits for.

import { setTimeout as sleep } from 'node:timers/promises';
import { lacksConnection } from '../failure.ts';

/** How long to wait before the next try, where the server itself has no connection left. */
const pauseMs = 250;
/** A server that can't be reached for so long is not just busy. */
const maxSilenceMs = 60_000;

/**
 * Try something until it gets its connection. `mayRepeat` says whether nothing of it was done yet.
 * Throws what else goes wrong, and the reason of the signal once that aborts.
 */
export async function patiently<T>(
  { signal }: { readonly signal?: AbortSignal },
  attempt: () => Promise<T>,
  mayRepeat: () => boolean = () => true,
): Promise<T> {
  let silentSince = performance.now();
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      const lack = lacksConnection(error);
      if (lack === null || !mayRepeat()) throw error;
      if (lack === 'in use') silentSince = performance.now();
      else if (performance.now() - silentSince > maxSilenceMs) throw error;
      await sleep(pauseMs, undefined, signal ? { signal } : {}).catch(() => {});
      signal?.throwIfAborted();
    }
  }
}
