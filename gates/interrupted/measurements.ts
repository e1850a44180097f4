// In charge of killing servers while they measure.

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { type Client, clientOf, type Outcome } from '../edits/client.ts';
import { key, type Place, type Rounds, startOn } from './place.ts';

const catalog = 'measured';
const source = 'source';
const tables = 6;
const columns = 3;
/** How long a row of the source takes, so that there is something to be killed in. */
const slowSeconds = 0.05;
const patienceMs = 60_000;

const counted = z.array(z.object({ missed: z.number(), twice: z.number(), done: z.number() }));
const open = z.array(z.object({ n: z.number(), running: z.number() }));

/** Kill servers at random moments of measurements, let the next one go on, and count for each slot. */
export async function interruptMeasurements(place: Place): Promise<Rounds> {
  await makeSource(place);
  await place.cluster.run(`create database ${catalog}`);
  let server = startOn(place, catalog);
  await makeMonitors(clientOf(await server.ready(), key), place);
  const faults: string[] = [];
  const sums = { before: 0, missed: 0, twice: 0 };
  try {
    for (let n = 0; n < place.rounds; n += 1) {
      await drained(place);
      await ask(place, 'delete from measurement');
      await ask(place, 'update monitor set next_run_at = now()');
      await begun(place);
      await sleep(place.random.whole(0, 700));
      await server.stop('SIGKILL');
      const { done } = await count(place);
      sums.before += done;
      server = startOn(place, catalog);
      await server.ready();
      await drained(place);
      const { missed, twice } = await count(place);
      if (missed + twice > 0) faults.push(`Round ${n}: ${missed} missed, ${twice} measured twice.`);
      console.log(`round ${n + 1}: killed after ${done} of ${tables * columns} measurements`);
      sums.missed += missed;
      sums.twice += twice;
    }
  } finally {
    await server.stop('SIGKILL');
  }
  const each = tables * columns;
  return {
    faults,
    words:
      `${place.rounds} kills in measurements of ${each} monitors: ${sums.before} of ` +
      `${each * place.rounds} were measured before, ${sums.missed} missed, ${sums.twice} measured twice`,
  };
}

/** Tables whose rows are slow to read. */
async function makeSource({ cluster }: Place): Promise<void> {
  await cluster.run(`create database ${source}`);
  await cluster.run(`create role reader login password 'reader'`);
  const names = Array.from({ length: columns }, (_, n) => `c${n}`);
  for (let n = 0; n < tables; n += 1) {
    await cluster.run(
      `create table kept_${n} as select ${names.map((name) => `g as ${name}`).join(', ')} from generate_series(1, 3) g;
       create view t${n} as select k.* from kept_${n} k, lateral (select pg_sleep(${slowSeconds}), k.c0) slow;
       grant select on kept_${n}, t${n} to reader`,
      source,
    );
  }
}

async function makeMonitors({ rest }: Client, { cluster }: Place): Promise<void> {
  const credentials = {
    ...{ host: '127.0.0.1', port: cluster.port, database: source },
    ...{ user: 'reader', password: 'reader', ssl: 'disable' },
  };
  const integration = idOf(
    await rest('POST', '/integration/integrations', {
      type: 'postgres',
      name: 'Slow',
      credentials,
    }),
  );
  const targets: string[] = [];
  for (let n = 0; n < tables; n += 1) {
    const parent = idOf(await rest('POST', '/table/tables', { title: `t${n}` }));
    for (let c = 0; c < columns; c += 1) {
      const column = { title: `c${c}`, parent, type: 'integer' };
      targets.push(idOf(await rest('POST', '/table/columns', column)));
    }
  }
  await cluster.run(
    `update resource set integration_id = '${integration}', database_name = '${source}',
      schema_name = 'public' where kind in ('table', 'column')`,
    catalog,
  );
  for (const target of targets) {
    idOf(await rest('POST', '/monitor/monitors', { target, metric_type: 'null_percentage' }));
  }
}

function idOf({ data, refusal, message }: Outcome): string {
  if (refusal !== null) throw new Error(`${refusal}: ${message} ${JSON.stringify(data)}`);
  return data.id;
}

function ask({ cluster }: Place, statement: string): Promise<unknown[]> {
  return cluster.run(statement, catalog);
}

/** Wait until a worker is at it. */
async function begun(place: Place): Promise<void> {
  while ((await jobs(place)).running === 0) await sleep(5);
}

/** Wait until no measurement waits or runs, and none is due. */
async function drained(place: Place): Promise<void> {
  for (const until = performance.now() + patienceMs; performance.now() < until; ) {
    if ((await jobs(place)).n === 0) return;
    await sleep(100);
  }
  throw new Error('Measurements do not come to an end.');
}

async function jobs(place: Place): Promise<{ n: number; running: number }> {
  const rows = await ask(
    place,
    `select (count(*) + (select count(*) from monitor where next_run_at <= now()))::int as n,
      (count(*) filter (where state = 'running'))::int as running
      from job where kind = 'monitors.run' and state in ('queued', 'running')`,
  );
  return open.parse(rows)[0] ?? { n: 0, running: 0 };
}

/** How many monitors have no measurement of the slot, how many have more than one, how many have any. */
async function count(place: Place) {
  const rows = await ask(
    place,
    `select (count(*) filter (where n = 0))::int as missed, (count(*) filter (where n > 1))::int as twice,
      (count(*) filter (where n > 0))::int as done
      from (select count(x.id) as n from monitor m left join measurement x on x.monitor_id = m.id
        group by m.id) of_each`,
  );
  return counted.parse(rows)[0] ?? { missed: 0, twice: 0, done: 0 };
}
