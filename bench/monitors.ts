// 2,000 monitors due every ten seconds, over four worker processes that are killed and stopped in turn: how
// late they are made into jobs, begun and read, whether any is lost or measured twice, and what a run
// costs.
//
//   node scripts/postgres.mjs npm run bench -- monitors [--url ...] [--rounds 6] [--kills 6] [--tables 200]
//
// It ends with 1 where one is lost or measured twice, where a worker that is told to stop does not end by itself
// with 0, or of a hundred one is made into a job later than a second after its instant.
//
// The login may make databases and roles: the bench makes a database of its own for the catalog and
// one for the source, and drops both.

import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { ofTime } from '../gates/times.ts';
import { serverId, serverViewer } from '../src/auth/viewer.ts';
import { makeWorkspace } from '../src/auth/workspace.ts';
import { type Context, contextFor, type ServerContext } from '../src/context.ts';
import { seeingEvery } from '../src/database/connections/session-settings.ts';
import type { Database } from '../src/database/database.ts';
import { openDatabase } from '../src/database/open.ts';
import { transaction } from '../src/database/transaction.ts';
import { createIntegration } from '../src/integrations/integration.ts';
import { createMonitor } from '../src/monitors/monitor.ts';
import { createResource } from '../src/resources/editing/edit.ts';
import { randomFrom } from '../test/trials/random.ts';
import { busySince, report, reportCost } from './monitors-report.ts';
import { surroundings } from './monitors-settings.ts';
import { startWorkers } from './monitors-workers.ts';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string', default: process.env.DATABASE_URL },
    rounds: { type: 'string', default: '6' },
    kills: { type: 'string', default: '6' },
    tables: { type: 'string', default: '200' },
  },
});

const tables = Number(options.tables);
const columnsOfTable = 9;
const roundMs = 10_000;
/** Tables of the catalog that are made at once. */
const makers = 8;

if (options.url) await bench(new URL(options.url), Number(options.rounds), Number(options.kills));
else {
  console.error('Say which PostgreSQL server with --url or DATABASE_URL.');
  process.exitCode = 2;
}

async function bench(server: URL, rounds: number, kills: number): Promise<void> {
  const names = { catalog: named('catalog'), source: named('source') };
  const root = new pg.Client({ connectionString: server.href });
  // A connection that breaks fails its statement, and must not end the process.
  root.on('error', () => {});
  await root.connect();
  for (const name of Object.values(names)) await root.query(`create database ${name}`);
  await root.query(`create role ${names.source} login password 'bench'`);
  const url = at(server, names.catalog);
  const database = await openDatabase({ databaseUrl: url });
  // What is looked at next to the program is of every workspace.
  const all = new pg.Pool({ connectionString: seeingEvery(url), max: 2 });
  all.on('error', () => {});
  try {
    await makeSource(at(server, names.source), names.source);
    const ctx = await makeCatalog(database);
    await makeMonitors(ctx, server, names.source);
    await play(all, url, rounds, kills);
  } finally {
    await all.end();
    await database.close();
    for (const name of Object.values(names)) {
      await root.query(`drop database if exists ${name} with (force)`);
    }
    await root.query(`drop role ${names.source}`);
    await root.end();
  }
}

function named(what: string): string {
  return `headwater_bench_${what}_${randomUUID().slice(0, 8)}`;
}

