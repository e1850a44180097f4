// Reads how much CPU time processes took, from what the operating system counts.

import { readdirSync, readFileSync } from 'node:fs';

interface Stat {
  readonly parent: number;
  readonly name: string;
  readonly cpuSeconds: number;
}

/** What `/proc` says of a process; null where it is gone. */
function statOf(pid: number): Stat | null {
  try {
    const [before = '', after = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(
      /\) (?!.*\) )/,
    );
    const fields = after.split(' ');
    // utime, stime and those of children that ended, in ticks of 10 ms.
    const ticks = [11, 12, 13, 14].reduce((sum, at) => sum + Number(fields[at]), 0);
    const name = before.slice(before.indexOf('(') + 1);
    return { parent: Number(fields[1]), name, cpuSeconds: ticks / 100 };
  } catch {
    return null;
  }
}

function allStats(): Map<number, Stat | null> {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return new Map(pids.map((pid) => [pid, statOf(pid)]));
}

/** CPU time of a process until now, and of children of it that have ended, in seconds. */
export function cpuOf(pid: number): number {
  return statOf(pid)?.cpuSeconds ?? 0;
}

/** CPU time of a process and of all that it started, and that they started, in seconds. */
export function cpuBelow(pid: number): number {
  const stats = allStats();
  const isBelow = (one: number): boolean =>
    one === pid || (one > 1 && isBelow(stats.get(one)?.parent ?? 0));
  return [...stats].reduce(
    (sum, [one, stat]) => sum + (isBelow(one) ? (stat?.cpuSeconds ?? 0) : 0),
    0,
  );
}

/** The process of this name that a process started, itself or by another; null where there is none. */
export function childOf(pid: number, name: string): number | null {
  const stats = allStats();
  const isBelow = (one: number): boolean =>
    one === pid || (one > 1 && isBelow(stats.get(one)?.parent ?? 0));
  const found = [...stats].find(([one, stat]) => stat?.name === name && isBelow(one));
  return found?.[0] ?? null;
}
