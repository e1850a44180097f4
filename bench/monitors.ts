// 2,000 monitors due every ten seconds, over four worker processes that are killed at random: how
// late they are measured, and whether any is lost or measured twice.
//
//   tsx bench/monitors.ts --url postgresql://user@127.0.0.1:5432/postgres [--rounds 6] [--kills 6]
//
// The login may make databases and roles: the bench makes a database of its own for the catalog and
// one for the source, and drops both.

import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { makeWorkspace } from '../src/auth/first-admin.ts';
import { serverId, serverViewer } from '../src/auth/viewer.ts';
import { type Context, contextFor } from '../src/context.ts';
import { type Database, openDatabase } from '../src/database/open.ts';
import { transaction } from '../src/database/transaction.ts';
import { createIntegration } from '../src/integrations/integration.ts';
import { useIntegrationSettings } from '../src/integrations/settings.ts';
import { createMonitor } from '../src/monitors/monitor.ts';
import { createResource } from '../src/resources/edit.ts';
import { benchSettings } from './monitors-settings.ts';
import { type Random, randomFrom } from './random.ts';

const { values: options } = parseArgs({
  options: {
    url: { type: 'string' },
    rounds: { type: 'string', default: '6' },
    kills: { type: 'string', default: '6' },
  },
});

const tables = 200;
const columnsOfTable = 9;
const workers = 4;
const roundMs = 10_000;
const worker = fileURLToPath(new URL('./monitors-worker.ts', import.meta.url));

if (options.url) await bench(new URL(options.url), Number(options.rounds), Number(options.kills));
else console.log('Say which PostgreSQL server with --url.');

