// Takes the database away from a server that is busy, in every way but one: `npm run gates -- terminate`.
//
// For a minute each connection is ended every half second; then the PostgreSQL server is stopped at once
// three times, and frozen for a quarter of a minute. In the meantime clients write, read, import and follow a
// document. `--seconds N` (default 60) is how long connections are ended.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Busy, keepBusy, lostOf } from '../test/busy.ts';
import { type Cluster, openCluster } from '../test/cluster.ts';
import { type Started, startScript } from '../test/started.ts';

const key = 'only-for-this-gate-only-for-this-gate';
const everyMs = 500;
const stops = 3;
/** How long the PostgreSQL server is away after a stop, and is there before the next one. */
const awayMs = 3_000;
const thereMs = 5_000;
const frozenMs = 15_000;

const disturbances: readonly (readonly [string, (cluster: Cluster) => Promise<string>])[] = [
  ['Connections ended', endConnections],
  ...Array.from({ length: stops }, (_, n) => [`Immediate stop ${n + 1}`, stopAtOnce] as const),
  ['Frozen', freeze],
];

const { values: given } = parseArgs({ options: { seconds: { type: 'string', default: '60' } } });

process.exitCode = await main();

async function main(): Promise<number> {
  await using cluster = await openCluster();
  if (!cluster) {
    console.error('No PostgreSQL server is installed here.');
    return 1;
  }
  cluster.launch();
  await cluster.answers();
  const dataDir = mkdtempSync(join(tmpdir(), 'headwater-terminate-'));
  const env = { DATA_DIR: dataDir, DATABASE_URL: cluster.url, ADMIN_API_KEY: key };
  const started = startScript('start.mjs', env);
  try {
    return await play(cluster, started);
  } finally {
    await started.stop('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** The exit code: 0 where the server lived, and everything that it acknowledged is there. */
async function play(cluster: Cluster, started: Started): Promise<number> {
  const busy = await keepBusy(await started.ready(), key);
  const deaf: string[] = [];
  for (const [name, disturb] of disturbances) {
    const what = await disturb(cluster);
    await cluster.answers();
    if (!(await busy.receives())) deaf.push(name);
    console.log(`${name}: ${what}; ${summaryOf(busy)}`);
  }
  await busy.stop();
  const { noted } = busy;
  const lost = await lostOf(noted, cluster.url);
  const isAlive = started.child.exitCode === null;
  const code = isAlive ? await started.stop() : started.child.exitCode;
  const faults = faultsIn(started.output());
  const problems = [
    ...(isAlive ? [] : [`The server ended:\n${started.output().slice(-2_000)}`]),
    ...(code === 0 ? [] : [`It stopped with ${code}.`]),
    ...(lost.length === 0 ? [] : [`Lost, though acknowledged: ${lost.join(', ')}.`]),
    ...deaf.map((name) => `The subscription did not receive again: ${name}.`),
    ...noted.surprises,
    // Of a job or a schedule no client learns anything.
    ...faults.slice(0, 10),
    ...(noted.tags.length > 0 && noted.tables.length > 0 ? [] : ['Nothing was acknowledged.']),
  ];
  console.log(
    `${noted.tags.length} writes and ${noted.tables.length} imported tables acknowledged, ` +
      `${lost.length} lost, ${noted.surprises.length} unexpected answers, ${faults.length} faults in the log. ` +
      (problems.length === 0 ? 'Passed.' : 'Failed:'),
  );
  for (const problem of problems) console.log(problem);
  return problems.length === 0 ? 0 : 1;
}

async function endConnections(cluster: Cluster): Promise<string> {
  let ended = 0;
  const until = performance.now() + Number(given.seconds) * 1_000;
  while (performance.now() < until) {
    const gone = await cluster.run(
      `select pg_terminate_backend(pid) from pg_stat_activity
        where application_name like 'headwater%'`,
    );
    ended += gone.length;
    await sleep(everyMs);
  }
  return `${ended} in ${given.seconds} s`;
}

async function stopAtOnce(cluster: Cluster): Promise<string> {
  await cluster.stop('immediate');
  await sleep(awayMs);
  cluster.launch();
  await cluster.answers();
  await sleep(thereMs);
  return `away for ${awayMs / 1_000} s`;
}

async function freeze(cluster: Cluster): Promise<string> {
  cluster.freeze();
  await sleep(frozenMs);
  cluster.thaw();
  return `for ${frozenMs / 1_000} s`;
}

/** What the server logged about errors that it had no answer for, each with its cause. */
function faultsIn(log: string): string[] {
  return log.split('\n').filter((line) => line.includes('"level":50'));
}

function summaryOf({ noted }: Busy): string {
  const counts = [...noted.answers].sort().map(([name, count]) => `${count} x ${name}`);
  return counts.join(', ');
}
