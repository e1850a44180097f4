// Lets PostgreSQL go away under load, by a restart and behind a black hole: `npm run gate:away`.
//
// The server reaches its PostgreSQL through a proxy. While people write and read, PostgreSQL is restarted; then
// the proxy swallows every byte for half a minute, in which each request has to be answered with 503 within 5 s;
// then it lets them through again, and within 5 s a write has to succeed. The process has to live, and all that
// it acknowledged has to be there. `--seconds N` (default 30) is how long the hole is there.

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

const key = 'only-for-this-gate-only-for-this-gate';
const barMs = 5_000;
/** Where somebody waits longer than this, it is not waited on. */
const patienceMs = 20_000;
const awayMs = 3_000;

const asks = [
  ['GET', '/api/v1/tag?page_size=5'],
  ['POST', '/api/v1/tag', JSON.stringify({ name: 'in the hole' })],
  ['POST', '/graphql', JSON.stringify({ query: '{ tags(first: 1) { nodes { id } } }' })],
  ['GET', '/readyz'],
] as const;

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
  const busy = await keepBusy(address, key);
  await sleep(2_000);
  await cluster.stop();
  await sleep(awayMs);
  cluster.launch();
  await cluster.answers();
  const restart = await untilWritten(address);
  if (restart > barMs) faults.push(`A write succeeded only ${inSeconds(restart)} after a restart.`);
  const receives = await busy.receives();
  if (!receives) faults.push('The subscription did not receive again after the restart.');

  // Before the hole: whoever asks in it has a key of their own, whose turns nobody else takes.
  const keys = await makeKeys(address, asks.length);
  proxy.swallow();
  const { count, slowest, wrong } = await askIntoTheHole(
    address,
    keys,
    Number(given.seconds) * 1_000,
  );
  faults.push(...wrong.slice(0, 5));
  proxy.resume();
  const hole = await untilWritten(address);
  if (hole > barMs) faults.push(`A write succeeded only ${inSeconds(hole)} after the hole.`);
  if (!(await busy.receives()))
    faults.push('The subscription did not receive again after the hole.');
  await busy.stop();
  const lost = await lostOf(busy.noted, cluster.url);
  faults.push(...lost.map((name) => `Lost, though acknowledged: ${name}`));
  faults.push(...busy.noted.surprises.slice(0, 5));
  if (started.child.exitCode !== null) faults.push('The process ended.');
  for (const fault of faults) console.log(fault);
  const [load = 0] = loadavg();
  console.log(
    `Written again ${inSeconds(restart)} after a restart. A hole of ${given.seconds} s: ${count} requests, the ` +
      `slowest refused after ${inSeconds(slowest)}, ${wrong.length} wrongly; written again ${inSeconds(hole)} ` +
      `after it. ${busy.noted.tags.length} writes acknowledged, ${lost.length} lost. ` +
      `Load ${load.toFixed(1)} on ${availableParallelism()} cores.`,
  );
  return faults.length === 0 ? 0 : 1;
}

/** Ask by several ways for so long: how many were answered, how late, and which not with 503. */
async function askIntoTheHole(address: string, keys: readonly string[], ms: number) {
  const times: number[] = [];
  const wrong: string[] = [];
  const until = performance.now() + ms;
  await Promise.all(
    asks.map(async ([method, path, body], n) => {
      while (performance.now() < until) {
        const { status, said, tookMs } = await ask(address, keys[n] ?? key, method, path, body);
        times.push(tookMs);
        if (tookMs > barMs) wrong.push(`${method} ${path} waited ${inSeconds(tookMs)}: ${status}`);
        const isRefused = status === 503 || (path === '/graphql' && said.includes('UNAVAILABLE'));
        if (!isRefused)
          wrong.push(`${method} ${path} in the hole: ${status} ${said.slice(0, 200)}`);
        await sleep(100);
      }
    }),
  );
  return { count: times.length, slowest: Math.max(...times), wrong };
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
