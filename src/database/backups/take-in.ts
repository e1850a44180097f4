// Takes the backup of one workspace into a database that others are worked in.

import pg from 'pg';
import { readHistory } from '../migrations/migrate.ts';
import { shareMigrationLock } from '../migrations/migration-lock.ts';
import { copyIn } from './copy-in.ts';
import type { Header, Manifest } from './manifest.ts';
import { openReport, type ProgressListener } from './progress.ts';
import type { Backup } from './restore.ts';
import { messageWithRow } from './session.ts';
import { isViolation } from './structure.ts';
import { type BackupTable, listOf, readSequences, readTables } from './tables.ts';

/** Settings are those of the server; the others are made of resources by triggers. */
const leftOut = new Set(['setting', 'search_document', 'title_word']);
/** Who has written there keeps the log from being sealed until the end: they come last. */
const logs = new Set(['audit_log', 'audit_seal', 'audit_cut']);
/** Numbers that sequences jump over: others may draw some while one is set. */
const margin = 1_000_000;

/** Tables that hold what is to be taken in, gone with the transaction. */
const incoming = (table: string) => `incoming_${table}`;

/** What was taken in. */
export interface TakenIn {
  readonly workspace: Manifest['workspaces'][number];
  readonly contents: Manifest['contents'];
}

/**
 * Take in a workspace with all its ids, in the transaction that is open on the client, which shows the rows of all
 * workspaces. Throws with one sentence where the file holds several, is damaged, or is of another version than the
 * tables; where the workspace is there already; and where a row of it can't stand next to those of others.
 */
export async function takeIn(
  client: pg.ClientBase,
  { header, reader }: Backup,
  onProgress?: ProgressListener,
): Promise<TakenIn> {
  // As the login itself, which owns the tables: whom requests run as may not copy.
  await client.query('set local role none');
  await shareMigrationLock(client);
  await mustBeOfTables(client, header);
  const report = openReport(header, onProgress);
  // The file may have tables that somebody made by hand where it comes from.
  const own = new Set((await readTables(client)).map(({ name }) => name));
  const tables = header.tables.filter(({ name }) => own.has(name));
  for (const { name } of tables) {
    const [to, from] = [pg.escapeIdentifier(incoming(name)), pg.escapeIdentifier(name)];
    await client.query(`create temp table ${to} (like ${from}) on commit drop`);
  }
  const copied = await copyIn(client, header, reader, report, incoming);
  const workspace = await onlyWorkspace(client, copied.manifest, tables);
  await mustBeAway(client, workspace.id);
  await passNumbers(client, copied.manifest);
  for (const table of await inOrder(client, tables)) {
    report.step(table.name);
    await addRows(client, table);
  }
  return { workspace, contents: copied.manifest.contents };
}

async function mustBeOfTables(client: pg.ClientBase, header: Header): Promise<void> {
  const applied = (await readHistory(client)).filter(({ finished }) => finished);
  if (applied.length === 0) {
    throw new Error('The database has no tables yet: put the file there with npm run restore.');
  }
  const own = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  const strange = header.migrations.find(({ name, checksum }) => own.get(name) !== checksum);
  if (strange) {
    throw new Error(
      `The file was made by version ${header.program} and has the migration ${strange.name}, which this ` +
        'database does not have: upgrade the server first.',
    );
  }
  const there = new Set(header.migrations.map(({ name }) => name));
  const missing = applied.find(({ name }) => !there.has(name));
  if (!missing) return;
  throw new Error(
    `The file was made by version ${header.program}, before the migration ${missing.name}: restore it into an ` +
      'empty database with this program (npm run restore), and export the workspace from there.',
  );
}

/** The workspace that all rows of the file are of. */
async function onlyWorkspace(
  client: pg.ClientBase,
  manifest: Manifest,
  tables: readonly BackupTable[],
): Promise<Manifest['workspaces'][number]> {
  const [workspace, ...others] = manifest.workspaces;
  if (!workspace || others.length > 0) {
    throw new Error(
      `The file holds ${manifest.workspaces.length} workspaces: restore it into an empty database (npm run ` +
        'restore), and export the one that you want from there.',
    );
  }
  for (const { name, columns } of tables) {
    const column = name === 'workspace' ? 'id' : 'workspace_id';
    if (!columns.includes(column)) continue;
    const { rowCount } = await client.query(
      `select from ${pg.escapeIdentifier(incoming(name))} where ${column} <> $1 limit 1`,
      [workspace.id],
    );
    if (rowCount !== 0) throw new Error(`The file has rows of other workspaces in ${name}.`);
  }
  return workspace;
}

async function mustBeAway(client: pg.ClientBase, id: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    'select name from workspace where id = $1',
    [id],
  );
  const [there] = rows;
  if (!there) return;
  throw new Error(`The workspace ${there.name} (${id}) is here already: delete it first.`);
}

/** Go on numbering after the numbers of the file. It stays when the transaction is undone, which only leaves a gap. */
async function passNumbers(client: pg.ClientBase, { sequences }: Manifest): Promise<void> {
  const own = new Map((await readSequences(client)).map(({ name, next }) => [name, BigInt(next)]));
  for (const { name, next } of sequences) {
    const ours = own.get(name);
    if (ours === undefined || ours >= BigInt(next)) continue;
    const after = BigInt(next) + BigInt(margin);
    await client.query('select setval($1::regclass, $2)', [
      pg.escapeIdentifier(name),
      after.toString(),
    ]);
  }
}

/** The tables whose rows are added, each after those that it refers to. */
async function inOrder(
  client: pg.ClientBase,
  tables: readonly BackupTable[],
): Promise<BackupTable[]> {
  const { rows } = await client.query<{ from: string; to: string }>(
    `select f.relname::text as "from", t.relname::text as "to" from pg_constraint c
       join pg_class f on f.oid = c.conrelid join pg_class t on t.oid = c.confrelid
     where c.contype = 'f' and f.oid <> t.oid
       and f.relnamespace = (select oid from pg_namespace where nspname = current_schema())`,
  );
  const left = new Map(
    tables.filter(({ name }) => !leftOut.has(name)).map((table) => [table.name, table]),
  );
  const order: BackupTable[] = [];
  while (left.size > 0) {
    const next = [...left.values()].filter(
      ({ name }) => !rows.some(({ from, to }) => from === name && left.has(to)),
    );
    if (next.length === 0) {
      throw new Error(`The tables ${[...left.keys()].join(', ')} refer to each other.`);
    }
    for (const { name } of next) left.delete(name);
    order.push(...next);
  }
  const isLog = ({ name }: BackupTable) => logs.has(name);
  return [...order.filter((table) => !isLog(table)), ...order.filter(isLog)];
}

async function addRows(client: pg.ClientBase, { name, columns }: BackupTable): Promise<void> {
  const [to, from] = [pg.escapeIdentifier(name), pg.escapeIdentifier(incoming(name))];
  const list = listOf(columns);
  try {
    // One statement: rows of a table may refer to others of it.
    await client.query(`insert into ${to} (${list}) select ${list} from ${from}`);
  } catch (error) {
    if (!isViolation(error)) throw error;
    throw new Error(
      `The table ${name} has a row here that a row of the file can't stand next to: ${messageWithRow(error)}.`,
      { cause: error },
    );
  }
}
