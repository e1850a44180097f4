// Kills the server within migrations and within measurements: `npm run gates -- interrupted`.
//
// Twenty times a first start is killed at a random moment of its migrations: none may be there by half, and the
// next start has to succeed with the tables that an uninterrupted one makes. Twenty times a server that measures
// monitors is killed: the next one has to measure what is left, each monitor once for its slot.
// `--rounds N` (default 20) of each, `--seed N` (default 1).

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCluster } from '../test/cluster.ts';
import { randomFrom } from '../test/trials/random.ts';
import { interruptMeasurements } from './interrupted/measurements.ts';
import { interruptMigrations } from './interrupted/migrations.ts';
import type { Place } from './interrupted/place.ts';

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
  },
});

await using cluster = await openCluster();
if (!cluster) throw new Error('No PostgreSQL server is installed here.');
cluster.launch(['max_connections=100']);
await cluster.answers();
const dataDir = mkdtempSync(join(tmpdir(), 'headwater-interrupted-'));
const place: Place = {
  ...{ cluster, dataDir, random: randomFrom(Number(given.seed)), rounds: Number(given.rounds) },
};
try {
  const migrations = await interruptMigrations(place);
  const measurements = await interruptMeasurements(place);
  const faults = [...migrations.faults, ...measurements.faults];
  for (const fault of faults.slice(0, 10)) console.log(fault);
  console.log(`${migrations.words}; ${measurements.words}; ${faults.length} faults`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
