// In charge of who goes first where there are fewer processors than work: the thread that serves everybody.

import { readlinkSync } from 'node:fs';
import { setPriority } from 'node:os';

/** As far behind, in the steps of `nice(1)`, of which the last is 19. */
const steps = 5;

/**
 * Let all other threads of this process go before the one that calls this: it works for one request, and the main
 * thread for all. Linux has priorities of threads; elsewhere nothing happens.
 */
export function goAfterOthers(): void {
  try {
    // Where priorities are those of processes, Linux takes the number of a thread.
    const thread = Number(readlinkSync('/proc/thread-self').split('/').at(-1));
    if (thread > 0) setPriority(thread, steps);
  } catch {
    // Without priorities all is done as well, only later.
  }
}
