// Moves a workspace from one PostgreSQL server to another under load: what a cell's operator would do, in SQL alone.
//
// The bulk is PostgreSQL's own copy, which begins at the very moment from which replication goes on; an export has a snapshot of
// its own. A row filter keeps both to one workspace.

import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import type { TestServer } from '../../test/servers.ts';

const database = 'headwater';
/** The same in both, and gone afterwards. */
const name = 'headwater_move';
/** Numbers that the sequences of the new server jump over. */
const margin = 1_000_000;
const patienceMs = 240_000;

/** How long the parts of a move took, in milliseconds. */
export interface Moved {
  readonly copyMs: number;
  /** From the first write that was refused until the new server may be written to. */
  readonly readOnlyMs: number;
  /** Tables whose rows were compared by a checksum, and the rows. */
  readonly tables: number;
  readonly rows: number;
}

export interface Servers {
  readonly from: TestServer;
  readonly to: TestServer;
}

/** Made of resources by triggers, at the new server too; replication does not run those of whole statements. */
const derived = ['search_document', 'title_word'];

const named = z.array(z.object({ name: z.string(), key: z.string() }));
const sums = z.array(z.object({ rows: z.coerce.number(), sum: z.string().nullable() }));
const one = z.array(z.object({ value: z.string().nullable() }));

/**
 * Move a workspace. `switchOver` is called between the last write on the old server and the first on the new one. Throws
 * where the rows of both differ; the workspace is then still the old server's.
 */
export async function move(
  servers: Servers,
  workspace: string,
  switchOver: () => Promise<void>,
): Promise<Moved> {
  const { from, to } = servers;
  const tables = await tablesOf(from);
  const began = performance.now();
  await buildFence(from, tables, workspace);
  await replicate(servers, tables, workspace);
  const copied = performance.now();
  const refused = performance.now();
  await closeFence(from);
  await caughtUp(servers);
  await to.run(derive(workspace), database);
  const rows = await compared(servers, tables, workspace);
  await to.run(`drop subscription ${name}`, database);
  await passNumbers(servers);
  await switchOver();
  const readOnlyMs = performance.now() - refused;
  await from.run(`drop publication ${name}`, database);
  return { copyMs: copied - began, readOnlyMs, tables: tables.length, rows };
}

/** Workers of replication look for nothing by itself: the functions of triggers get the path that sessions have. */
export async function preparedForReplication(server: TestServer): Promise<void> {
  await server.run(
    `do $$ declare f text; begin
      for f in select p.oid::regprocedure from pg_proc p
        where p.pronamespace = 'public'::regnamespace and p.prorettype = 'trigger'::regtype
      loop execute format('alter function %s set search_path = public', f); end loop; end $$`,
    database,
  );
}

/** Let the old server delete what it no longer has, which writes to rows of others. */
export async function liftFence(from: TestServer): Promise<void> {
  for (const table of await tablesOf(from)) {
    await whenQuiet(from, `drop trigger ${name} on ${table.name}`);
  }
  await from.run(`drop function ${name}_fence(); drop table ${name}_fence`, database);
}

/** Run a statement that waits for a moment in which no one writes to a table; others wait for it 2 s at most. */
async function whenQuiet(server: TestServer, statements: string): Promise<void> {
  const script = `begin; set local lock_timeout = '2s'; ${statements}; commit`;
  const isDone = () =>
    server.run(script, database).then(
      () => true,
      () => false,
    );
  await until(isDone, `There is no moment for ${statements}.`);
}

/** Tables with rows of workspaces that survive a crash, and their column with its id. */
async function tablesOf(server: TestServer) {
  return named.parse(
    await server.run(
      `select quote_ident(c.relname) as name, case c.relname when 'workspace' then 'id' else 'workspace_id' end as key
        from pg_class c join pg_attribute a on a.attrelid = c.oid and not a.attisdropped
          and a.attname = case c.relname when 'workspace' then 'id' else 'workspace_id' end
        where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
          and c.relname <> all('{${derived.join(',')}}') order by 1`,
      database,
    ),
  );
}

type Tables = Awaited<ReturnType<typeof tablesOf>>;

/** Copy the rows, and go on with what changes; answers when all tables are copied. */
async function replicate({ from, to }: Servers, tables: Tables, id: string): Promise<void> {
  const filtered = tables.map((table) => `${table.name} where (${table.key} = '${id}'::uuid)`);
  await from.run(`create publication ${name} for table ${filtered.join(', ')}`, database);
  const at = `host=127.0.0.1 port=${from.port} user=owner dbname=${database}`;
  await to.run(`create subscription ${name} connection '${at}' publication ${name}`, database);
  const waiting = `select count(*)::text as value from pg_subscription_rel where srsubstate <> 'r'`;
  await until(async () => (await textOf(to, waiting)) === '0', 'The tables were not copied.');
}

