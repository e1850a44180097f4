// In charge of the folder that the packaged server keeps the database in.

import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Account } from './account.ts';
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
  copyFolder(template, unfinished);
  await finish(unfinished);
  syncAll(unfinished);
  renameSync(unfinished, folder);
  syncPath(dataDir);
}

/** Copy a folder so that only its owner may read the copy. */
function copyFolder(from: string, to: string): void {
  mkdirSync(to, { mode: 0o700 });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, target);
    else {
      copyFileSync(source, target);
      chmodSync(target, 0o600);
    }
  }
}

function syncAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(folder);
}

/** Flush one file or folder, given by path, to the disk. */
function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
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
