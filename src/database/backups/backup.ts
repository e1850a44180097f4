// Makes a backup: the rows of every table as of one moment, while others go on writing.

import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { type Header, type Manifest, toBytes } from './manifest.ts';
import { partName, toParts } from './parts.ts';
import { openReport, type ProgressListener } from './progress.ts';
import { lockMigrations, messageWithRow, withSession } from './session.ts';
import { beginSnapshot, readWorkspaces } from './snapshot.ts';
import { type BackupTable, listOf, readSequences } from './tables.ts';
import { type Counter, openCounter } from './tally.ts';
import { type Entry, pack } from './tar.ts';

/** What of a database one workspace takes along. */
export interface OneWorkspace {
  /** The id of one of all workspaces; throws where none is meant. */
  readonly choose: (all: Manifest['workspaces']) => string;
  /** Settings of the server that stay with it. */
  readonly without: readonly string[];
}

export interface BackupOptions {
  /** The only workspace that is backed up; all of the database where absent. */
  readonly one?: OneWorkspace | undefined;
  /** Takes the bytes of the file, which are made as they are taken. */
  readonly save: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
  readonly onProgress?: ProgressListener | undefined;
}

/**
 * Back up the database at `address`, which is that of the server itself, not of a pooler; what the
 * backup says about itself. No one waits for it but a program that has migrations to apply. Throws
 * with one sentence where it fails: what was saved until then is no backup.
 */
export async function backUp(
  address: string,
  { one, save, onProgress }: BackupOptions,
): Promise<Manifest> {
  return withSession(address, 'headwater backup', async (client) => {
    // Who has migrations to apply waits here. Would it wait for a table, then all who read or write
    // that table would wait behind it.
    await lockMigrations(client, 'shared');
    const header = await beginSnapshot(client);
    const all = await readWorkspaces(client);
    const only = one && { id: one.choose(all), without: one.without };
    const workspaces = only ? all.filter(({ id }) => id === only.id) : all;
    let manifest: Manifest | undefined;
    async function* entries(): AsyncGenerator<Entry> {
      yield { name: 'header.json', bytes: toBytes(header) };
      const contents = yield* tablesOf(client, { header, only }, onProgress);
      // Sequences know no snapshot: read after it was taken, they are past all that it shows.
      const sequences = await readSequences(client);
      manifest = { ...header, contents, sequences, workspaces };
      yield { name: 'manifest.json', bytes: toBytes(manifest) };
    }
    await save(pack(entries(), new Date(header.takenAt)));
    if (manifest === undefined) throw new Error('The backup was not taken to its end.');
    return manifest;
  });
}

/** Whose rows alone are taken. */
interface Only extends Pick<OneWorkspace, 'without'> {
  readonly id: string;
}

interface Contents {
  readonly header: Header;
  readonly only: Only | undefined;
}

/** The parts of all tables; returns what was counted of each. */
async function* tablesOf(
  client: pg.ClientBase,
  { header, only }: Contents,
  onProgress: ProgressListener | undefined,
): AsyncGenerator<Entry, Manifest['contents']> {
  const report = openReport(header, onProgress);
  const contents: Manifest['contents'] = [];
  for (const table of header.tables) {
    const counter = openCounter();
    let number = 0;
    report.table(table.name, counter);
    for await (const bytes of toParts(rowsOf(client, { table, only }, counter))) {
      number += 1;
      yield { name: partName(table.name, number), bytes };
      report.table(table.name, counter);
    }
    contents.push({ table: table.name, ...counter.end() });
    report.done(counter);
  }
  return contents;
}

interface Rows {
  readonly table: BackupTable;
  readonly only: Only | undefined;
}

/** The rows of a table in the text form of COPY, counted. */
async function* rowsOf(
  client: pg.ClientBase,
  { table, only }: Rows,
  counter: Counter,
): AsyncGenerator<Buffer> {
  const { name } = table;
  try {
    for await (const piece of client.query(copyTo(`copy ${sourceOf(table, only)} to stdout`))) {
      counter.add(piece);
      yield piece;
    }
  } catch (error) {
    throw new Error(`The table ${name} can't be read: ${messageWithRow(error)}.`, { cause: error });
  }
}

/** What COPY reads: a table, or of it the rows of one workspace, and of the server's settings those that go along. */
function sourceOf({ name, columns }: BackupTable, only: Only | undefined): string {
  const [table, list] = [pg.escapeIdentifier(name), listOf(columns)];
  if (only === undefined) return `${table} (${list})`;
  const id = `${pg.escapeLiteral(only.id)}::uuid`;
  const settings = only.without.map((one) => pg.escapeLiteral(one)).join(', ');
  const own =
    { workspace: `id = ${id}`, setting: `name not in (${settings})` }[name] ??
    (columns.includes('workspace_id') ? `workspace_id = ${id}` : 'false');
  return `(select ${list} from ${table} where ${own})`;
}
