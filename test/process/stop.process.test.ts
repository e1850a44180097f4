// How the server stops: told by a person, a service manager, or npm; at once, or after it was drained.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { type ClientRequest, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { freePort } from '../../scripts/free-port.mjs';
import { openTestDatabase, type TestDatabase } from '../database.ts';
import { type Started, startProgram, startScript } from '../started.ts';

let dataDir: string;
let opened: TestDatabase | null = null;
let runs: Started[] = [];
beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'headwater-stop-'));
  if (process.env.DATABASE_URL) opened = await openTestDatabase();
});
afterEach(async () => {
  for (const started of runs) await started.stop('SIGKILL');
  runs = [];
  await opened?.[Symbol.asyncDispose]();
  opened = null;
  rmSync(dataDir, { recursive: true, force: true });
});

function settings(env: Record<string, string>): Record<string, string> {
  const database: Record<string, string> = opened?.url ? { DATABASE_URL: opened.url } : {};
  return { DATA_DIR: dataDir, ...database, ...env };
}

function start(env: Record<string, string> = {}): Started {
  const started = startScript('start.mjs', settings(env));
  runs.push(started);
  return started;
}

/** A write whose body comes in two parts. */
interface Slow {
  /** Send the rest; the status of the answer, and its header `Connection`. */
  finish(): Promise<{ status: number | undefined; connection: string | undefined; body: string }>;
}

async function startWrite(base: string, key: string, name: string): Promise<Slow> {
  const body = JSON.stringify({ name });
  const sending: ClientRequest = request(`${base}/api/v1/tag/tags`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'content-length': body.length,
      connection: 'keep-alive',
    },
  });
  const answer = new Promise<IncomingMessage>((resolve, reject) => {
    sending.once('response', resolve);
    sending.once('error', reject);
  });
  answer.catch(() => {});
  await new Promise<void>((resolve) => sending.write(body.slice(0, 5), () => resolve()));
  // Time for the server to take the first part.
  await sleep(200);
  return {
    async finish() {
      sending.end(body.slice(5));
      const response = await answer;
      const { statusCode: status, headers } = response;
      return { status, connection: headers.connection, body: await text(response) };
    },
  };
}

const readiness = async (base: string) => (await fetch(`${base}/readyz`)).status;
const isRefused = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(false));
    socket.once('error', () => resolve(true)).once('connect', () => socket.destroy());
  });

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s to npm ends the server, with code 0 and its port freed',
  async (signal) => {
    const port = await freePort();
    const started = startProgram('npm', ['start'], settings({ PORT: String(port) }));
    runs.push(started);
    const base = await started.ready();
    const slow = await startWrite(base, await started.key(), 'under way');
    started.child.kill(signal);
    await expect.poll(() => isRefused(port)).toBe(true);
    expect(await slow.finish()).toMatchObject({ status: 201, connection: 'close' });
    expect(await started.ended).toBe(0);
    // What npm started is gone as well: its output, which it had inherited, has ended.
    expect(await isRefused(port)).toBe(true);
  },
);

test('drained, it says so and goes on to serve, until its time is over', async () => {
  const started = start({ DRAIN_SECONDS: '4' });
  const base = await started.ready();
  const key = await started.key();
  const before = await startWrite(base, key, 'before');
  expect(await readiness(base)).toBe(200);
  const asked = performance.now();
  started.child.kill('SIGTERM');
  await expect.poll(() => readiness(base), { timeout: 3_000, interval: 20 }).toBe(503);
  expect((await fetch(`${base}/healthz`)).status).toBe(200);
  expect(await before.finish()).toMatchObject({ status: 201, connection: 'close' });
  const during = await startWrite(base, key, 'during');
  expect(await during.finish()).toMatchObject({ status: 201, connection: 'close' });
  const last = await startWrite(base, key, 'last');
  const port = Number(new URL(base).port);
  await expect.poll(() => isRefused(port), { timeout: 20_000 }).toBe(true);
  expect(performance.now() - asked).toBeGreaterThan(4_000);
  expect(await last.finish()).toMatchObject({ status: 201, connection: 'close' });
  expect(await started.ended).toBe(0);
});

