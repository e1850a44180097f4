// Lets PostgreSQL go away under load, by a restart and behind a black hole: `npm run gates -- away`.
//
// The server reaches its PostgreSQL through a proxy. While people write and read, PostgreSQL is restarted: each
// request has to be done, or answered with 503, within 5 s. Then the proxy swallows every byte for half a minute, in
// which each has to be answered with 503 within 5 s; then it lets them through again, and within 5 s a write has to
// succeed. The process has to live, and all that it acknowledged has to be there. `--seconds N` (default 30) is how
// long the hole is there.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { keepBusy, lostOf } from '../test/busy.ts';
import { type Cluster, openCluster } from '../test/cluster.ts';
import { openProxy, type Proxy as Way } from '../test/database/proxy.ts';
import { type Started, startScript } from '../test/started.ts';
import { keyOfNew } from './server.ts';
import { ofTime } from './times.ts';

const key = 'only-for-this-gate-only-for-this-gate';
const barMs = 5_000;
/** Where somebody waits longer than this, it is not waited on. */
const patienceMs = 20_000;
const awayMs = 3_000;

/** One of several ways of asking; `n` makes what is written another each time. */
type Asking = (n: string) => readonly [method: string, path: string, body?: string];

const asks: readonly Asking[] = [
  () => ['GET', '/api/v1/tag?page_size=5'],
  (n) => ['POST', '/api/v1/tag', JSON.stringify({ name: `asked ${n}` })],
  () => ['POST', '/graphql', JSON.stringify({ query: '{ tags(first: 1) { nodes { id } } }' })],
  () => ['GET', '/readyz'],
];

const { values: given } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });

process.exitCode = await main();

