// How much a start costs until /readyz answers, and what the server and its database hold when idle.
//
//   npm run bench -- start [--rounds 7] [--idle 10]
//
// Each round starts the built server on a new folder and then again on that folder. The CPU time is the
// main process's with its threads: on a machine that is shared it says more than the time on the clock.

import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../scripts/free-port.mjs';
import { startScript } from '../test/started.ts';

const { values: options } = parseArgs({
  options: {
    rounds: { type: 'string', default: '7' },
    idle: { type: 'string', default: '10' },
  },
});
const idleMs = Number(options.idle) * 1000;

interface Start {
  /** From the command to the answer of /readyz. */
  readonly ms: number;
  readonly cpuMs: number;
  /** Processes that the server and its database run as, and their share of memory when idle. */
  readonly idle?: { readonly processes: number; readonly megabytes: number };
}

const first: Start[] = [];
const again: Start[] = [];
for (let round = 0; round < Number(options.rounds); round += 1) {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
  try {
    first.push(await start(dataDir, false));
    again.push(await start(dataDir, round === 0));
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
report('first start', first);
report('restart', again);
const idle = again.find((one) => one.idle !== undefined)?.idle;
if (idle) console.log(`idle: ${idle.megabytes.toFixed(0)} MB in ${idle.processes} processes`);

async function start(dataDir: string, untilIdle: boolean): Promise<Start> {
  const port = await freePort();
  const began = performance.now();
  const started = startScript('start.mjs', { DATA_DIR: dataDir, PORT: String(port) });
  const pid = started.child.pid ?? 0;
  try {
    while (!(await isReady(port))) {
      if (started.child.exitCode !== null) throw new Error(started.output());
      await sleep(2);
    }
    const [ms, cpuMs] = [performance.now() - began, cpuMsOf(pid)];
    if (!untilIdle) return { ms, cpuMs };
    await sleep(idleMs);
    return { ms, cpuMs, idle: memoryOf(pid) };
  } finally {
    await started.stop();
  }
}

function isReady(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    get({ port, host: '127.0.0.1', path: '/readyz', agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    }).once('error', () => resolve(false));
  });
}

/** User and system time of a process with its threads; the kernel counts it in 10 ms. */
function cpuMsOf(pid: number): number {
  const fields = statOf(pid);
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

/** The fields of /proc/PID/stat from the third, the state, on. */
function statOf(pid: number): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** What a process and all that descend from it hold; pages that several share are counted once. */
function memoryOf(root: number): { processes: number; megabytes: number } {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    const parent = unlessEnded(() => Number(statOf(Number(name))[1]));
    if (parent !== undefined) parents.set(Number(name), parent);
  }
  const family = [root];
  for (const pid of family) {
    for (const [child, parent] of parents) if (parent === pid) family.push(child);
  }
  const kilobytes = family.flatMap((pid) => {
    const text = unlessEnded(() => readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'));
    return text === undefined ? [] : [Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1])];
  });
  return {
    processes: kilobytes.length,
    megabytes: kilobytes.reduce((sum, one) => sum + one, 0) / 1024,
  };
}

/** What a process says of itself, or nothing when it ended while the list was read. */
function unlessEnded<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function report(what: string, starts: readonly Start[]): void {
  const times = (pick: (one: Start) => number): string => {
    const sorted = starts.map(pick).sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
    return `${(middle / 1000).toFixed(2)} s (least ${((sorted[0] ?? 0) / 1000).toFixed(2)} s)`;
  };
  console.log(`${what}: CPU ${times((one) => one.cpuMs)}, clock ${times((one) => one.ms)}`);
}
