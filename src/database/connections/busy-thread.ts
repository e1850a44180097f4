// Distinguishes a server that does not answer from a thread that is too busy to notice it.

import { performance } from 'node:perf_hooks';

/**
 * A thread that worked for so much of the time may have had an answer lying there all along: its timers
 * come before what arrived in the meantime. Loading the program on a machine with little to spare takes seconds.
 */
const busyShare = 0.8;

/** Begin to watch this thread; the returned function says whether it has hardly rested since. */
export function watchThread(): () => boolean {
  const before = performance.eventLoopUtilization();
  return () => performance.eventLoopUtilization(before).utilization > busyShare;
}
