// Files that are no whole backup: refused with a sentence that says what, and nothing is changed.

import { gunzipSync, gzipSync } from 'node:zlib';
import { packTar, unpackTar } from 'modern-tar';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Entry } from '../../../src/database/backups/tar.ts';
import { pack } from '../../../src/database/backups/tar.ts';
import { migrationsFolder } from '../../../src/database/migrations/migrate.ts';
import { openCatalog } from '../../catalog.ts';
import { runs, share } from '../../trials/nightly.ts';
import { randomFrom } from '../../trials/random.ts';
import {
  backUpToMemory,
  filledTables,
  makeDatabase,
  restoreFrom,
  structureOf,
  type Target,
} from './databases.ts';

let file: Buffer;
let bare: Target;
let migrated: Target;
let structure: unknown[];

beforeAll(async () => {
  await using catalog = await openCatalog({ alone: true });
  for (let n = 0; n < 60; n++) await catalog.resource({ title: `table ${n}` });
  file = (await backUpToMemory(catalog.url)).file;
  [bare, migrated] = [await makeDatabase(), await makeDatabase(migrationsFolder)];
  structure = await structureOf(migrated.url);
});
afterAll(async () => {
  await bare[Symbol.asyncDispose]();
  await migrated[Symbol.asyncDispose]();
});

let turn = 0;

/**
 * What is said of a file; that it is refused and changes nothing: in a database without tables and in one
 * with empty tables, by turns.
 */
async function refusal(damaged: Buffer): Promise<string> {
  turn += 1;
  const { url } = turn % 2 === 0 ? bare : migrated;
  const error = await restoreFrom(damaged, url).then(
    () => expect.fail('It was restored.'),
    (reason: unknown) => reason,
  );
  expect(await filledTables(url)).toEqual([]);
  expect(await structureOf(url)).toEqual(turn % 2 === 0 ? [] : structure);
  const message = error instanceof Error ? error.message : '';
  expect(message).toMatch(/^[A-Z][^\n]+\.$/);
  return message;
}

/** The entries of the file, for a test to change; the checksums are made again by `repacked`. */
async function entriesOf(tar: Buffer): Promise<Entry[]> {
  const entries = await unpackTar(tar, { strict: true });
  return entries
    .map(({ header, data }) => ({ name: header.name, bytes: Buffer.from(data ?? []) }))
    .filter(({ name }) => name !== 'SHA256SUMS');
}

