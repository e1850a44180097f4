// Lets people edit, vote, accept, move and join at once, with imports besides: `npm run gates -- edits`.
//
// The real server over HTTP, on a database of its own. Each race has two or three people who do something to
// the same thing at the same time; whatever was acknowledged has to be there when the last import is through.
// `--races N` (default 500) and `--seed N` (default 1).

import { parseArgs } from 'node:util';
import { faultsOf, inWords, runRaces } from './edits/run.ts';
import { startForGate } from './server.ts';

const { values: given } = parseArgs({
  options: {
    races: { type: 'string', default: '500' },
    seed: { type: 'string', default: '1' },
  },
});

await using server = await startForGate();
const report = await runRaces({
  ...{ address: server.address, key: server.key },
  ...{ races: Number(given.races), seed: Number(given.seed), report: console.log },
});
console.log(inWords(report));
process.exitCode = faultsOf(report) === 0 ? 0 : 1;
