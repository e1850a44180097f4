// The file of a backup: under its name when it is complete, and for no one else to read.

import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { mustBeFree, saveAs } from '../../../src/database/backups/atomic-file.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'headwater-backup-'));
  path = join(folder, 'backup.tar');
});
afterEach(() => rmSync(folder, { recursive: true }));

async function* bytes(text: string, then: () => void | Promise<void> = () => {}) {
  yield Buffer.from(text.slice(0, 3));
  await then();
  yield Buffer.from(text.slice(3));
}

test('it is written next to its name, which it gets when it is complete', async () => {
  await saveAs(
    path,
    bytes('complete', () => {
      expect(readdirSync(folder)).toEqual(['backup.tar.partial']);
      expect(statSync(`${path}.partial`).mode & 0o777).toBe(0o600);
    }),
    false,
  );
  expect(readdirSync(folder)).toEqual(['backup.tar']);
  expect(readFileSync(path, 'utf8')).toBe('complete');
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('one that is there is replaced only where that is asked for, and only by a complete one', async () => {
  writeFileSync(path, 'before');
  expect(() => mustBeFree(path, false)).toThrow(`${path} is there already`);
  await expect(saveAs(path, bytes('another'), false)).rejects.toThrow('is there already');
  const failing = bytes('another', () => Promise.reject(new Error('The disk broke.')));
  await expect(saveAs(path, failing, true)).rejects.toThrow('The disk broke.');
  expect(readFileSync(path, 'utf8')).toBe('before');
  expect(readdirSync(folder)).toEqual(['backup.tar']);
  await saveAs(path, bytes('another'), true);
  expect(readFileSync(path, 'utf8')).toBe('another');
});

test('what a power loss left is no obstacle', async () => {
  writeFileSync(`${path}.partial`, 'cut sho');
  await saveAs(path, bytes('complete'), false);
  expect(readFileSync(path, 'utf8')).toBe('complete');
  expect(readdirSync(folder)).toEqual(['backup.tar']);
});

test('of two at once to one name, the later one wins and the other says so', async () => {
  const [firstGoesOn, secondGoesOn] = [gate(), gate()];
  const first = saveAs(path, bytes('first', firstGoesOn.opened), false);
  await vi.waitUntil(() => existsSync(`${path}.partial`));
  const { ino } = statSync(`${path}.partial`);
  const second = saveAs(path, bytes('second', secondGoesOn.opened), false);
  await vi.waitUntil(() => {
    const there = statSync(`${path}.partial`, { throwIfNoEntry: false });
    return there !== undefined && there.ino !== ino;
  });
  firstGoesOn.open();
  await expect(first).rejects.toThrow('Another backup took the place of this one');
  expect(readdirSync(folder)).toEqual(['backup.tar.partial']);
  secondGoesOn.open();
  await second;
  expect(readFileSync(path, 'utf8')).toBe('second');
  expect(readdirSync(folder)).toEqual(['backup.tar']);
});

function gate() {
  let open = () => {};
  const promise = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open: () => open(), opened: () => promise };
}

test('a folder that is not there, or may not be written, is said to be so', async () => {
  await expect(saveAs(join(folder, 'no/backup.tar'), bytes('text'), false)).rejects.toThrow(
    /no\/backup\.tar can't be written: ENOENT.*\.$/,
  );
  writeFileSync(path, 'a file');
  await expect(saveAs(join(path, 'more'), bytes('text'), false)).rejects.toThrow(
    /backup\.tar\/more can't be written: ENOTDIR.*\.$/,
  );
});
