// Killing servers while they measure.

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

/** Of the values that come, a third is null; above this they are out of range. */
const mostNull = 10;

const counted = z.array(
  z.object({ missed: z.number(), twice: z.number(), torn: z.number(), done: z.number() }),
);
const open = z.array(z.object({ n: z.number(), running: z.number() }));

/** Kill servers at random moments of measurements, let the next one go on, and count for each slot. */
export async function interruptMeasurements(place: Place): Promise<Rounds> {
  await makeSource(place);
  await place.cluster.run(`create database ${catalog}`);
  let server = startOn(place, catalog);
  await makeMonitors(clientOf(await server.ready(), key), place);
  const faults: string[] = [];
  const sums = { before: 0, missed: 0, twice: 0, torn: 0 };
  try {
    for (let n = 0; n < place.rounds; n += 1) {
      await drained(place);
      await ask(
        place,
        `delete from notification; delete from measurement; delete from incident;
         update monitor set last_incident_id = null, next_run_at = now()`,
      );
      await begun(place);
      await sleep(place.random.whole(0, 700));
      await server.stop('SIGKILL');
      const { done } = await count(place);
      sums.before += done;
      server = startOn(place, catalog);
      await server.ready();
      await drained(place);
      const { missed, twice, torn } = await count(place);
      if (missed + twice + torn > 0) {
        faults.push(`Round ${n}: ${missed} missed, ${twice} measured twice, ${torn} half done.`);
      }
      console.log(`round ${n + 1}: killed after ${done} of ${tables * columns} measurements`);
      sums.missed += missed;
      sums.twice += twice;
      sums.torn += torn;
    }
  } finally {
    await server.stop('SIGKILL');
  }
  const each = tables * columns;
  return {
    faults,
    words:
      `${place.rounds} kills in measurements of ${each} monitors: ${sums.before} of ` +
      `${each * place.rounds} were measured before, ${sums.missed} missed, ${sums.twice} measured twice, ` +
      `${sums.torn} without their incident or its notification`,
  };
}

/** Tables whose rows are slow to read. */
async function makeSource({ cluster }: Place): Promise<void> {
  await cluster.run(`create database ${source}`);
  await cluster.run(`create role reader login password 'reader'`);
  const names = Array.from({ length: columns }, (_, n) => `c${n}`);
  for (let n = 0; n < tables; n += 1) {
    await cluster.run(
      `create table kept_${n} as select ${names.map((name) => `nullif(g, 1) as ${name}`).join(', ')} from generate_series(1, 3) g;
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
    const range = { condition_auto_sensitivity: null, condition_manual_max: mostNull };
    const monitor = { target, metric_type: 'null_percentage', ...range };
    idOf(await rest('POST', '/monitor/monitors', monitor));
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
  for (const until = performance.now() + patienceMs; performance.now() < until; await sleep(5)) {
    if ((await jobs(place)).running > 0) return;
  }
  throw new Error('No measurement is begun.');
}

/** Wait until no measurement waits or runs, none is due, and all that came of them is told. */
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
      (count(*) filter (where state = 'running' and kind = 'monitors.run'))::int as running
      from job where kind in ('monitors.run', 'incidents.tell') and state in ('queued', 'running')`,
  );
  return open.parse(rows)[0] ?? { n: 0, running: 0 };
}

/**
 * How many monitors have no measurement of the slot, how many have more than one, how many have any. All values are
 * out of range: a monitor that was measured without one incident and one notification of it is half done.
 */
async function count(place: Place) {
  const rows = await ask(
    place,
    `select (count(*) filter (where n = 0))::int as missed, (count(*) filter (where n > 1))::int as twice,
      (count(*) filter (where n > 0 and (incidents <> 1 or notified <> 1)))::int as torn,
      (count(*) filter (where n > 0))::int as done
      from monitor m, lateral (select
        (select count(*) from measurement x where x.monitor_id = m.id) as n,
        (select count(*) from incident i where i.monitor_id = m.id) as incidents,
        (select count(*) from notification o join incident i on i.id = o.incident_id
          where i.monitor_id = m.id and o.event = 'incident_opened' and o.channel = 'inbox') as notified) of_each`,
  );
  return counted.parse(rows)[0] ?? { missed: 0, twice: 0, torn: 0, done: 0 };
}
