// The folder that the packaged server keeps the database in.

import {
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { chmod, copyFile, open } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Account } from './os-account.ts';
import { majorVersion } from './programs.ts';

/** The name of the folder within the data folder: another major version has another one. */
export const clusterName = `postgres-${majorVersion}`;

/**
 * Make the cluster as a copy of the template, whole or not at all: a kill in the middle leaves nothing
 * that looks like a database. `finish` is given the copy before it gets its name.
 */
export async function createCluster(
  dataDir: string,
  template: string,
  finish: (folder: string) => Promise<void>,
): Promise<void> {
  if (!existsSync(join(template, 'PG_VERSION'))) {
    throw new Error('The program is not built: the empty database is missing. Run npm run build.');
  }
  const folder = join(dataDir, clusterName);
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  await copyFolder(template, unfinished);
  await finish(unfinished);
  await syncAll(unfinished);
  renameSync(unfinished, folder);
  await syncPath(dataDir);
}

/** Copy a folder so that only its owner may read the copy. */
async function copyFolder(from: string, to: string): Promise<void> {
  mkdirSync(to, { mode: 0o700 });
  const files: string[] = [];
  // A folder comes before what is in it.
  for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
    const path = relative(from, join(entry.parentPath, entry.name));
    if (entry.isDirectory()) mkdirSync(join(to, path), { mode: 0o700 });
    else files.push(path);
  }
  await manyAtOnce(files, async (path) => {
    await copyFile(join(from, path), join(to, path));
    await chmod(join(to, path), 0o600);
  });
}

/** Flush a folder and all that is in it to the disk. */
async function syncAll(folder: string): Promise<void> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const paths = entries.map((entry) => join(entry.parentPath, entry.name));
  await manyAtOnce([...paths, folder], syncPath);
}

/** Flush one file or folder, given by path, to the disk. */
async function syncPath(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As many as Node.js has threads for, several times over. */
const atOnce = 16;

/** One after the other, 600 files take a disk a second to flush; together, a tenth of that. */
async function manyAtOnce(
  paths: readonly string[],
  work: (path: string) => Promise<void>,
): Promise<void> {
  const waiting = paths.values();
  const workers = Array.from({ length: atOnce }, async () => {
    for (const path of waiting) await work(path);
  });
  await Promise.all(workers);
}

/**
 * Write a file, whole or not at all, so that only the given account, or else we, may read it. One that
 * is as wanted stays as it is: a start needs no room on the disk.
 */
export function writePrivate(path: string, text: string, account?: Account): void {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  const unfinished = `${path}.new`;
  writeFileSync(unfinished, text, { mode: 0o600 });
  if (account?.owner) chownSync(unfinished, account.owner.uid, account.owner.gid);
  renameSync(unfinished, path);
}

/**
 * Throws where the data folder holds a database that this program can't open: one of another major
 * version, or of the embedded engine that Headwater had before its first release.
 */
export function refuseForeign(dataDir: string): void {
  const names = existsSync(dataDir) ? readdirSync(dataDir) : [];
  if (names.includes(clusterName)) return;
  const other = names.find((name) => /^postgres-\d+$/.test(name));
  if (other !== undefined) {
    const version = other.slice('postgres-'.length);
    throw new Error(
      `The database in ${join(dataDir, other)} was made by PostgreSQL ${version}; this release of ` +
        `Headwater comes with PostgreSQL ${majorVersion}. With the release that made it: ` +
        'npm run backup FILE. Then with this one, and DATA_DIR set to a new folder: npm run restore FILE.',
    );
  }
  if (isOldEngine(join(dataDir, 'database'))) {
    throw new Error(
      `${join(dataDir, 'database')} was made by a version of Headwater from before its first ` +
        'release, whose embedded database no longer exists. Set DATA_DIR to a new folder and import again.',
    );
  }
}

function isOldEngine(folder: string): boolean {
  try {
    return readFileSync(join(folder, 'PG_VERSION'), 'utf8').trim() !== '';
  } catch {
    return false;
  }
}
