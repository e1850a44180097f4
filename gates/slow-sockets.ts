// Holds connections by sending slowly, while others ask: `npm run gate:slow-sockets`.
//
// 300 sockets at once, over GraphQL and REST, with a key and without: slow headers, slow bodies, drips and
// silence. All have to be closed within 15 s, and others served meanwhile. `--sockets N` (default 300).

import { parseArgs } from 'node:util';
import { startForGate } from './server.ts';
import { heldOf, runSlowSockets, slowInWords } from './slow-sockets/run.ts';

const { values: given } = parseArgs({
  options: {
    sockets: { type: 'string', default: '300' },
  },
});

await using server = await startForGate();
const report = await runSlowSockets({
  ...{ address: server.address, key: server.viewerKey, otherKey: server.key },
  ...{ sockets: Number(given.sockets), patienceMs: 20_000 },
});
const held = heldOf(report).length;
const slowest = Math.max(
  ...report.fates.map(({ closedMs }) => closedMs ?? Number.POSITIVE_INFINITY),
);
console.log(slowInWords(report));
console.log(
  `${report.fates.length} slow sockets: ${held} held for more than 15 s, the slowest closed after ` +
    `${(slowest / 1000).toFixed(1)} s; of ${report.others} requests of others ` +
    `${report.failures.length} failed`,
);
process.exitCode = held + report.failures.length === 0 ? 0 : 1;
