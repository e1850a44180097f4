// In charge of slow clients and quick ones at once, and of what became of both.

import { Beside } from '../beside.ts';
import { beSlow, type Fate, waysOf } from './socket.ts';

export interface SlowOptions {
  readonly address: string;
  /** A key of the slow clients. */
  readonly key: string;
  /** A key of those who are to be served meanwhile. */
  readonly otherKey: string;
  readonly sockets: number;
  /** Connections that are still open after so long count as open, in milliseconds. */
  readonly patienceMs: number;
}

export interface SlowReport {
  readonly fates: readonly Fate[];
  /** Requests of others that were answered meanwhile, and the slowest of their hundredth. */
  readonly others: number;
  readonly othersP99Ms: number;
  /** What went wrong for them. */
  readonly failures: readonly string[];
}

/** How long a slow connection may last, in milliseconds. */
const slowBarMs = 15_000;

/** Let slow clients, of all ways alike, hold connections while others ask. */
export async function runSlowSockets(options: SlowOptions): Promise<SlowReport> {
  const { address, key, otherKey, sockets, patienceMs } = options;
  const port = Number(new URL(address).port);
  const ways = waysOf(key);
  const others = new Beside(address, otherKey);
  const slow = Array.from({ length: sockets }, (_, n) => {
    const way = ways[n % ways.length];
    if (!way) throw new Error('There is no way of being slow.');
    return beSlow(port, way, patienceMs);
  });
  const fates = await Promise.all(slow);
  const { samples, failures } = await others.end();
  const p99 = Math.max(...[...samples.values()].map((of) => of.p99));
  const asked = [...samples.values()].reduce((sum, { count }) => sum + count, 0);
  return { fates, others: asked, othersP99Ms: p99, failures };
}

/** Connections that were held for longer than the bar allows. */
export function heldOf({ fates }: SlowReport): Fate[] {
  return fates.filter(({ closedMs }) => closedMs === null || closedMs > slowBarMs);
}

/** What became of each way of being slow, a line each, and of the others. */
export function slowInWords(report: SlowReport): string {
  const ways = new Map<string, Fate[]>();
  for (const fate of report.fates) {
    ways.set(fate.way.name, [...(ways.get(fate.way.name) ?? []), fate]);
  }
  const lines = [...ways].map(([name, fates]) => {
    const open = fates.filter(({ closedMs }) => closedMs === null).length;
    const slowest = Math.max(...fates.map(({ closedMs }) => closedMs ?? 0));
    const statuses = [...new Set(fates.map(({ status }) => status ?? 'no answer'))].join(', ');
    const still = open > 0 ? `, ${open} still open` : '';
    return `${name}: ${fates.length}, the slowest closed after ${(slowest / 1000).toFixed(1)} s${still}; answered ${statuses}`;
  });
  const { others, othersP99Ms, failures } = report;
  return [
    ...lines,
    `Others meanwhile: ${others} requests, ${failures.length} failed, p99 ${othersP99Ms.toFixed(0)} ms`,
    ...failures.slice(0, 5),
  ].join('\n');
}
