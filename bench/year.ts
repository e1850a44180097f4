// Simulates a year and more of an active workspace: `npm run bench -- year [--days 500] [--monitors 20] [--tables 100]`.
//
// The server, PostgreSQL and the commands run under a clock that libfaketime moves on a day at a time (Debian's package
// `faketime`, and PostgreSQL). Each day brings four imports through the server, in each of which every edge of lineage changes,
// scheduled monitors on a real source, and one person's change. What a monitor measured that day stands for all of its day:
// its row is written again for every ten minutes before. Every ten days the command `retention` runs with the default settings,
// and what autovacuum would have done in ten days is done by `vacuum`. It ends with 1 where the database grows by more than
// a twentieth once the longest retention of the many is full, or the audit log does not verify.

import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { startPostgres, type TestServer } from '../test/servers.ts';
import { startScript } from '../test/started.ts';
import { type ImportServer, startImportServer } from './import-server.ts';

const { values } = parseArgs({
  options: {
    days: { type: 'string', default: '500' },
    monitors: { type: 'string', default: '20' },
    tables: { type: 'string', default: '100' },
  },
});
const [days, monitors, tables] = [
  Number(values.days),
  Number(values.monitors),
  Number(values.tables),
];
const importsADay = 4;
const measurementsADay = 144;
const everyDays = 10;
/** Measurements are kept for 400 days, which is the longest of what there is much of. */
const fullAfter = 410;
const mostGrowth = 1.05;

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const made = z.object({ data: z.record(z.string(), z.object({ id: z.string() })) });
const identified = z.array(z.object({ id: z.string() }));