async function main(): Promise<number> {
  await using cluster = await openCluster();
  if (!cluster) {
    console.error('No PostgreSQL server is installed here.');
    return 1;
  }
  cluster.launch();
  await cluster.answers();
  await using proxy = await openProxy(cluster.url);
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-away-'));
  const env = {
    DATA_DIR: dataDir,
    DATABASE_URL: proxy.url,
    ADMIN_API_KEY: key,
    LOG_LEVEL: 'error',
  };
  const started = startScript('start.mjs', env);
  try {
    return await play(cluster, proxy, started);
  } finally {
    await started.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function play(cluster: Cluster, proxy: Way, started: Started): Promise<number> {
  const address = await started.ready();
  const faults: string[] = [];
  const late: string[] = [];
  const busy = await keepBusy(address, key);
  // Anyone who asks in the meantime has a key of their own, whose turns no one else takes.
  const keys = await makeKeys(address, asks.length);
  const written = async (when: string) => {
    const ms = await untilWritten(address);
    if (ms > patienceMs) faults.push(`No write succeeded ${when}.`);
    else if (ms > barMs) late.push(`A write succeeded only ${inSeconds(ms)} ${when}.`);
    if (!(await busy.receives())) faults.push(`The subscription did not receive again ${when}.`);
    return ms;
  };
  await sleep(2_000);
  const { asked: restarting, value: restart } = await askWhile(
    address,
    keys,
    'while it restarts',
    async () => {
      await cluster.stop();
      await sleep(awayMs);
      cluster.launch();
      await cluster.answers();
      return written('after the restart');
    },
  );
  if (restarting.refused === 0) faults.push('Nothing was refused while PostgreSQL was away.');

  proxy.swallow();
  const { asked: hole } = await askWhile(address, keys, 'in the hole', () =>
    sleep(Number(given.seconds) * 1_000),
  );
  if (hole.refused < hole.count) faults.push(`${hole.count - hole.refused} were done in the hole.`);
  proxy.resume();
  const after = await written('after the hole');
  await busy.stop();
  const lost = await lostOf(busy.noted, cluster.url);
  for (const { wrong, late: some } of [restarting, hole]) {
    faults.push(...wrong.slice(0, 5));
    late.push(...some.slice(0, 5));
  }
  faults.push(...lost.map((name) => `Lost, though acknowledged: ${name}`));
  faults.push(...busy.noted.surprises.slice(0, 5));
  if (busy.noted.tags.length === 0) faults.push('Nothing was acknowledged.');
  if (started.child.exitCode !== null) faults.push('The process ended.');
  faults.push(...ofTime(late));
  for (const fault of faults) console.log(fault);
  console.log(
    `Written again ${inSeconds(restart)} after a restart, ${inWords(restarting)} in it. A hole of ` +
      `${given.seconds} s: ${inWords(hole)}; written again ${inSeconds(after)} after it. ` +
      `${busy.noted.tags.length} writes acknowledged, ${lost.length} lost. ` +
      `Load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores.`,
  );
  return faults.length === 0 ? 0 : 1;
}

/** What those were answered who asked while something was going on. */
interface Asked {
  readonly count: number;
  readonly refused: number;
  readonly slowestMs: number;
  /** Answers that are neither a success nor 503, and what took longer than the bar. */
  readonly wrong: readonly string[];
  readonly late: readonly string[];
}

/** Ask by several ways for as long as something takes. */
async function askWhile<T>(
  address: string,
  keys: readonly string[],
  when: string,
  work: () => Promise<T>,
): Promise<{ asked: Asked; value: T }> {
  const [wrong, late]: [string[], string[]] = [[], []];
  let [count, refused, slowestMs] = [0, 0, 0];
  let isOver = false;
  const askOn = async (asking: Asking, at: number) => {
    for (let n = 0; !isOver; n += 1) {
      const [method, path, body] = asking(`${when} ${n}`);
      const { status, said, tookMs } = await ask(address, keys[at] ?? key, method, path, body);
      count += 1;
      slowestMs = Math.max(slowestMs, tookMs);
      if (tookMs > barMs) late.push(`${method} ${path} waited ${inSeconds(tookMs)} ${when}`);
      const isRefused =
        status === 503 || (path === '/graphql' && /UNAVAILABLE|OUTCOME_UNKNOWN/.test(said));
      if (isRefused) refused += 1;
      else if (status >= 300 || status === 0 || said.includes('"errors":')) {
        wrong.push(`${method} ${path} ${when}: ${status} ${said.slice(0, 200)}`);
      }
      await sleep(100);
    }
  };
  const asking = asks.map(askOn);
  const value = await work().finally(() => {
    isOver = true;
  });
  await Promise.all(asking);
  return { asked: { count, refused, slowestMs, wrong, late }, value };
}

function inWords({ count, refused, slowestMs, wrong }: Asked): string {
  return (
    `${count} requests, ${refused} refused, ${wrong.length} wrongly answered, the slowest answered after ` +
    inSeconds(slowestMs)
  );
}

/** How long it takes until a write succeeds, in milliseconds. */
async function untilWritten(address: string): Promise<number> {
  const began = performance.now();
  for (let n = 0; performance.now() - began < patienceMs; n += 1) {
    const name = `after ${began} ${n}`;
    const { status } = await ask(address, key, 'POST', '/api/v1/tag', JSON.stringify({ name }));
    if (status === 201) break;
    await sleep(50);
  }
  return performance.now() - began;
}

async function ask(address: string, key: string, method: string, path: string, body?: string) {
  const began = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const signal = AbortSignal.timeout(patienceMs);
  try {
    const response = await fetch(address + path, {
      method,
      headers,
      signal,
      ...(body ? { body } : {}),
    });
    const said = await response.text();
    return { status: response.status, said, tookMs: performance.now() - began };
  } catch (error) {
    return { status: 0, said: String(error), tookMs: performance.now() - began };
  }
}

/** Keys of people of their own, which have been used once. */
async function makeKeys(address: string, count: number): Promise<string[]> {
  const keys: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const user = { email: `${n}@example.com`, role: 'editor' } as const;
    const own = await keyOfNew(address, key, user);
    await ask(address, own, 'GET', '/api/v1/tag');
    keys.push(own);
  }
  return keys;
}

function inSeconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
