// Measures events of OpenLineage: CPU of each until it is stored, and until it is lineage, next to a bare insert of the same rows.
//
//   npm run bench -- openlineage [--events 20000] [--memory 100000]
//
// The events are runs of 200 jobs, each with two inputs and an output with columns, of 1.8 kB: a start and an end of each run,
// sent singly by 32 clients at once. Then as many as `--memory` says come in batches, for the memory of the server.

import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { z } from 'zod';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values: options } = parseArgs({
  options: {
    events: { type: 'string', default: '20000' },
    memory: { type: 'string', default: '100000' },
  },
});

const clients = 32;
const jobs = 200;
const perBatch = 500;

/** An event of a run: runs of a job come one after the other. */
function eventOf(at: number): object {
  const run = Math.floor(at / 2);
  const job = run % jobs;
  const isEnd = at % 2 === 1;
  const dataset = (name: string) => ({
    namespace: 'postgres://db.example.com:5432',
    name: `shop.public.${name}`,
    facets: {
      schema: {
        fields: Array.from({ length: 12 }, (_, n) => ({ name: `column_${n}`, type: 'bigint' })),
      },
    },
  });
  return {
    eventType: isEnd ? 'COMPLETE' : 'START',
    eventTime: new Date(Date.UTC(2026, 0, 1) + run * 1_000 + (isEnd ? 500 : 0)).toISOString(),
    producer: 'https://example.com/bench',
    job: { namespace: 'bench', name: `job_${job}`, facets: { jobType: { integration: 'BENCH' } } },
    run: { runId: `run ${run}` },
    inputs: [dataset(`in_${job}`), dataset(`in_${(job + 1) % jobs}`)],
    outputs: [dataset(`out_${job}`)],
  };
}

const reporting = z.object({ data: z.object({ openLineage: z.object({ waiting: z.number() }) }) });

async function waiting(server: ImportServer): Promise<number> {
  const answer = await fetch(`${server.base}/graphql`, {
    method: 'POST',
    headers: headersOf(server),
    body: JSON.stringify({ query: '{ openLineage { waiting } }' }),
  });
  return reporting.parse(await answer.json()).data.openLineage.waiting;
}

const headersOf = ({ key }: ImportServer) => ({
  ...{ authorization: `Bearer ${key}`, 'content-type': 'application/json' },
});

async function send(server: ImportServer, body: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${server.base}/api/v1/lineage`, {
      method: 'POST',
      headers: headersOf(server),
      body,
    });
    await answer.arrayBuffer();
    if (answer.ok) return;
    if (answer.status !== 503) throw new Error(`It answered with ${answer.status}.`);
    await sleep(1_000);
  }
}

/** Send bodies by several clients at once. */
async function sendAll(server: ImportServer, bodies: Iterator<string>): Promise<void> {
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let next = bodies.next(); !next.done; next = bodies.next()) {
        await send(server, next.value);
      }
    }),
  );
}

async function drained(server: ImportServer): Promise<void> {
  while ((await waiting(server)) > 0) await sleep(200);
}

function* single(from: number, count: number): Generator<string> {
  for (let at = from; at < from + count; at += 1) yield JSON.stringify(eventOf(at));
}

function* batches(from: number, count: number): Generator<string> {
  for (let at = from; at < from + count; at += perBatch) {
    const length = Math.min(perBatch, from + count - at);
    yield JSON.stringify(Array.from({ length }, (_, n) => eventOf(at + n)));
  }
}

/** CPU of all processes for some work, in microseconds for each event, and its time in seconds. */
async function measured(server: ImportServer, events: number, work: () => Promise<void>) {
  const before = server.cpuOfAll();
  const began = performance.now();
  await work();
  const seconds = (performance.now() - began) / 1_000;
  return { each: ((server.cpuOfAll() - before) / events) * 1e6, seconds };
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-bench-'));
  const server = await startImportServer({ dataDir, databaseUrl: undefined });
  try {
    const events = Number(options.events);
    await sendAll(server, single(0, jobs * 2));
    await drained(server);
    const bare = await measured(server, events, () => bareInserts(dataDir, events));
    console.log(`a bare insert of it, the database alone: ${bare.each.toFixed(0)} µs of CPU`);
    const all = await measured(server, events, async () => {
      const stored = await measured(server, events, () =>
        sendAll(server, single(jobs * 2, events)),
      );
      console.log(
        `an event, sent singly, while others are read: ${stored.each.toFixed(0)} µs of CPU, ` +
          `${(events / stored.seconds).toFixed(0)} a second`,
      );
      await drained(server);
    });
    console.log(
      `an event, sent singly, through to lineage: ${all.each.toFixed(0)} µs of CPU, ` +
        `${(events / all.seconds).toFixed(0)} a second`,
    );
    const many = await measured(server, events, async () => {
      await sendAll(server, batches(jobs * 2 + events, events));
      await drained(server);
    });
    console.log(
      `in batches of ${perBatch}, through to lineage: ${many.each.toFixed(0)} µs of CPU, ` +
        `${(events / many.seconds).toFixed(0)} a second`,
    );
    const memory = server.watchMemory();
    await sendAll(server, batches(jobs * 2 + 2 * events, Number(options.memory)));
    await drained(server);
    const { idle, peak } = memory.end();
    console.log(
      `${options.memory} events: ${idle.toFixed(0)} MB before, ${peak.toFixed(0)} MB at most`,
    );
  } finally {
    await server.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

/** The same bodies written to a table of that database, one a statement on one connection. */
async function bareInserts(dataDir: string, count: number): Promise<void> {
  const url = execFileSync(process.execPath, ['scripts/command.mjs', 'db-url'], {
    env: { ...process.env, DATA_DIR: dataDir },
    encoding: 'utf8',
  }).trim();
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => {});
  await client.connect();
  await client.query('create table bare_event (id uuid primary key, at timestamptz, body jsonb)');
  for (let at = 0; at < count; at += 1) {
    await client.query('insert into bare_event values ($1, now(), $2)', [
      randomUUID(),
      JSON.stringify(eventOf(at)),
    ]);
  }
  await client.query('drop table bare_event');
  await client.end();
}

await main();