async function bench(server: URL, rounds: number, kills: number): Promise<void> {
  const names = { catalog: named('catalog'), source: named('source') };
  const root = new pg.Client({ connectionString: server.href });
  await root.connect();
  for (const name of Object.values(names)) await root.query(`create database ${name}`);
  await root.query(`create role ${names.source} login password 'bench'`);
  const url = at(server, names.catalog);
  const database = await openDatabase({ databaseUrl: url });
  useIntegrationSettings(database, benchSettings);
  try {
    await makeSource(at(server, names.source), names.source);
    const ctx = await makeCatalog(database);
    await makeMonitors(ctx, server, names.source);
    const instants = await play(database, url, rounds, kills);
    await report(database, instants);
  } finally {
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
  await client.connect();
  const columns = Array.from({ length: columnsOfTable }, (_, i) => `c${i} int`).join(', ');
  for (let n = 0; n < tables; n += 1) {
    await client.query(`create table t${n} (${columns})`);
    await client.query(`insert into t${n} (c0) select g from generate_series(1, 50) g`);
  }
  await client.query(`grant select on all tables in schema public to ${role}`);
  await client.end();
}

async function makeCatalog(database: Database): Promise<Context> {
  const ctx = contextFor(database, serverViewer(serverId));
  const key = { key: randomUUID(), hash: randomUUID() };
  const { workspaceId } = await transaction(ctx, (tx) =>
    makeWorkspace(tx, { name: 'Bench', email: 'bench@example.com', ...key }),
  );
  return contextFor(database, serverViewer(workspaceId));
}

async function makeMonitors(ctx: Context, server: URL, source: string): Promise<void> {
  const { id: integrationId } = await createIntegration(ctx, {
    type: 'postgres',
    credentials: {
      ...{ host: server.hostname, port: Number(server.port || 5432), database: source },
      ...{ user: source, password: 'bench', ssl: 'disable' },
    },
  });
  for (let n = 0; n < tables; n += 1) {
    const table = await createResource(ctx, 'table', { title: `t${n}` });
    const columns = [];
    for (let i = 0; i < columnsOfTable; i += 1) {
      const input = { title: `c${i}`, parentId: table.id, type: 'integer' };
      columns.push(await createResource(ctx, 'column', input));
    }
    const { workspaceId } = ctx;
    await ctx.db.resource.updateMany({
      where: { workspaceId, id: { in: [table, ...columns].map(({ id }) => id) } },
      data: { integrationId, databaseName: source, schemaName: 'public' },
    });
    await createMonitor(ctx, { targetId: table.id, metricType: 'row_count' });
    for (const { id } of columns) {
      await createMonitor(ctx, { targetId: id, metricType: 'null_percentage' });
    }
  }
  console.log(`${tables * (columnsOfTable + 1)} monitors on ${tables} tables.`);
}

/** Let the rounds pass; the instants at which the monitors were due. */
async function play(
  database: Database,
  url: string,
  rounds: number,
  kills: number,
): Promise<number[]> {
  const random = randomFrom(1);
  const running = await Promise.all(Array.from({ length: workers }, () => start(url)));
  const first = Math.ceil((Date.now() + 5_000) / 1_000) * 1_000;
  const instants = Array.from({ length: rounds }, (_, i) => first + i * roundMs);
  const killing = killAtRandom(running, url, random, kills, first, rounds * roundMs);
  try {
    for (const instant of instants) {
      await sleep(Math.max(0, instant - 4_000 - Date.now()));
      await makeDue(database, instant);
    }
    // A job whose worker was killed late is taken back after its lease.
    await sleep(Math.max(0, (instants.at(-1) ?? 0) + roundMs + 8_000 - Date.now()));
    await killing;
    await drain(database);
  } finally {
    for (const child of running) child.kill('SIGKILL');
  }
  return instants;
}

/** Wait until nothing is queued, for a minute at most: what is late is not lost. */
async function drain({ prisma }: Database): Promise<void> {
  const waiting = { where: { state: { in: ['queued', 'running'] } } };
  for (let second = 0; second < 60; second += 1) {
    if ((await prisma.job.count(waiting)) === 0) return;
    await sleep(1_000);
  }
}

/** Locked in the order in which runs lock them, so that neither waits for the other for good. */
async function makeDue({ pool }: Database, instant: number): Promise<void> {
  await pool.query(
    `with m as (select workspace_id, id from monitor order by id for update)
     update monitor x set next_run_at = $1 from m
     where x.workspace_id = m.workspace_id and x.id = m.id`,
    [new Date(instant)],
  );
}

async function start(url: string): Promise<ChildProcess> {
  const env = { ...process.env, DATABASE_URL: url };
  const child = fork(worker, { execArgv: ['--import', 'tsx'], env });
  await new Promise((resolve) => child.once('message', resolve));
  return child;
}

/** Kill a worker now and then, and start another one in its place. */
async function killAtRandom(
  running: ChildProcess[],
  url: string,
  random: Random,
  kills: number,
  first: number,
  length: number,
): Promise<void> {
  const moments = Array.from({ length: kills }, () => first + random.even() * length);
  for (const moment of moments.sort((a, b) => a - b)) {
    await sleep(Math.max(0, moment - Date.now()));
    const place = random.whole(0, running.length - 1);
    running[place]?.kill('SIGKILL');
    running[place] = await start(url);
  }
  console.log(`${kills} workers were killed.`);
}

interface Fire {
  readonly monitor: string;
  readonly fired: Date;
  readonly measured: Date;
}

/** Each measurement belongs to the instant after which its job was made. */
async function report({ pool }: Database, instants: readonly number[]): Promise<void> {
  const { rows: fires } = await pool.query<Fire>(
    `select x.monitor_id as monitor, j.created_at as fired, x.created_at as measured
     from measurement x join job j on j.workspace_id = x.workspace_id and j.id = x.job_id`,
  );
  const { rows: counted } = await pool.query<{ n: number }>('select count(*)::int n from monitor');
  const seen = new Map<string, number>();
  const late = { fired: [] as number[], measured: [] as number[] };
  for (const { monitor, fired, measured } of fires) {
    const instant = instants.findLast((at) => at <= fired.getTime()) ?? 0;
    const key = `${monitor} ${instant}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    late.fired.push(fired.getTime() - instant);
    late.measured.push(measured.getTime() - instant);
  }
  const due = (counted[0]?.n ?? 0) * instants.length;
  const twice = [...seen.values()].filter((times) => times > 1).length;
  console.log(`${due} due, ${due - seen.size} lost, ${twice} measured twice.`);
  console.log(`made into jobs after the instant: ${shares(late.fired)}`);
  console.log(`measured after the instant, spread included: ${shares(late.measured)}`);
}

function shares(ms: number[]): string {
  const sorted = ms.sort((a, b) => a - b);
  const share = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] ?? Number.NaN;
  return `p50 ${share(0.5)} ms, p99 ${share(0.99)} ms, most ${share(1)} ms`;
}