/** What the triggers of whole statements would have made of rows that came one by one. */
const derive = (id: string) => `insert into search_document (workspace_id, resource_id, doc)
    select s.* from search_source s where s.workspace_id = '${id}'::uuid and not exists (select from search_document d
      where d.workspace_id = s.workspace_id and d.resource_id = s.resource_id) on conflict do nothing;
  insert into title_word (workspace_id, word, transaction)
    select distinct t.workspace_id, w.word collate "C", 0
      from (select distinct r.workspace_id, r.title from resource r where r.workspace_id = '${id}'::uuid) t,
        words_of_title(t.title) w on conflict do nothing`;

/**
 * Triggers that will refuse the writes of the workspace, with the code of a server that may only be read. They are made
 * one by one, long before: each waits for a moment in which no one writes to its table.
 */
async function buildFence(from: TestServer, tables: Tables, id: string): Promise<void> {
  await from.run(
    `create unlogged table ${name}_fence ();
    create function ${name}_fence() returns trigger language plpgsql as $$ begin
      if exists (select from public.${name}_fence) then
        raise exception 'the workspace moves' using errcode = '25006';
      end if;
      return new; end $$`,
    database,
  );
  for (const table of tables) {
    await whenQuiet(
      from,
      `create trigger ${name} before insert or update on ${table.name} for each row
        when (new.${table.key} = '${id}'::uuid) execute function ${name}_fence();
      alter table ${table.name} enable always trigger ${name}`,
    );
  }
}

/** Refuse all writes from now on: those that were under way are waited for. */
async function closeFence(from: TestServer): Promise<void> {
  await from.run(`insert into ${name}_fence default values`, database);
  const now = await textOf(from, 'select pg_snapshot_xmax(pg_current_snapshot())::text as value');
  const over = `select (pg_snapshot_xmin(pg_current_snapshot()) >= '${now}'::xid8)::text as value`;
  await until(async () => (await textOf(from, over)) === 'true', 'A transaction does not end.');
}

/** Wait until the new server has all that the old one had committed when this was called. */
async function caughtUp({ from }: Servers): Promise<void> {
  const upTo = await textOf(from, 'select pg_current_wal_lsn()::text as value');
  const confirmed = `select (confirmed_flush_lsn >= '${upTo}'::pg_lsn)::text as value
    from pg_replication_slots where slot_name = '${name}'`;
  await until(async () => (await textOf(from, confirmed)) === 'true', 'The rest did not come.');
}

/** How many rows there are; throws where those of the two servers differ. */
async function compared({ from, to }: Servers, tables: Tables, id: string): Promise<number> {
  let all = 0;
  for (const table of tables) {
    const statement = `select count(*) as rows, sum(hashtextextended(t::text, 0)::numeric)::text as sum
      from ${table.name} t where ${table.key} = '${id}'::uuid`;
    const [old] = sums.parse(await from.run(statement, database));
    const [copy] = sums.parse(await to.run(statement, database));
    if (JSON.stringify(old) !== JSON.stringify(copy)) {
      throw new Error(`${table.name} differs: ${JSON.stringify(old)}, ${JSON.stringify(copy)}.`);
    }
    all += old?.rows ?? 0;
  }
  return all;
}

/** Go on numbering past the numbers of both. */
async function passNumbers({ from, to }: Servers): Promise<void> {
  const all = z.array(z.object({ name: z.string(), last: z.coerce.number() })).parse(
    await from.run(
      `select quote_ident(sequencename) as name, coalesce(last_value, 1)::text as last from pg_sequences
          where schemaname = 'public'`,
      database,
    ),
  );
  for (const { name: sequence, last } of all) {
    await to.run(
      `select setval('${sequence}', greatest(${last}, (select last_value from ${sequence})) + ${margin})`,
      database,
    );
  }
}

async function textOf(server: TestServer, statement: string): Promise<string | null> {
  return one.parse(await server.run(statement, database))[0]?.value ?? null;
}

async function until(isSo: () => Promise<boolean>, otherwise: string): Promise<void> {
  for (const end = performance.now() + patienceMs; performance.now() < end; await sleep(20)) {
    if (await isSo()) return;
  }
  throw new Error(otherwise);
}