async function repacked(change: (entries: Entry[]) => Entry[]): Promise<Buffer> {
  const changed = change(await entriesOf(file));
  async function* all() {
    yield* changed;
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of pack(all(), new Date())) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Change what one entry holds. */
const changing = (name: RegExp, change: (bytes: Buffer) => Buffer) => (entries: Entry[]) =>
  entries.map((entry) =>
    name.test(entry.name) ? { name: entry.name, bytes: change(entry.bytes) } : entry,
  );

const changingRows = (table: string, change: (rows: string) => string) =>
  changing(new RegExp(`^tables/${table}/`), (bytes) =>
    gzipSync(change(gunzipSync(bytes).toString())),
  );

test('the file itself is restored', async () => {
  await using target = await makeDatabase();
  await restoreFrom(await repacked((entries) => entries), target.url);
  expect(await filledTables(target.url)).toContain('resource');
});

test('a file that is cut short anywhere', async () => {
  const random = randomFrom(1);
  const cuts = [0, 511, 512, file.length - 512, file.length - 1025];
  for (let n = 0; n < runs(20); n++) cuts.push(random.whole(2_000, file.length - 1_100));
  for (const cut of cuts) {
    const message = await refusal(file.subarray(0, cut));
    expect(message, `at ${cut}`).toMatch(/cut short after \S+: use another copy|is not a backup/);
  }
});

test('a bit that is changed anywhere in what an entry holds', async () => {
  const random = randomFrom(2);
  for (const { header, data } of share(await unpackTar(file, { strict: true }))) {
    const at = file.indexOf(Buffer.from(data ?? [])) + random.whole(0, header.size - 1);
    const changed = Buffer.from(file);
    changed[at] = (changed[at] ?? 0) ^ (1 << random.whole(0, 7));
    const message = await refusal(changed);
    const [, table = ''] = /^tables\/(\w+)/.exec(header.name) ?? [];
    if (header.name !== 'SHA256SUMS') expect(message, header.name).toContain(table);
  }
});

test('a header of the tar that is changed', async () => {
  const at = file.indexOf('tables/resource/');
  const changed = Buffer.from(file);
  changed[at + 9] = 'X'.charCodeAt(0);
  expect(await refusal(changed)).toMatch(/damaged or cut short after \S+:/);
});

describe('with checksums that agree, yet', () => {
  test('a row more, a row less, or another row', async () => {
    const less = changingRows('resource', (rows) => rows.replace(/^.*\n/, ''));
    expect(await refusal(await repacked(less))).toMatch(
      /table resource .* damaged: it has 59 rows/,
    );
    const other = changingRows('resource', (rows) => rows.replaceAll('table 7', 'table 8'));
    expect(await refusal(await repacked(other))).toMatch(/resource .* damaged: it has 60 rows/);
    const twice = changingRows('team', (rows) => rows + rows);
    expect(await refusal(await repacked(twice))).toMatch(/table team .* damaged: it has \d rows/);
  });

  test('a row that the database does not take', async () => {
    const wrong = changingRows('resource', (rows) => rows.replace('\ttable\t', '\ttable\tmore\t'));
    expect(await refusal(await repacked(wrong))).toMatch(
      /^The table resource can't be restored: .*COPY resource, line \d+\.$/,
    );
  });

  test('a part that is missing, or of another table', async () => {
    const without = (entries: Entry[]) =>
      entries.filter(({ name }) => !name.startsWith('tables/resource/'));
    expect(await refusal(await repacked(without))).toContain('The table resource of the backup');
    const strange = (entries: Entry[]) =>
      entries.map((entry) => ({ ...entry, name: entry.name.replace('/tag/', '/resource/') }));
    expect(await refusal(await repacked((all) => strange([...all, ...all])))).toContain('damaged');
  });

  test('a manifest that is none, or missing', async () => {
    const none = changing(/^manifest/, () => Buffer.from('{}'));
    expect(await refusal(await repacked(none))).toContain('damaged in manifest.json');
    const noText = changing(/^manifest/, (bytes) => bytes.subarray(0, 100));
    expect(await refusal(await repacked(noText))).toContain('damaged in manifest.json');
    const missing = (entries: Entry[]) => entries.filter(({ name }) => name !== 'manifest.json');
    expect(await refusal(await repacked(missing))).toContain('damaged in manifest.json');
  });

  test('a table of ours that is missing', async () => {
    const without = changing(/^(header|manifest)/, (bytes) => {
      const value = JSON.parse(bytes.toString());
      const keep = ({ name, table }: { name?: string; table?: string }) =>
        (name ?? table) !== 'vote';
      value.tables = value.tables.filter(keep);
      return Buffer.from(JSON.stringify(value));
    });
    expect(await refusal(await repacked(without))).toBe('The backup lacks the table vote.');
  });
});

describe('other files', () => {
  test('a text, a tar of something else, and nothing', async () => {
    expect(await refusal(Buffer.from('hello\n'.repeat(500)))).toBe('The file is not a backup.');
    expect(await refusal(Buffer.alloc(0))).toBe('The file is not a backup.');
    const other = await packTar([{ header: { name: 'a', size: 1 }, body: 'a' }]);
    expect(await refusal(Buffer.from(other))).toBe('The file is not a backup.');
  });

  test('a backup of a format that is yet to come', async () => {
    const newer = changing(/^header/, () => Buffer.from('{"format": 2, "what": "else"}'));
    expect(await refusal(await repacked(newer))).toMatch(
      /has format 2, .* reads format 1: .* newer/,
    );
  });

  test('a backup with a migration that this program does not know, or knows otherwise', async () => {
    const change = (edit: (migrations: { name: string; checksum: string }[]) => void) =>
      changing(/^header/, (bytes) => {
        const value = JSON.parse(bytes.toString());
        value.program = '9.9.9';
        edit(value.migrations);
        return Buffer.from(JSON.stringify(value));
      });
    const added = change((all) => all.push({ name: '2999_later', checksum: 'a'.repeat(64) }));
    expect(await refusal(await repacked(added))).toMatch(/version 9\.9\.9 .* migration 2999_later/);
    const edited = change((all) => {
      for (const one of all) one.checksum = 'b'.repeat(64);
    });
    expect(await refusal(await repacked(edited))).toMatch(/version 9\.9\.9 .* migration \d+_init/);
  });
});
