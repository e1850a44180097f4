// In charge of what waits for a server that restarts.

import { isPassing } from './refused.ts';

const againMs = 1_000;

/** Try until the server answers: it may be starting. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}
