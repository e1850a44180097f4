// Starts eight servers at once on one data folder, again and again: `npm run gates -- one-folder`.
//
// One has to become ready; the others have to end with 1 and say which process has the folder. Then the one is
// killed, or stopped, in turn, and the next eight are started at once. `--rounds N` (default 20).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { killIfThere, processesOf } from '../test/database/server/place.ts';
import { type Started, startScript } from '../test/started.ts';

const racers = 8;
/** Who neither got the folder nor was refused by then hangs. */
const patienceMs = 120_000;

const { values: given } = parseArgs({ options: { rounds: { type: 'string', default: '20' } } });
const rounds = Number(given.rounds);

const parent = mkdtempSync(join(tmpdir(), 'headwater-one-folder-'));
const dataDir = join(parent, 'data');
const all: Started[] = [];
const faults: string[] = [];
let refused = 0;
try {
  for (let round = 1; round <= rounds && faults.length === 0; round += 1) await race(round);
} finally {
  for (const { child } of all) child.kill('SIGKILL');
  for (const pid of processesOf(join(dataDir, 'postgres-18'))) killIfThere(pid);
  await Promise.all(all.map(({ ended }) => ended));
  rmSync(parent, { recursive: true, force: true });
}
for (const fault of faults) console.log(fault);
console.log(
  `${rounds} rounds of ${racers} servers: ${refused} refused by the name of the one that had the folder, ` +
    `${faults.length} faults`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

async function race(round: number): Promise<void> {
  const started = Array.from({ length: racers }, () =>
    startScript('start.mjs', { DATA_DIR: dataDir, LOG_LEVEL: 'error' }),
  );
  all.push(...started);
  const fates = await Promise.all(started.map(fateOf));
  const winners = started.filter((_, at) => fates[at] === 'ready');
  const [winner] = winners;
  // Servers that do not start at all say nothing about their folder.
  if (!winner) throw new Error(`None became ready: ${fates[0]?.slice(0, 2_000)}`);
  if (winners.length !== 1) faults.push(`Round ${round}: ${winners.length} got the folder.`);
  for (const [at, fate] of fates.entries()) {
    if (fate === 'ready') continue;
    const isNamed = fate.includes(`is in use by process ${winner.child.pid} on `);
    if (isNamed && started[at]?.child.exitCode === 1) refused += 1;
    else faults.push(`Round ${round}: one that did not get it ended so: ${fate.slice(0, 500)}`);
  }
  // A holder that is killed is followed at once, as one that lets go is.
  await winner.stop(round % 2 === 1 ? 'SIGKILL' : 'SIGTERM');
}

/** `ready`, or what a server printed that ended before. */
async function fateOf(started: Started): Promise<string> {
  const late = sleep(patienceMs, 'It hangs.', { ref: false });
  const ready = started.ready().then(
    () => 'ready',
    () => started.output(),
  );
  return Promise.race([ready, late]);
}