function at(server: URL, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

async function makeSource(url: string, role: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // A connection that breaks fails its statement, and must not end the process.
  client.on('error', () => {});
  await client.connect();
  const columns = Array.from({ length: columnsOfTable }, (_, i) => `c${i} int`).join(', ');
  for (let n = 0; n < tables; n += 1) {
    await client.query(`create table t${n} (${columns})`);
    await client.query(`insert into t${n} (c0) select g from generate_series(1, 50) g`);
  }
  await client.query(`grant select on all tables in schema public to ${role}`);
  await client.end();
}

async function makeCatalog(database: Database): Promise<ServerContext> {
  const ctx = contextFor(database, serverViewer(serverId));
  const { workspaceId } = await transaction(ctx, (tx) =>
    makeWorkspace(tx, { name: 'Bench', email: 'bench@example.com' }),
  );
  return { ...contextFor(database, serverViewer(workspaceId)), surroundings };
}

async function makeMonitors(ctx: ServerContext, server: URL, source: string): Promise<void> {
  const { id: integrationId } = await createIntegration(ctx, {
    type: 'postgres',
    credentials: {
      ...{ host: server.hostname, port: Number(server.port || 5432), database: source },
      ...{ user: source, password: 'bench', ssl: 'disable' },
    },
  });
  const numbers = Array.from({ length: tables }, (_, n) => n);
  await Promise.all(
    Array.from({ length: makers }, async () => {
      for (let n = numbers.pop(); n !== undefined; n = numbers.pop()) {
        await makeTable(ctx, { n, integrationId, source });
      }
    }),
  );
  console.log(`${tables * (columnsOfTable + 1)} monitors on ${tables} tables.`);
}

async function makeTable(
  ctx: Context,
  { n, integrationId, source }: { n: number; integrationId: string; source: string },
): Promise<void> {
  const table = await createResource(ctx, 'table', { title: `t${n}` });
  const columns = [];
  for (let i = 0; i < columnsOfTable; i += 1) {
    const input = { title: `c${i}`, parentId: table.id, type: 'integer' };
    columns.push(await createResource(ctx, 'column', input));
  }
  const { workspaceId } = ctx;
  const ids = [table, ...columns].map(({ id }) => id);
  await transaction(ctx, (tx) =>
    tx.db.resource.updateMany({
      where: { workspaceId, id: { in: ids } },
      data: { integrationId, databaseName: source, schemaName: 'public' },
    }),
  );
  await createMonitor(ctx, { targetId: table.id, metricType: 'row_count' });
  for (const { id } of columns) {
    await createMonitor(ctx, { targetId: id, metricType: 'null_percentage' });
  }
}

/** Let the rounds pass, and print what came of them. */
async function play(all: pg.Pool, url: string, rounds: number, kills: number): Promise<void> {
  const workers = await startWorkers(url);
  const first = Math.ceil((Date.now() + 5_000) / 1_000) * 1_000;
  const instants = Array.from({ length: rounds }, (_, i) => first + i * roundMs);
  const ending = workers.endAtRandom(randomFrom(1), kills, instants);
  const before = busySince();
  try {
    for (const instant of instants) {
      await sleep(Math.max(0, instant - 4_000 - Date.now()));
      await makeDue(all, instant);
    }
    await sleep(Math.max(0, first + rounds * roundMs - Date.now()));
    const busy = busySince(before);
    const unclean = await ending;
    // A job whose worker was killed late is taken back after its lease.
    await sleep(8_000);
    await drain(all);
    const spent = workers.spent();
    const { runs, faults, late, words } = await report(all, instants, roundMs);
    reportCost(spent, runs, busy);
    const counted = [...unclean, ...faults, ...ofTime(late)];
    for (const fault of counted) console.log(fault);
    const killed = Math.ceil(kills / 2);
    console.log(`${killed} workers killed, ${kills - killed} stopped: ${words}`);
    if (counted.length > 0) process.exitCode = 1;
  } finally {
    await workers.end();
  }
}

/** Wait until nothing is queued, for a minute at most: what is late is not lost. */
async function drain(all: pg.Pool): Promise<void> {
  for (let second = 0; second < 60; second += 1) {
    const { rowCount } = await all.query(
      "select from job where state in ('queued', 'running') limit 1",
    );
    if (rowCount === 0) return;
    await sleep(1_000);
  }
}

/** Locked in the order in which runs lock them, so that neither waits for the other for good. */
async function makeDue(all: pg.Pool, instant: number): Promise<void> {
  await all.query(
    `with m as (select workspace_id, id from monitor order by id for update)
     update monitor x set next_run_at = $1 from m
     where x.workspace_id = m.workspace_id and x.id = m.id`,
    [new Date(instant)],
  );
}
