// Starts the server on one core that twenty others want as well: `npm run gates -- starved`.
//
// All run on the first core: twenty loops that never rest, and the server with its packaged PostgreSQL; then the
// same with a PostgreSQL server of the system that comes up late. It has to start, or to say what it waits for,
// and then to do its work. `--loops N` (default 20), `--seconds N` (default 300) is how long it may take.

import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { openCluster } from '../test/cluster.ts';
import { type Started, startProgram } from '../test/started.ts';
import { clientOf } from './edits/client.ts';

const key = 'only-for-this-gate-only-for-this-gate';
const core = '0';
const lateMs = 10_000;

const { values: given } = parseArgs({
  options: {
    loops: { type: 'string', default: '20' },
    seconds: { type: 'string', default: '300' },
  },
});

/** Bounded, should no one be there any more to end it: three starts, each as long as one may take. */
const loop = `for (const until = Date.now() + ${Number(given.seconds) * 3_000}; Date.now() < until; );`;
const loops: ChildProcess[] = Array.from({ length: Number(given.loops) }, () =>
  spawn('taskset', ['-c', core, process.execPath, '-e', loop], { stdio: 'ignore' }),
);
const folder = mkdtempSync(join(tmpdir(), 'headwater-starved-'));
try {
  const faults = [...(await startPackaged()), ...(await startOnLate())];
  for (const fault of faults) console.log(fault);
  console.log(`${given.loops} loops on the core of the server: ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  for (const loop of loops) loop.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
}

/** The first start makes the database, the second finds it. */
async function startPackaged(): Promise<string[]> {
  const env = { DATA_DIR: join(folder, 'data') };
  return [...(await play('packaged, first', env)), ...(await play('packaged, second', env))];
}

/** A server that is started before its database, which has the same core. */
async function startOnLate(): Promise<string[]> {
  await using cluster = await openCluster();
  if (!cluster) throw new Error('No PostgreSQL server is installed here.');
  const playing = play('one that comes late', {
    DATA_DIR: join(folder, 'other'),
    DATABASE_URL: cluster.url,
  });
  await sleep(lateMs);
  cluster.launch();
  return await playing;
}

/** Start, and do some work; what went wrong. */
async function play(name: string, env: Readonly<Record<string, string>>): Promise<string[]> {
  const began = performance.now();
  const script = process.env.WITHOUT
    ? ['--import', './gates/without.mjs', '--import', 'tsx', 'src/main.ts']
    : ['scripts/start.mjs'];
  const started = startProgram('taskset', ['-c', core, process.execPath, ...script], {
    ...{ ADMIN_API_KEY: key, LOG_LEVEL: 'warn', ...env },
  });
  try {
    const address = await inTime(started);
    const readyMs = performance.now() - began;
    const { rest } = clientOf(address, key);
    const made = await rest('POST', '/tag/tags', { name });
    const read = await rest('GET', '/tag/tags');
    const notices = started.output().match(/"msg":"[^"]*"/g) ?? [];
    console.log(
      `${name}: ready after ${(readyMs / 1000).toFixed(1)} s, ${notices.length} notices ` +
        `${[...new Set(notices)].join(' ').slice(0, 400)}; a write ${made.refusal ?? 'done'}, a read ${read.refusal ?? 'done'}`,
    );
    return [made, read].flatMap(({ refusal, message }) =>
      refusal === null || refusal === '503' ? [] : [`${name}: ${refusal} ${message}`],
    );
  } catch (error) {
    return [`${name}: ${error instanceof Error ? error.message : error}`];
  } finally {
    await started.stop('SIGINT');
  }
}

async function inTime(started: Started): Promise<string> {
  const late = sleep(Number(given.seconds) * 1_000, null, { ref: false });
  const address = await Promise.race([started.ready(), late]);
  if (address === null) throw new Error(`It was not ready in time:\n${started.output()}`);
  return address;
}
