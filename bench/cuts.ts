// How long after its timeout a query that would run for ever is ended, on each kind of source that is
// installed: the bar is half a second, and it ends with 1 where that is missed.
//
//   npm run bench:cuts -- [--timeout 500] [--rounds 3]

import { parseArgs } from 'node:util';
import { cutsBySource, graceMs } from '../test/monitors/scans/cuts.ts';

const { values: given } = parseArgs({
  options: {
    timeout: { type: 'string', default: '500' },
    rounds: { type: 'string', default: '3' },
  },
});
const options = { timeoutMs: Number(given.timeout), rounds: Number(given.rounds) };

for (const [name, cut] of cutsBySource) {
  const made = await cut(options);
  if (!made) continue;
  const { queries, answered, worstMs, late } = made;
  for (const one of late) console.log(`  ${one}`);
  if (late.length > 0) process.exitCode = 1;
  console.log(
    `${name}: ${queries} queries, ${answered} answered, the last ended ${worstMs.toFixed(0)} ms after its ` +
      `timeout of ${options.timeoutMs} ms (bar: ${graceMs} ms)`,
  );
}
