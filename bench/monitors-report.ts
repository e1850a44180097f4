// What the monitors bench prints: what was lost or done twice, how late, at what cost.

import { cpus, loadavg } from 'node:os';
import type pg from 'pg';
import type { Spent } from './monitors-settings.ts';

interface Fire {
  readonly monitor: string;
  /** When its job was made. */
  readonly fired: Date;
  /** When its job was first begun. */
  readonly begun: Date;
  /** When its value was read, which is after it was asked for. */
  readonly read: Date;
}

/** A job is to be made so soon after its instant, in all but one of a hundred. */
const maxLateMs = 1_000;

/**
 * Each measurement belongs to the instant after which its job was made. Answers how many there are, what of them
 * was lost or is there twice, and what came late.
 */
export async function report(
  all: pg.Pool,
  instants: readonly number[],
  roundMs: number,
): Promise<{ runs: number; faults: string[]; late: string[]; words: string }> {
  const { rows: fires } = await all.query<Fire>(
    `select x.monitor_id as monitor, j.created_at as fired, j.started_at as begun,
       x.created_at as read
     from measurement x join job j on j.workspace_id = x.workspace_id and j.id = x.job_id`,
  );
  const { rows: counted } = await all.query<{ n: number }>('select count(*)::int n from monitor');
  const seen = new Map<string, number>();
  const late = { fired: [] as number[], begun: [] as number[], read: [] as number[] };
  for (const { monitor, fired, begun, read } of fires) {
    const instant = instants.findLast((at) => at <= fired.getTime()) ?? 0;
    const key = `${monitor} ${instant}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    late.fired.push(fired.getTime() - instant);
    late.begun.push(begun.getTime() - instant);
    late.read.push(read.getTime() - instant);
  }
  const due = (counted[0]?.n ?? 0) * instants.length;
  const twice = [...seen.values()].filter((times) => times > 1).length;
  const behind = late.read.filter((ms) => ms > roundMs).length;
  const lateMs = shareOf(late.fired, 0.99);
  console.log(`made into jobs after the instant: ${shares(late.fired)}`);
  console.log(`begun after the instant, spread included: ${shares(late.begun)}`);
  console.log(`read after the instant, spread included: ${shares(late.read)}`);
  console.log(`read only after the next instant: ${behind}`);
  const [load = 0] = loadavg();
  const words =
    `${due} due, ${due - seen.size} lost, ${twice} measured twice, jobs made ${lateMs} ms late at p99; ` +
    `load ${load.toFixed(1)} on ${cpus().length} cores`;
  const faults = [
    ...(due > 0 ? [] : ['Nothing was due.']),
    ...(seen.size === due ? [] : [`${due - seen.size} were lost.`]),
    ...(twice === 0 ? [] : [`${twice} were measured twice.`]),
  ];
  const isLate = !(lateMs <= maxLateMs);
  const slow = isLate ? [`Of a hundred one was made into a job ${lateMs} ms late.`] : [];
  return { runs: fires.length, faults, late: slow, words };
}

function shares(ms: readonly number[]): string {
  const share = (part: number) => shareOf(ms, part);
  return `p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, most ${share(1)} ms`;
}

function shareOf(ms: readonly number[], part: number): number {
  const sorted = [...ms].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
}

/** What a run took of the workers, and how busy the machine was with everything. */
export function reportCost(spent: Spent, runs: number, busy: Busy): void {
  const { cpuMs } = spent;
  const counts = new Map<string, number>();
  for (const [start, n] of spent.statements) counts.set(start, (counts.get(start) ?? 0) + n);
  const statements = [...counts.values()].reduce((sum, n) => sum + n, 0);
  console.log(
    `a run: ${(cpuMs / runs).toFixed(2)} ms of the workers' CPU, ` +
      `${(statements / runs).toFixed(2)} statements to the catalog`,
  );
  const share = ({ busyMs, allMs }: Busy) => `${((100 * busyMs) / allMs).toFixed(0)} %`;
  console.log(
    `the machine's ${cpus().length} cores were busy ${share(busy)} of the time, the workers ` +
      `${share({ busyMs: cpuMs, allMs: busy.allMs })}`,
  );
  const most = [...counts].sort(([, a], [, b]) => b - a).slice(0, 12);
  for (const [start, n] of most) console.log(`  ${(n / runs).toFixed(3)} a run: ${start}`);
}

/** CPU time of the whole machine since it started, or between two moments. */
export interface Busy {
  readonly busyMs: number;
  readonly allMs: number;
}

/** How busy the machine was since a moment. */
export function busySince(before: Busy = { busyMs: 0, allMs: 0 }): Busy {
  let busyMs = -before.busyMs;
  let allMs = -before.allMs;
  for (const { times } of cpus()) {
    const busy = times.user + times.sys + times.nice + times.irq;
    busyMs += busy;
    allMs += busy + times.idle;
  }
  return { busyMs, allMs };
}
