// Killing a database under writes, in every way in which its processes can be killed.

import { killIfThere, type Place } from './place.ts';

/** Which processes are killed at once. */
export const ways = ['headwater', 'database', 'both', 'everything'] as const;
export type Way = (typeof ways)[number];

export interface Killed {
  /** Writes that were acknowledged in this round. */
  readonly acknowledged: number;
  /** Milliseconds from the kill until the next process had the folder and its database. */
  readonly restartMs: number;
}

/**
 * Let a process write, kill, and start the next one at once. Throws where an acknowledged write is
 * lost or one is half done.
 */
export async function killUnderWrites(place: Place, way: Way, writes: number): Promise<Killed> {
  const writer = place.writer();
  await writer.line('begin');
  writer.go();
  await writer.line('ready');
  const before = lastOf(writer.lines);
  while (writtenBy(writer.lines).length < writes) await pause();
  kill(place, writer.pid, way);
  const killedAt = performance.now();
  if (way === 'database') {
    // Headwater lives, and starts its database again.
    const count = writtenBy(writer.lines).length;
    while (writtenBy(writer.lines).length < count + 2) await pause();
    const restartMs = performance.now() - killedAt;
    await writer.kill();
    return { ...(await check(place, writtenBy(writer.lines), before)), restartMs };
  }
  await writer.ended;
  const next = place.writer();
  await next.line('begin');
  const startedAt = performance.now();
  next.go();
  await next.line('ready');
  const restartMs = performance.now() - startedAt;
  await next.kill();
  return { ...(await check(place, writtenBy(writer.lines), before)), restartMs };
}

function kill(place: Place, pid: number, way: Way): void {
  const servers = place.servers();
  const [postmaster] = servers;
  if (postmaster === undefined) throw new Error('No server is running.');
  if (way === 'headwater' || way === 'both') killIfThere(pid);
  if (way === 'database' || way === 'both') killIfThere(postmaster);
  if (way === 'everything')
    for (const one of [pid, ...place.watchers(), ...servers]) killIfThere(one);
}

async function check(place: Place, acknowledged: number[], before: number) {
  const there = new Set(await place.written());
  const lost = acknowledged.filter((n) => !there.has(n));
  if (lost.length > 0) throw new Error(`Lost after ${before}: ${lost}`);
  return { acknowledged: acknowledged.length };
}

function writtenBy(lines: readonly string[]): number[] {
  return lines.flatMap((line) => (line.startsWith('wrote ') ? [Number(line.slice(6))] : []));
}

function lastOf(lines: readonly string[]): number {
  return writtenBy(lines).at(-1) ?? -1;
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 5));
}
