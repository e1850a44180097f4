// Makes the packaged database work without end: `npm run gates -- endless-query`.
//
// The table of tags gets a trigger that never ends, and as many tags are made at once as the machine has cores.
// Each statement has to be cut within 35 s, on the server as well; in the meantime others ask, `/healthz` has to answer
// within 100 ms (its p99), and no one may fail.

import { availableParallelism, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { packagedUrl } from '../src/database/attach.ts';
import { Beside } from './beside.ts';
import { startForGate } from './server.ts';
import { isTimed, ofTime } from './times.ts';

const atOnce = availableParallelism();
const cutMs = 35_000;
/** What is not cut by then is never cut. */
const patienceMs = isTimed ? cutMs : 3 * cutMs;
const healthMs = 100;
/** On the server a statement may outlive its request by so much. */
const lingerMs = 2_000;

await using server = await startForGate();
const owner = new pg.Client(packagedUrl(server.dataDir));
owner.on('error', () => {});
await owner.connect();
await owner.query(`create function never_ends() returns trigger language plpgsql
  as 'begin loop perform 1; end loop; end'`);
await owner.query('create trigger never_ends before insert on tag execute function never_ends()');

const others = new Beside(server.address, server.viewerKey);
const endless = Promise.all(Array.from({ length: atOnce }, (_, n) => makeTag(`endless ${n}`)));
const late = sleep(patienceMs, null, { ref: false });
const fates = await Promise.race([endless, late]);
await sleep(lingerMs);
const { rows } = await owner.query<{ n: number }>(
  `select count(*)::int as n from pg_stat_activity
    where state = 'active' and query_start < now() - interval '5 s' and usename = current_user`,
);
const running = rows[0]?.n ?? 0;
const { samples, failures } = await others.end();
// What a server without bounds left behind would keep it from stopping.
await owner.query(`select pg_cancel_backend(pid) from pg_stat_activity
  where pid <> pg_backend_pid() and usename = current_user`);
await owner.end();

const health = samples.get('/healthz');
const slowest = Math.max(...(fates ?? []).map(({ ms }) => ms));
const faults = [
  ...(fates === null ? [`Not cut within ${patienceMs / 1000} s.`] : []),
  ...(fates ?? [])
    .filter(({ status }) => status !== 504 && status !== 503)
    .map(({ status }) => `One was answered ${status}.`),
  ...(running > 0 ? [`${running} statements went on in the database.`] : []),
  ...ofTime([
    ...(slowest > cutMs ? [`Cut only after ${(slowest / 1000).toFixed(1)} s.`] : []),
    ...((health?.p99 ?? Infinity) > healthMs
      ? [`/healthz took ${health?.p99.toFixed(0)} ms.`]
      : []),
  ]),
  ...failures.slice(0, 5),
];
for (const fault of faults) console.log(fault);
const [load = 0] = loadavg();
console.log(
  `${atOnce} endless statements: ${fates === null ? 'not cut' : `cut after ${(slowest / 1000).toFixed(1)} s`}, ` +
    `${running} went on; /healthz p99 ${health?.p99.toFixed(0)} ms of ${health?.count}, ` +
    `${failures.length} requests of others failed; load ${load.toFixed(1)} on ${availableParallelism()} cores`,
);
process.exitCode = faults.length === 0 ? 0 : 1;

async function makeTag(name: string): Promise<{ status: number; ms: number }> {
  const began = performance.now();
  const response = await fetch(`${server.address}/api/v1/tag/tags`, {
    method: 'POST',
    headers: { authorization: `Bearer ${server.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  }).catch(() => null);
  await response?.text();
  return { status: response?.status ?? 0, ms: performance.now() - began };
}
