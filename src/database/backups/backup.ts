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

export interface BackupOptions {
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
  { save, onProgress }: BackupOptions,
): Promise<Manifest> {
  return withSession(address, 'headwater backup', async (client) => {
    // Who has migrations to apply waits here. Would it wait for a table, then all who read or write
    // that table would wait behind it.
    await lockMigrations(client, 'shared');
    const header = await beginSnapshot(client);
    let manifest: Manifest | undefined;
    async function* entries(): AsyncGenerator<Entry> {
      yield { name: 'header.json', bytes: toBytes(header) };
      const contents = yield* tablesOf(client, header, onProgress);
      // Sequences know no snapshot: read after it was taken, they are past all that it shows.
      const sequences = await readSequences(client);
      manifest = { ...header, contents, sequences, workspaces: await readWorkspaces(client) };
      yield { name: 'manifest.json', bytes: toBytes(manifest) };
    }
    await save(pack(entries(), new Date(header.takenAt)));
    if (manifest === undefined) throw new Error('The backup was not taken to its end.');
    return manifest;
  });
}

/** The parts of all tables; returns what was counted of each. */
async function* tablesOf(
  client: pg.ClientBase,
  header: Header,
  onProgress: ProgressListener | undefined,
): AsyncGenerator<Entry, Manifest['contents']> {
  const report = openReport(header, onProgress);
  const contents: Manifest['contents'] = [];
  for (const table of header.tables) {
    const counter = openCounter();
    let number = 0;
    report.table(table.name, counter);
    for await (const bytes of toParts(rowsOf(client, table, counter))) {
      number += 1;
      yield { name: partName(table.name, number), bytes };
      report.table(table.name, counter);
    }
    contents.push({ table: table.name, ...counter.end() });
    report.done(counter);
  }
  return contents;
}

/** The rows of a table in the text form of COPY, counted. */
async function* rowsOf(
  client: pg.ClientBase,
  { name, columns }: BackupTable,
  counter: Counter,
): AsyncGenerator<Buffer> {
  const table = `${pg.escapeIdentifier(name)} (${listOf(columns)})`;
  try {
    for await (const piece of client.query(copyTo(`copy ${table} to stdout`))) {
      counter.add(piece);
      yield piece;
    }
  } catch (error) {
    throw new Error(`The table ${name} can't be read: ${messageWithRow(error)}.`, { cause: error });
  }
}
