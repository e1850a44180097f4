// Holds connections by sending slowly, while others ask: `npm run gates -- slow-sockets`.
//
// 300 sockets at once, over GraphQL and REST, with a key and without: slow headers, slow bodies, drips and
// silence. Each has to be refused with 408, or 401 without a key, and closed within 15 s; in the meantime others are
// served, and `/healthz` takes no longer than 200 ms. `--sockets N` (default 300).

import { availableParallelism, loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { startForGate } from './server.ts';
import { faultsOf, lateOf, runSlowSockets, slowInWords } from './slow-sockets/run.ts';
import { isTimed, ofTime } from './times.ts';

const { values: given } = parseArgs({
  options: {
    sockets: { type: 'string', default: '300' },
  },
});

await using server = await startForGate();
const report = await runSlowSockets({
  ...{ address: server.address, key: server.viewerKey, otherKey: server.key },
  ...{ sockets: Number(given.sockets), patienceMs: isTimed ? 20_000 : 60_000 },
});
console.log(slowInWords(report));
const faults = [...faultsOf(report), ...ofTime(lateOf(report))];
for (const fault of faults.slice(0, 10)) console.log(fault);
const { fates, others, failures } = report;
const slowest = Math.max(...fates.map(({ closedMs }) => closedMs ?? Number.POSITIVE_INFINITY));
const asked = [...others.values()].reduce((sum, { count }) => sum + count, 0);
console.log(
  `${fates.length} slow sockets: the slowest closed after ${(slowest / 1000).toFixed(1)} s; of ${asked} requests ` +
    `of others ${failures.length} failed, /healthz took ${others.get('/healthz')?.max.toFixed(0)} ms at most; ` +
    `${faults.length} faults; load ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`,
);
process.exitCode = faults.length === 0 ? 0 : 1;