/** Longer than any test may last: what drains never ends by itself. */
const endlessly = { DRAIN_SECONDS: '3600' };

test('SIGINT does not drain', async () => {
  const started = start(endlessly);
  await started.ready();
  expect(await started.stop('SIGINT')).toBe(0);
});

test('a second signal ends the draining, and a third what is under way', async () => {
  const started = start(endlessly);
  const base = await started.ready();
  const port = Number(new URL(base).port);
  const slow = await startWrite(base, await started.key(), 'cut');
  started.child.kill('SIGTERM');
  // It has to have received one signal before the next one can be another.
  await expect.poll(() => readiness(base)).toBe(503);
  await sleep(700);
  expect(await isRefused(port)).toBe(false);
  started.child.kill('SIGTERM');
  await expect.poll(() => isRefused(port)).toBe(true);
  await sleep(700);
  expect(started.child.exitCode).toBeNull();
  started.child.kill('SIGTERM');
  expect(await started.ended).toBe(1);
  await expect(slow.finish()).rejects.toThrow();
});

test('a signal that comes twice at once is one: a terminal and npm both send it', async () => {
  const started = start();
  const base = await started.ready();
  const slow = await startWrite(base, await started.key(), 'kept');
  started.child.kill('SIGINT');
  await sleep(100);
  started.child.kill('SIGINT');
  await sleep(700);
  expect(await slow.finish()).toMatchObject({ status: 201 });
  expect(await started.ended).toBe(0);
});

test('Ctrl+C, which reaches everything that npm started, cuts nothing that is under way', async () => {
  // A session of its own, as a terminal has one: `setsid` becomes npm.
  const started = startProgram('setsid', ['npm', 'start'], settings({}));
  runs.push(started);
  const base = await started.ready();
  const key = await started.key();
  const slow = await startWrite(base, key, 'kept');
  process.kill(-(started.child.pid ?? 0), 'SIGINT');
  await sleep(1_000);
  expect(await slow.finish()).toMatchObject({ status: 201 });
  expect(await started.ended).toBe(0);
  const again = start();
  const answer = await fetch(`${await again.ready()}/api/v1/tag`, {
    headers: { authorization: `Bearer ${key}` },
  });
  expect(await answer.text()).toContain('"kept"');
});

test('connections that no one uses do not keep it from stopping', async () => {
  const started = start();
  const base = await started.ready();
  const { port } = new URL(base);
  // One that never sent anything, one in the middle of its headers, one that was answered.
  const silent = connect(Number(port), '127.0.0.1');
  const partly = connect(Number(port), '127.0.0.1');
  partly.write('GET /healthz HTTP/1.1\r\nHost: x\r\n');
  for (const socket of [silent, partly]) socket.on('error', () => {});
  await readiness(base);
  await sleep(200);
  // With 1 it would end where it has to cut something, and in half a minute.
  expect(await started.stop()).toBe(0);
});

test('a signal during the start ends it at once, and the next start finds all it needs', async () => {
  for (const delayMs of [300, 700, 1_100]) {
    const started = start();
    await sleep(delayMs);
    const code = await started.stop();
    // Before any of our code has run, the signal itself ends the process.
    expect([0, null]).toContain(code);
  }
  const started = start();
  await started.ready();
  expect(await started.stop()).toBe(0);
});

test('as the first process of a container, npm passes a signal on', async ({ skip }) => {
  const namespace = ['--pid', '--fork', '--mount-proc', '--kill-child'];
  const probe = spawnSync('unshare', [...namespace, 'true']);
  if (probe.status !== 0) return skip('It needs `unshare`, and the right to make namespaces.');
  const started = startProgram('unshare', [...namespace, 'npm', 'start'], settings({}));
  runs.push(started);
  const base = await started.ready();
  const { pid } = started.child;
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
  process.kill(Number(children), 'SIGTERM');
  expect(await started.ended).toBe(0);
  expect(await isRefused(Number(new URL(base).port))).toBe(true);
});
