// Restarts two servers in turn under load behind a balancer: `npm run gates -- rolling`.
//
// Eight clients write and read over REST and GraphQL; none tries anything twice, and no request may fail until
// `--requests N` (default 20000) are answered. An error of GraphQL is a failure as well, and so is a second without
// a server that is ready.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openCluster } from '../test/cluster.ts';
import { runRolling } from './rolling/run.ts';

const { values: given } = parseArgs({
  options: { requests: { type: 'string', default: '20000' } },
});

await using cluster = await openCluster();
if (!cluster) throw new Error('No PostgreSQL server is installed here.');
cluster.launch();
await cluster.answers();
const dataDir = mkdtempSync(join(tmpdir(), 'headwater-rolling-'));
try {
  const { answered, restarts, failures, kept } = await runRolling({
    ...{ databaseUrl: cluster.url, dataDir },
    ...{ requests: Number(given.requests), rounds: 5 },
  });
  for (const failure of failures.slice(0, 10)) console.log(failure);
  console.log(
    `${answered} requests answered in ${restarts} restarts, ${failures.length} failed; ${kept.requests} found no ` +
      `server ready, and were kept for ${kept.longestMs.toFixed(0)} ms at most`,
  );
  process.exitCode = failures.length === 0 ? 0 : 1;
} finally {
  rmSync(dataDir, { recursive: true, force: true });
}
