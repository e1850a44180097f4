// Kills the server, its database, both, and everything, under writes and imports: `npm run gates -- kills`.
//
// Each round starts Headwater as a person does, lets clients write tags, tables, edits and edges over HTTP and
// import a file, kills with SIGKILL at a random moment, starts again at once, and looks for what was acknowledged
// and for what is half done. It has to be ready again within 10 s. `--rounds N` (default 50) and `--seed N` (1).

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { packagedUrl } from '../src/database/attach.ts';
import { killIfThere, processesOf, serversOn } from '../test/database/server/place.ts';
import { type Started, startScript } from '../test/started.ts';
import { randomFrom } from '../test/trials/random.ts';
import { type Left, lookAfter } from './kills/look.ts';
import { type Acknowledged, beginWriting } from './kills/writes.ts';
import { ofTime } from './times.ts';

const key = 'only-for-this-gate-only-for-this-gate';
const ways = ['headwater', 'database', 'both', 'everything'] as const;
const restartBarMs = 10_000;
/** What is not ready again by then hangs. */
const patienceMs = 300_000;

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  },
});

interface Round extends Left {
  readonly way: string;
  readonly acknowledged: Acknowledged;
  readonly restartMs: number;
}

const dataDir = mkdtempSync(join(tmpdir(), 'headwater-kills-'));
try {
  process.exitCode = await main();
} finally {
  for (const pid of everyProcess()) killIfThere(pid);
  rmSync(dataDir, { recursive: true, force: true });
}

async function main(): Promise<number> {
  const random = randomFrom(Number(given.seed));
  const rounds: Round[] = [];
  let server = start();
  for (let n = 0; n < Number(given.rounds); n += 1) {
    const way = ways[n % ways.length] ?? 'both';
    const { round, next } = await play(server, n, way, random.whole(0, 2_500));
    server = next;
    rounds.push(round);
    console.log(`round ${n + 1}: kill -9 of ${way}: ${inWords([round])}`);
  }
  await server.stop();
  const faults = rounds.reduce((sum, { lost, torn }) => sum + total(lost) + total(torn), 0);
  const late = rounds.filter(({ restartMs }) => restartMs > restartBarMs);
  const slow = late.map(
    ({ way, restartMs }) => `After ${way} it was ready only ${restartMs} ms later.`,
  );
  const counted = ofTime(slow);
  for (const one of counted) console.log(one);
  console.log(
    `${rounds.length} kills: ${inWords(rounds)}; load ${loadavg()[0]?.toFixed(1)} on ` +
      `${availableParallelism()} cores`,
  );
  return rounds.length > 0 && faults + counted.length === 0 ? 0 : 1;
}

function start(): Started {
  return startScript('start.mjs', { DATA_DIR: dataDir, ADMIN_API_KEY: key, LOG_LEVEL: 'error' });
}

async function play(server: Started, n: number, way: string, afterMs: number) {
  const address = await server.ready();
  const writing = await beginWriting(address, key, `round ${n}`);
  await writing.begun();
  await sleep(afterMs);
  const before = servers();
  writing.endImports();
  kill(server.child.pid ?? 0, way);
  const killedAt = performance.now();
  let next = server;
  if (way !== 'database') {
    await server.ended;
    next = start();
  }
  const again = way === 'database' ? address : await next.ready();
  await untilAnswered(again, before);
  const restartMs = Math.round(performance.now() - killedAt);
  await writing.end();
  const { acknowledged, integration } = writing;
  const place = { url: packagedUrl(dataDir), address: again, key, integration };
  const round: Round = { ...(await lookAfter(place, acknowledged)), way, acknowledged, restartMs };
  return { round, next };
}

function servers(): number[] {
  return serversOn(join(dataDir, 'postgres-18'));
}

function everyProcess(): number[] {
  return processesOf(join(dataDir, 'postgres-18'));
}

function kill(pid: number, way: string): void {
  const all = everyProcess();
  const [postmaster = 0] = servers();
  if (way === 'headwater' || way === 'both') killIfThere(pid);
  if (way === 'database' || way === 'both') killIfThere(postmaster);
  if (way === 'everything') for (const one of [pid, ...all]) killIfThere(one);
}

/** Wait until it is ready; PostgreSQL's processes outlive the first of them by a moment, in which they answer. */
async function untilAnswered(address: string, before: readonly number[]): Promise<void> {
  for (const until = performance.now() + patienceMs; performance.now() < until; ) {
    if (!servers().some((pid) => before.includes(pid))) {
      const response = await fetch(`${address}/readyz`).catch(() => null);
      await response?.text();
      if (response?.status === 200) return;
    }
    await sleep(10);
  }
  throw new Error(`It is not ready ${patienceMs / 1_000} s after it was killed.`);
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, n) => sum + n, 0);
}

/** What was acknowledged in rounds, lost, half done, and how late they went on. */
function inWords(rounds: readonly Round[]): string {
  const sums = (of: (round: Round) => Readonly<Record<string, number>>) => {
    const all = new Map<string, number>();
    for (const [name, n] of rounds.flatMap((round) => Object.entries(of(round)))) {
      all.set(name, (all.get(name) ?? 0) + n);
    }
    return [...all];
  };
  const named = (counts: readonly (readonly [string, number])[]) =>
    counts.map(([name, n]) => `${n} ${name}`).join(', ');
  const [done, lost, torn] = [
    sums(({ acknowledged: { tags, edits, edges, imports } }) => ({
      ...{ tags: tags.length, edits: edits.length, edges: edges.length, imports: imports.length },
    })),
    sums((one) => one.lost),
    sums((one) => one.torn),
  ];
  const wrong = (counts: readonly (readonly [string, number])[]) => {
    const only = counts.filter(([, n]) => n > 0);
    return only.length === 0 ? '0' : named(only);
  };
  const slowest = Math.max(...rounds.map(({ restartMs }) => restartMs));
  return (
    `${named(done)} acknowledged, ${wrong(lost)} lost, ${wrong(torn)} half done; ready again after ` +
    `${slowest} ms at most`
  );
}
