// Restores a backup into an empty database: all of it, or nothing.

import pg from 'pg';
import { applyWithin, readMigrations } from '../migrations/migrate.ts';
import { copyIn } from './copy-in.ts';
import { type Header, type Manifest, readHeader } from './manifest.ts';
import { openReport, type ProgressListener } from './progress.ts';
import { lockMigrations, messageWithRow, withSession } from './session.ts';
import { putBack, takeOff } from './structure.ts';
import { listOf, readSequences, readTables } from './tables.ts';
import { type EntryReader, readEntries } from './tar.ts';
import { claimEmpty, stepsTo } from './vacancy.ts';

export interface RestoreOptions {
  /** The folder of this program's migrations. */
  readonly migrations?: string | undefined;
  readonly onProgress?: ProgressListener | undefined;
}

/** What was restored. */
export interface Restored {
  readonly manifest: Manifest;
  /** Migrations that the backup did not have yet. */
  readonly applied: readonly string[];
  /** Tables and columns of the backup that are none of this program's. */
  readonly leftOut: readonly string[];
}

/** A file that is a backup, as far as its beginning shows. */
export interface Backup extends AsyncDisposable {
  readonly header: Header;
  readonly reader: EntryReader;
}

/** Begin to read a file. Throws where it is no backup, or has a newer format. */
export async function openBackup(bytes: AsyncIterable<Uint8Array>): Promise<Backup> {
  const reader = readEntries(bytes);
  const dispose = () => reader[Symbol.asyncDispose]();
  try {
    const header = await reader.take('header.json');
    if (header === null) throw new Error('The file is not a backup.');
    return { header: readHeader(header), reader, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/**
 * Restore a backup into the database at `address`, which is that of the server itself, not of a pooler,
 * in one transaction: the tables as the backup had them, their rows, which are compared with the manifest,
 * and the migrations that this program has beyond. Throws with one sentence where the database is not
 * empty, the file is damaged or from a newer program, or anything else fails; nothing is changed then.
 */
export async function restore(
  address: string,
  { header, reader }: Backup,
  { migrations, onProgress }: RestoreOptions = {},
): Promise<Restored> {
  const steps = stepsTo(header, await readMigrations(migrations));
  return withSession(address, 'headwater restore', async (client) => {
    // A program that starts in the meantime waits for the restore, and finds its rows.
    await lockMigrations(client, 'alone');
    const report = openReport(header, onProgress);
    await client.query('begin');
    await claimEmpty(client, steps);
    const structure = await takeOff(client);
    const copied = await copyIn(client, header, reader, report);
    await putBack(client, structure, report.step);
    await setSequences(client, copied.manifest);
    for (const migration of steps.after) await applyWithin(client, migration);
    report.step('statistics');
    await client.query(`analyze ${listOf((await readTables(client)).map(({ name }) => name))}`);
    await commit(client);
    return { ...copied, applied: steps.after.map(({ name }) => name) };
  });
}

async function commit(client: pg.ClientBase): Promise<void> {
  try {
    await client.query('commit');
  } catch (error) {
    throw new Error(
      `The connection broke at the end: ${messageWithRow(error)}. Check whether the database is empty or complete.`,
      { cause: error },
    );
  }
}

async function setSequences(client: pg.ClientBase, { sequences }: Manifest): Promise<void> {
  const own = new Set((await readSequences(client)).map(({ name }) => name));
  for (const { name, next } of sequences) {
    // Unlike setval, this is undone with the transaction.
    const statement = `alter sequence ${pg.escapeIdentifier(name)} restart with ${next}`;
    if (own.has(name)) await client.query(statement);
  }
}
