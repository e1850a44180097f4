// Copies the rows of a backup into tables, and sees that all of them are there.

import { finished } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { type Header, type Manifest, readManifest, type Tally } from './manifest.ts';
import { fromParts, partName } from './parts.ts';
import type { Report } from './progress.ts';
import { messageWithRow } from './session.ts';
import { type BackupTable, listOf, readTables } from './tables.ts';
import { type Counter, openCounter } from './tally.ts';
import { damaged, type EntryReader } from './tar.ts';

/** What a backup held. */
export interface Copied {
  readonly manifest: Manifest;
  /** Tables, and columns as `tag.note`, that the database doesn't have: somebody made them by hand. */
  readonly leftOut: readonly string[];
}

/**
 * Copy what comes after the header into the tables of the database, or into those that `target` calls by other names;
 * they are empty. Compare it with the manifest at the end. Throws with the name of the table that is damaged or not as
 * it was.
 */
export async function copyIn(
  client: pg.ClientBase,
  header: Header,
  reader: EntryReader,
  report: Report,
  target: (table: string) => string = (table) => table,
): Promise<Copied> {
  const own = new Map((await readTables(client)).map(({ name, columns }) => [name, columns]));
  const named = new Set(header.tables.map(({ name }) => name));
  for (const name of own.keys()) {
    if (!named.has(name)) throw new Error(`The backup lacks the table ${name}.`);
  }
  const counted = new Map<string, Tally>();
  const leftOut: string[] = [];
  for (const table of header.tables) {
    const counter = openCounter();
    report.table(table.name, counter);
    const rows = rowsOf(reader, table.name, counter, report);
    const columns = own.get(table.name);
    if (columns) {
      const others = table.columns.filter((column) => !columns.includes(column));
      const into = { ...table, name: target(table.name) };
      await withColumns(client, into.name, others, () => copyTable(client, into, rows, counter));
      leftOut.push(...others.map((column) => `${table.name}.${column}`));
    } else {
      for await (const _ of rows);
      leftOut.push(table.name);
    }
    counted.set(table.name, counter.end());
    report.done(counter);
  }
  const manifest = await takeManifest(reader);
  for (const { name } of header.tables) {
    mustBeSame(
      name,
      counted.get(name),
      manifest.contents.find(({ table }) => table === name),
    );
  }
  return { manifest, leftOut };
}

/** Do some work while a table has more columns, which take any text. */
async function withColumns(
  client: pg.ClientBase,
  table: string,
  columns: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const alter = (change: (column: string) => string) =>
    client.query(
      `alter table ${listOf([table])} ${columns.map((name) => change(listOf([name]))).join(', ')}`,
    );
  if (columns.length > 0) await alter((column) => `add column ${column} text`);
  await work();
  if (columns.length > 0) await alter((column) => `drop column ${column}`);
}

async function takeManifest(reader: EntryReader): Promise<Manifest> {
  const bytes = await reader.take('manifest.json');
  await reader.end();
  if (bytes === null) throw damaged('manifest.json');
  return readManifest(bytes);
}

function mustBeSame(table: string, is: Tally | undefined, was: Tally | undefined): void {
  if (is && was && is.sha256 === was.sha256 && is.rows === was.rows && is.bytes === was.bytes)
    return;
  throw new Error(
    `The table ${table} of the backup is damaged: it has ${is?.rows} rows in ${is?.bytes} bytes; its ` +
      `manifest says ${was?.rows} in ${was?.bytes}, with a checksum. Use another copy of the file.`,
  );
}

/** The rows of a table, counted. */
async function* rowsOf(
  reader: EntryReader,
  table: string,
  counter: Counter,
  report: Report,
): AsyncGenerator<Buffer> {
  async function* parts(): AsyncGenerator<Buffer> {
    for (let number = 1; ; number += 1) {
      const bytes = await reader.take(partName(table, number));
      if (bytes === null) return;
      yield bytes;
    }
  }
  for await (const rows of fromParts(parts(), table)) {
    counter.add(rows);
    yield rows;
    report.table(table, counter);
  }
}

async function copyTable(
  client: pg.ClientBase,
  { name, columns }: BackupTable,
  rows: AsyncIterable<Buffer>,
  counter: Counter,
): Promise<void> {
  const target = `${pg.escapeIdentifier(name)} (${listOf(columns)})`;
  // No one sees the table before the commit: its rows need not be marked as visible later.
  const copy = copyFrom(`copy ${target} from stdin with (freeze)`);
  let failure: unknown;
  const done = finished(copy).catch((error: unknown) => {
    failure = error;
  });
  // A connection of a pool answers with a promise, which ends as the copy does.
  const asked = Promise.resolve(client.query(copy)).catch(() => {});
  try {
    for await (const piece of rows) {
      if (failure !== undefined) break;
      if (copy.write(piece)) continue;
      await Promise.race([done, new Promise((resolve) => copy.once('drain', resolve))]);
    }
  } catch (error) {
    // Else the server waits for more rows, and the connection with it.
    copy.destroy(new Error('the file could not be read'));
    await Promise.all([done, asked]);
    throw error;
  }
  if (failure === undefined) copy.end();
  await Promise.all([done, asked]);
  if (failure !== undefined) {
    throw new Error(`The table ${name} can't be restored: ${messageWithRow(failure)}.`, {
      cause: failure,
    });
  }
  if (copy.rowCount === counter.rows) return;
  throw new Error(`Of ${counter.rows} rows of the table ${name}, ${copy.rowCount} were taken.`);
}
