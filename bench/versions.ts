// Measures what counting versions costs an update of many rows, in several ways of counting.
//
//   node scripts/postgres.mjs npm run bench:versions -- [--rows 100000] [--rounds 5]
//
// DATABASE_URL names an empty database of a server on this machine: the CPU time is that of the process of
// the connection, read from /proc, since wall time says little where others work. Medians of the rounds, the
// ways taking turns; once with all indexes of the table, once with those of its keys alone.

import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { openDatabase } from '../src/database/open.ts';

const { values: given } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    rounds: { type: 'string', default: '5' },
  },
});
const rows = Number(given.rows);
const rounds = Number(given.rounds);
const databaseUrl = process.env.DATABASE_URL;
if (!databaseUrl) throw new Error('Set DATABASE_URL to an empty database of a server.');

// The tables, as the migrations make them.
await (await openDatabase({ databaseUrl })).close();
const client = new pg.Client({ connectionString: databaseUrl });
client.on('error', () => {});
await client.connect();
try {
  await main();
} finally {
  await client.end();
}

async function main(): Promise<void> {
  const counting = await listedColumns();
  await fill();
  const ways = new Map<string, string | null>([
    ['nothing is counted', null],
    ['a trigger, for every row', 'execute function count_version()'],
    [
      'a trigger, where old.* is distinct from new.*',
      'when (old.* is distinct from new.*) execute function count_version()',
    ],
    ['a trigger, where one of the listed columns is', counting],
    ['version = version + 1 in the statement', null],
  ]);
  for (const indexes of ['all indexes', 'keys alone']) {
    if (indexes === 'keys alone') await dropIndexes();
    await client.query('vacuum analyze resource');
    const costs = new Map([...ways.keys()].map((way) => [way, [] as Cost[]]));
    for (let round = 0; round <= rounds; round += 1) {
      for (const [way, trigger] of ways) {
        const cost = await measure(way, trigger, round);
        // The first round fills the caches.
        if (round > 0) costs.get(way)?.push(cost);
      }
    }
    for (const [way, some] of costs) {
      const [cpu, log] = [
        median(some.map((one) => one.cpuMs)),
        median(some.map((one) => one.logMb)),
      ];
      console.log(`${indexes.padEnd(12)} ${way.padEnd(48)} ${cpu} ms CPU, ${log} MB of log`);
    }
  }
}

/** The condition and function of the trigger that the migrations make. */
async function listedColumns(): Promise<string> {
  const found = await client.query<{ definition: string }>(
    `select pg_get_triggerdef(oid) as definition from pg_trigger where tgname = 'resource_version'`,
  );
  const definition = found.rows[0]?.definition ?? '';
  return definition.slice(definition.indexOf('WHEN'));
}

async function fill(): Promise<void> {
  const made = await client.query<{ id: string }>(
    `insert into workspace (name) values ('Versions') returning id`,
  );
  await client.query(
    `insert into resource (workspace_id, kind, title, title_full, databuilder_id, description,
        definition, team_ids)
      select $1, 'table', 't' || i, 'shop.public.t' || i, 'k' || i, repeat('what it holds ', 6),
        repeat('more of it ', 70), array[gen_random_uuid()]
      from generate_series(1, $2::integer) i`,
    [made.rows[0]?.id, rows],
  );
}

async function dropIndexes(): Promise<void> {
  const found = await client.query<{ name: string }>(
    `select indexrelid::regclass::text as name from pg_index
      where indrelid = 'resource'::regclass and not indisunique`,
  );
  for (const { name } of found.rows) await client.query(`drop index ${name}`);
}

interface Cost {
  readonly cpuMs: number;
  readonly logMb: number;
}

/** Update every row once, as an import does that found other words. */
async function measure(way: string, trigger: string | null, round: number): Promise<Cost> {
  await client.query('drop trigger if exists resource_version on resource');
  if (trigger) {
    await client.query(
      `create trigger resource_version before update on resource for each row ${trigger}`,
    );
  }
  await client.query('vacuum resource');
  await client.query('checkpoint');
  const own = way.startsWith('version =') ? ', version = version + 1' : '';
  const before = await state();
  await client.query(
    `update resource set description = description || 'x', row_count = $1, updated_at = now() ${own}`,
    [round],
  );
  const after = await state();
  return {
    cpuMs: after.cpuMs - before.cpuMs,
    logMb: Math.round((after.log - before.log) / 1_000_000),
  };
}

async function state(): Promise<{ cpuMs: number; log: number }> {
  const found = await client.query<{ pid: number; log: string }>(
    `select pg_backend_pid() as pid, pg_current_wal_insert_lsn() - '0/0' as log`,
  );
  const [row] = found.rows;
  const fields = readFileSync(`/proc/${row?.pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  // utime and stime, in ticks of 10 ms.
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, log: Number(row?.log) };
}

function median(numbers: readonly number[]): number {
  return numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? 0;
}
