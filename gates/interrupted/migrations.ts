// Killing servers while they migrate.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { z } from 'zod';
import { structureOf } from '../../test/database/backups/databases.ts';
import { addressIn, type Place, type Rounds, startOn } from './place.ts';

const history = z.array(z.object({ done: z.number(), begun: z.number().nullable() }));

/** How long each command of a migration takes at least, and how long after the first one a start is killed. */
const commandMs = 10;
const withinMs = 6_000;
/** How long a start may take until its first migration. */
const startMs = 60_000;

/** Kill first starts at random moments of their migrations, and start again. */
export async function interruptMigrations(place: Place): Promise<Rounds> {
  const whole = await migrated(place, 'whole');
  const all = await historyOf(place, 'whole');
  const faults: string[] = [];
  let within = 0;
  for (let n = 0; n < place.rounds; n += 1) {
    const database = `migrated_${n}`;
    await place.cluster.run(`create database ${database}`);
    await killDuring(place, database);
    const left = await historyOf(place, database);
    if (left.done < all.done) within += 1;
    if ((left.begun ?? 0) !== left.done) faults.push(`Round ${n}: one is half done.`);
    const again = await structureAfterStart(place, database).catch((error: unknown) =>
      String(error),
    );
    if (again !== whole) faults.push(`Round ${n}: the next start: ${differenceOf(again, whole)}`);
    await place.cluster.run(`drop database ${database} with (force)`);
    console.log(`round ${n + 1}: killed after ${left.done} of ${all.done} migrations`);
  }
  if (within === 0) faults.push('No start was killed before its last migration.');
  return {
    faults,
    words: `${place.rounds} kills in migrations, ${within} of them before the last`,
  };
}

/** Where two texts begin to differ. */
function differenceOf(found: string, expected: string): string {
  const at = [...found].findIndex((letter, n) => letter !== expected[n]);
  return `${found.slice(Math.max(0, at - 100), at + 200)}`;
}

/** Kill a start at a random moment of its migrations, each of whose commands takes a while. */
async function killDuring(place: Place, database: string): Promise<void> {
  await place.cluster.run(
    `create schema gate;
     create function gate.slow() returns event_trigger language plpgsql
       as 'begin perform pg_sleep(${commandMs / 1_000}); end';
     create event trigger slow on ddl_command_end execute function gate.slow()`,
    database,
  );
  const client = new pg.Client(addressIn(place, database));
  client.on('error', () => {});
  await client.connect();
  const started = startOn(place, database);
  started.ready().catch(() => {});
  for (const until = performance.now() + startMs; performance.now() < until; await sleep(5)) {
    if ((await lookAt(client)).begun !== null || started.child.exitCode !== null) break;
  }
  await sleep(place.random.whole(0, withinMs));
  await started.stop('SIGKILL');
  await client.end();
  // What the connection that is gone had begun is undone a moment later.
  await place.cluster.run(`select pg_terminate_backend(pid, 5000) from pg_stat_activity
    where datname = '${database}' and pid <> pg_backend_pid()`);
  await place.cluster.run('drop event trigger slow', database);
}

async function lookAt(client: pg.Client) {
  const there = await client.query(`select to_regclass('"_prisma_migrations"') is not null as is`);
  if (!there.rows[0]?.is) return { done: 0, begun: null };
  const { rows } = await client.query(
    'select count(finished_at)::int as done, count(*)::int as begun from "_prisma_migrations"',
  );
  return history.parse(rows)[0] ?? { done: 0, begun: null };
}

async function historyOf(place: Place, database: string) {
  const client = new pg.Client(addressIn(place, database));
  client.on('error', () => {});
  await client.connect();
  try {
    return await lookAt(client);
  } finally {
    await client.end();
  }
}

async function migrated(place: Place, database: string): Promise<string> {
  await place.cluster.run(`create database ${database}`);
  return structureAfterStart(place, database);
}

/** All that migrations make, and their history, when a server is ready. */
async function structureAfterStart(place: Place, database: string): Promise<string> {
  const started = startOn(place, database);
  await started.ready();
  await started.stop('SIGINT');
  return JSON.stringify(await structureOf(addressIn(place, database)));
}
