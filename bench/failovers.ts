// Takes the leader of a highly available PostgreSQL away under load: `npm run bench -- failovers`.
//
// Starts what deploy/ha describes on one machine, from the packages of Debian: etcd, three nodes of PostgreSQL under
// Patroni with synchronous replication, HAProxy, PgBouncer, two processes that serve and two that work. Writers note what
// was acknowledged. In each round the leader with its Patroni is killed, frozen or cut off from everything; the first
// write that succeeds afterwards is waited for, then the node comes back. Where no standby is synchronous a minute later, an
// operator's step is done and counted. At the end all that was acknowledged has to be there, nothing may have been
// answered with 500, and the audit log has to verify. `--rounds N` (default 6), `--fault 'cut off'` for one fault alone;
// `--stay` starts all of it, prints its addresses and stays until it is interrupted.

import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Started, startScript } from '../test/started.ts';
import { type Load, openLoad } from './acknowledged.ts';
import { faults, type Nodes, openNodes } from './failovers/nodes.ts';

const key = 'only-for-this-trial-only-for-this-trial';
const barMs = 30_000;
/** Who has not become whole by then is not waited for. */
const patienceMs = 240_000;
/** Nor is it waited for by itself: from then on an operator helps. */
const alonePatienceMs = 60_000;

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    fault: { type: 'string' },
    stay: { type: 'boolean', default: false },
  },
});

const asked = faults.filter((fault) => given.fault === undefined || fault === given.fault);

process.exitCode = await main();

async function main(): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-failovers-'));
  const programs: Started[] = [];
  await using nodes = await openNodes();
  try {
    const launch = (role: string, n: number) => {
      const started = startScript('start.mjs', {
        ...{ DATA_DIR: join(folder, `${role}-${n}`), ROLE: role, LOG_LEVEL: 'error' },
        ...{ DATABASE_URL: nodes.url, DATABASE_DIRECT_URL: nodes.directUrl },
        ...{ ADMIN_API_KEY: key, SECRETS_KEY: 'only-for-this-trial-only-for-this-trial-0' },
      });
      programs.push(started);
      return started.ready();
    };
    const addresses = [await launch('api', 1), await launch('api', 2)];
    await Promise.all([launch('worker', 1), launch('worker', 2)]);
    if (given.stay) return await stay(nodes, addresses);
    return await play(nodes, addresses);
  } finally {
    await Promise.all(programs.map((one) => one.stop('SIGKILL')));
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Leave it as it is until somebody interrupts. */
async function stay(nodes: Nodes, addresses: readonly string[]): Promise<number> {
  console.log(`Headwater at ${addresses.join(' and ')}, with the key ${key}.`);
  console.log(`PostgreSQL by PgBouncer: ${nodes.url}; the leader: ${nodes.directUrl}`);
  await new Promise((resolve) => process.once('SIGINT', resolve));
  return 0;
}

async function play(nodes: Nodes, addresses: readonly string[]): Promise<number> {
  let turn = 0;
  const load = await openLoad(() => addresses[turn++ % addresses.length] ?? '', key);
  const waits: number[] = [];
  /** Why the rounds ended early: what was acknowledged until then is looked for all the same. */
  let stuck: string | null = null;
  let helped = 0;
  for (let n = 0; n < Number(given.rounds) && stuck === null; n += 1) {
    await sleep(5_000);
    const fault = asked[n % asked.length] ?? 'killed';
    const before = await nodes.leader();
    const writes = load.acknowledged();
    const undo = await nodes.strike(fault);
    const over = new AbortController();
    const led = nodes.untilLed(before, over.signal);
    const ms = await load.untilWritten(patienceMs);
    waits.push(ms);
    over.abort();
    const { leadsMs, followsMs } = await led;
    // Who was frozen or cut off comes back while another one leads.
    await sleep(3_000);
    await undo();
    const from = performance.now();
    const alone = await nodes.whole(alonePatienceMs).then(() => null, String);
    if (alone !== null) {
      helped += 1;
      await nodes.nameLeader();
      stuck = await nodes.whole(patienceMs).then(() => null, String);
    }
    const after = await nodes.leader();
    console.log(
      `round ${n + 1}: ${before} ${fault}, ${after} leads after ${seconds(leadsMs ?? ms)}, followed after ` +
        `${seconds(followsMs ?? ms)}; first write after ${seconds(ms)}, ` +
        `whole ${seconds(performance.now() - from)} after its return${alone === null ? '' : ', helped'}, ` +
        `${load.acknowledged() - writes} writes`,
    );
  }
  await sleep(5_000);
  await load.stop();
  return await report(nodes, load, { waits, stuck, helped });
}

/** What came of the rounds. */
interface Rounds {
  readonly waits: readonly number[];
  readonly stuck: string | null;
  /** After how many of them an operator had to help. */
  readonly helped: number;
}

async function report(nodes: Nodes, load: Load, { waits, stuck, helped }: Rounds): Promise<number> {
  const wrong = await load.check(nodes.directUrl);
  if (stuck !== null) wrong.push(stuck);
  const audit = startScript('command.mjs', { DATABASE_URL: nodes.directUrl }, ['audit-verify']);
  if ((await audit.ended) !== 0) {
    wrong.push(`The audit log does not verify: ${audit.output().trim()}`);
  }
  const answers = [...load.answers].sort(([one], [other]) => one.localeCompare(other));
  const bad = answers.filter(([answer]) => !/^(2|409|503|504)/.test(answer));
  for (const [answer, count] of bad) wrong.push(`${count} requests were answered: ${answer}.`);
  const late = waits.filter((ms) => ms > barMs);
  if (late.length > 0)
    wrong.push(`${late.length} first writes came after more than ${seconds(barMs)}.`);
  for (const sentence of wrong) console.error(sentence);
  console.log(answers.map(([answer, count]) => `${answer}: ${count}`).join(', '));
  console.log(
    `${waits.length} failovers: ${load.acknowledged()} writes acknowledged, first write after ` +
      `${seconds(median(waits))} (median), ${seconds(Math.max(...waits))} at most; ${helped} times ` +
      `Patroni was helped; ${wrong.length} faults ` +
      `(load ${loadavg()[0]?.toFixed(0)} on ${availableParallelism()} cores)`,
  );
  return wrong.length === 0 ? 0 : 1;
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
