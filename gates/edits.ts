// Lets people edit, vote, accept, move and join at once, with imports beside: `npm run gate:edits`.
//
// The real server over HTTP, on a database of its own. Each race has two or three people who do something to
// the same thing at the same time; whatever was acknowledged has to be there when the last import is through.
// `--races N` (default 500) and `--seed N` (default 1). With `--without-locks`, the negative control, the
// server reads its own sources without their locking clauses, and the gate fails unless something is lost.

import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startProgram } from '../test/started.ts';
import { faultsOf, inWords, runRaces } from './edits/run.ts';

const { values: given } = parseArgs({
  options: {
    races: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
    'without-locks': { type: 'boolean', default: false },
  },
});
const isControl = given['without-locks'];

const dataDir = mkdtempSync(join(tmpdir(), 'headwater-edits-'));
const key = `gate-${randomUUID()}`;
const server = startProgram(
  process.execPath,
  [
    ...['--import', 'tsx', ...(isControl ? ['--import', './gates/without-locks.mjs'] : [])],
    'src/main.ts',
  ],
  { DATA_DIR: dataDir, ADMIN_API_KEY: key, LOG_LEVEL: 'error' },
);
try {
  const report = await runRaces({
    ...{ address: await server.ready(), key },
    ...{ races: Number(given.races), seed: Number(given.seed), tell: console.log },
  });
  console.log(inWords(report));
  const faults = faultsOf(report);
  const isAsItShould = isControl ? faults > 0 : faults === 0;
  if (isControl) console.log(`Without its locks: ${faults} faults, as there should be.`);
  process.exitCode = isAsItShould ? 0 : 1;
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
