// Slow clients and quick ones at once, and of what became of both.

import { Beside, type Timing } from '../beside.ts';
import { beSlow, type Fate, waysOf } from './socket.ts';

export interface SlowOptions {
  readonly address: string;
  /** A key of the slow clients. */
  readonly key: string;
  /** A key of those who are to be served in the meantime. */
  readonly otherKey: string;
  readonly sockets: number;
  /** Connections that are still open after so long count as open, in milliseconds. */
  readonly patienceMs: number;
}

export interface SlowReport {
  readonly fates: readonly Fate[];
  /** How long others waited in the meantime, by what they asked for. */
  readonly others: ReadonlyMap<string, Timing>;
  /** What went wrong for them. */
  readonly failures: readonly string[];
}

/** How long a slow connection may last, and `/healthz` may take next to it, in milliseconds. */
const slowBarMs = 15_000;
const healthBarMs = 200;
/** What slow clients are told: that they were too slow, or that they have no key. */
const refusals = [408, 401];

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
  return { fates, others: samples, failures };
}

/** What is wrong whatever the machine does: connections that stay, other answers, others who failed. */
export function faultsOf({ fates, others, failures }: SlowReport): string[] {
  const open = fates.filter(({ closedMs }) => closedMs === null);
  const wrong = fates.filter(({ way, closedMs, status }) => {
    const isTold = way.isAnswered ? status !== null : refusals.includes(status ?? 0);
    return closedMs !== null && !isTold;
  });
  return [
    ...open.map(({ way }) => `${way.name}: still open`),
    ...wrong.map(({ way, status }) => `${way.name}: answered ${status ?? 'nothing'}`),
    ...(others.get('/healthz')?.count ? [] : ['Nobody asked for /healthz.']),
    ...failures,
  ];
}

/** Connections that were held for longer than the bar allows. */
export function heldOf({ fates }: SlowReport): Fate[] {
  return fates.filter(({ closedMs }) => closedMs === null || closedMs > slowBarMs);
}

/** What took longer than the bars allow. */
export function lateOf(report: SlowReport): string[] {
  const closed = heldOf(report).filter(({ closedMs }) => closedMs !== null);
  const health = report.others.get('/healthz')?.max ?? 0;
  return [
    ...closed.map(({ way, closedMs }) => `${way.name}: closed after ${inSeconds(closedMs ?? 0)}`),
    ...(health > healthBarMs ? [`/healthz took ${health.toFixed(0)} ms`] : []),
  ];
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
    return `${name}: ${fates.length}, the slowest closed after ${inSeconds(slowest)}${still}; answered ${statuses}`;
  });
  const others = [...report.others].map(
    ([name, { count, p99, max }]) =>
      `${name} ${count} times, p99 ${p99.toFixed(0)}, most ${max.toFixed(0)} ms`,
  );
  return [...lines, `Others meanwhile: ${others.join('; ')}`].join('\n');
}

function inSeconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