async function main(): Promise<number> {
  if (!existsSync(library))
    throw new Error('Install libfaketime (Debian: apt-get install faketime).');
  const folder = mkdtempSync(join(tmpdir(), 'headwater-year-'));
  chmodSync(folder, 0o755);
  const clock = openClock(join(folder, 'clock'));
  await using postgres = await startPostgres();
  if (!postgres) throw new Error('PostgreSQL is not installed.');
  await prepare(postgres);
  const databaseUrl = `postgresql://headwater@127.0.0.1:${postgres.port}/headwater`;
  Object.assign(process.env, {
    API_KEY_DAYS: '0',
    UPLOADS_PER_MINUTE: '0',
    ALLOW_PRIVATE_HOSTS: '127.0.0.1/32',
  });
  const dataDir = join(folder, 'data');
  const server = await startImportServer({ dataDir, databaseUrl, key: 'only-for-this-bench' });
  const command = commandOn({ DATA_DIR: dataDir, DATABASE_URL: databaseUrl });
  try {
    const sizes = await live({ server, postgres, clock, command, folder });
    const full = sizes.find(({ day }) => day >= fullAfter)?.bytes ?? 0;
    const growth = (sizes.at(-1)?.bytes ?? 0) / full;
    console.log((await command('audit-verify')).trim().split('\n').at(-1));
    if (full === 0) return 0;
    console.log(
      `From day ${fullAfter} to ${days} the database grew to ${growth.toFixed(3)} of what it was.`,
    );
    return growth <= mostGrowth ? 0 : 1;
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

type Command = (...args: string[]) => Promise<string>;

/** Runs commands of the program with some settings; what they print. */
function commandOn(settings: Readonly<Record<string, string>>): Command {
  return async (...args) => {
    const { ended, output } = startScript('command.mjs', settings, args);
    if ((await ended) === 0) return output();
    throw new Error(`${args[0]} failed: ${output()}`);
  };
}

/** A clock that all programs follow which are started from now on. */
function openClock(path: string): (day: number) => void {
  const set = (day: number) => writeFileSync(path, `+${day * 24}h\n`, { mode: 0o644 });
  set(0);
  Object.assign(process.env, {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: path,
    FAKETIME_NO_CACHE: '1',
    // Timers and time-outs go on as they do.
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    FAKETIME_DONT_RESET: '1',
  });
  return set;
}

async function prepare(postgres: TestServer): Promise<void> {
  await postgres.run('create role headwater login');
  await postgres.run('create database headwater owner headwater');
  await postgres.run('create database source owner headwater');
  for (let n = 0; n < monitors; n += 1) {
    await postgres.run(
      `create table public.watched_${n} as select generate_series(1, ${1000 + n}) as id;
        alter table public.watched_${n} owner to headwater`,
      'source',
    );
  }
}

interface Parts {
  readonly server: ImportServer;
  readonly postgres: TestServer;
  readonly clock: (day: number) => void;
  readonly command: Command;
  readonly folder: string;
}

interface Size {
  readonly day: number;
  readonly bytes: number;
}

async function live({ server, postgres, clock, command, folder }: Parts): Promise<Size[]> {
  const ask = asker(server);
  const integration = await server.makeIntegration('warehouse');
  const ids = JSON.stringify(await watch(ask, postgres));
  const sizes: Size[] = [];
  for (let day = 1; day <= days; day += 1) {
    clock(day);
    for (let n = 0; n < importsADay; n += 1) {
      await server.upload(integration, writeFiles(folder, day * importsADay + n));
    }
    await ask(`mutation { made: createTag(input: { name: "day ${day}" }) { id } }`);
    await postgres.run(
      `insert into public.watched_${day % monitors} select generate_series(1, ${day % 17})`,
      'source',
    );
    await ask(`mutation { runMonitors(ids: ${ids}) { id } }`);
    await measured(postgres);
    await postgres.run(wholeDay, 'headwater');
    if (day % everyDays > 0) continue;
    await command('retention');
    await postgres.run('vacuum analyze', 'headwater');
    sizes.push({ day, bytes: await report(postgres, day) });
  }
  return sizes;
}

type Ask = (query: string) => Promise<unknown>;

function asker({ base, key }: ImportServer): Ask {
  return async (query) => {
    const response = await fetch(`${base}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query }),
    });
    const text = await response.text();
    if (text.includes('"errors"')) throw new Error(`${query}: ${text}`);
    return JSON.parse(text);
  };
}

/** Monitors on each table of the source; their ids. */
async function watch(ask: Ask, postgres: TestServer): Promise<string[]> {
  const source = made.parse(
    await ask(`mutation { made: createIntegration(type: "postgres", input: { name: "source", credentials: {
      host: "127.0.0.1", port: ${postgres.port}, database: "source", user: "headwater", password: "any", ssl: "disable" } }) { id } }`),
  ).data.made?.id;
  await ask(`mutation { triggerSync(integrationId: "${source}") { id } }`);
  let found: { id: string }[] = [];
  for (let tries = 0; found.length < monitors && tries < 120; tries += 1) {
    await sleep(500);
    found = identified.parse(
      await postgres.run(
        "select id from resource where kind = 'table' and title like 'watched%'",
        'headwater',
      ),
    );
  }
  const monitorIds = [];
  for (const { id } of found) {
    const answer = await ask(`mutation { made: createMonitor(input: { targetId: "${id}",
      metricType: row_count, schedule: { cadence: daily } }) { id } }`);
    monitorIds.push(made.parse(answer).data.made?.id ?? '');
  }
  return monitorIds;
}

/** Tables, and an edge from each to another one, which is another one each time. */
function writeFiles(folder: string, round: number) {
  const lines = (name: string, one: (n: number) => object) => {
    const path = join(folder, `${name}.jsonl`);
    const all = Array.from({ length: tables }, (_, n) => JSON.stringify(one(n)));
    writeFileSync(path, all.join('\n'));
    return path;
  };
  return {
    resources: lines('resources', (n) => ({
      ...{ entity_type: 'table', databuilder_id: keyOf(n), title: `table_${n}` },
      description: `What ${n} holds.`,
    })),
    lineages: lines('lineages', (n) => ({
      from_identifier: { type: 'internal_resource', databuilder_id: keyOf(n) },
      to_identifier: {
        type: 'internal_resource',
        databuilder_id: keyOf(n + 1 + (round % (tables - 1))),
      },
    })),
  };
}

function keyOf(n: number): string {
  return `shop.table_${n % tables}`;
}

/** Wait until each monitor was measured in the last hour of the moved clock. */
async function measured(postgres: TestServer): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const due = await postgres.run(
      `select from monitor m where not exists (select from measurement x where x.workspace_id = m.workspace_id
        and x.monitor_id = m.id and x.created_at > now() - interval '1 hour')`,
      'headwater',
    );
    if (due.length === 0) return;
    await sleep(100);
  }
  throw new Error('The monitors were not measured within a minute.');
}

/** What was measured in the last hour, for every ten minutes of the day before. */
const wholeDay = `insert into measurement (workspace_id, monitor_id, value, upper_threshold, lower_threshold, explanation,
    created_at, updated_at)
  select workspace_id, monitor_id, value, upper_threshold, lower_threshold, explanation,
      created_at - n * interval '10 minutes', created_at - n * interval '10 minutes'
    from (select distinct on (monitor_id) * from measurement where created_at > now() - interval '1 hour'
        order by monitor_id, created_at desc) last, generate_series(1, ${measurementsADay - 1}) n`;

const counted = z.array(
  z.object({ bytes: z.coerce.number(), audit: z.coerce.number() }).catchall(z.coerce.number()),
);

/** Print what there is, and answer the bytes of the database. */
async function report(postgres: TestServer, day: number): Promise<number> {
  const tablesShown = [
    'measurement',
    'lineage_edge',
    'job',
    'incident',
    'notification',
    'audit_log',
  ];
  const [row] = counted.parse(
    await postgres.run(
      `select pg_database_size(current_database()) as bytes,
        pg_total_relation_size('audit_log') + pg_total_relation_size('audit_seal') as audit,
        ${tablesShown.map((name) => `(select count(*) from ${name}) as ${name}`).join(', ')}`,
      'headwater',
    ),
  );
  if (!row) throw new Error('There is no size.');
  const { bytes, audit, ...rows } = row;
  const each = Object.entries(rows).map(([name, count]) => `${name} ${count}`);
  const mb = (size: number) => (size / 1e6).toFixed(0);
  console.log(`day ${day}: ${mb(bytes)} MB, of the audit log ${mb(audit)}; ${each.join(', ')}`);
  return bytes;
}

process.exitCode = await main();
