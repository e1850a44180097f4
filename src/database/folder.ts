// Creates the embedded database's folder whole or not at all, so that a kill in the middle of the
// first start leaves nothing that looks like a database.

import { constants, cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { syncPath } from './durable.ts';

/**
 * Make the folder unless it is there: a copy of the template, or, without one, a new and empty
 * database (seconds instead of a fraction of one).
 */
export async function createFolder(folder: string, template: string | null): Promise<void> {
  if (existsSync(folder)) return;
  const unfinished = `${folder}.new`;
  rmSync(unfinished, { recursive: true, force: true });
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
  if (template !== null && existsSync(template)) {
    cpSync(template, unfinished, { recursive: true, mode: constants.COPYFILE_FICLONE });
  } else {
    const database = await PGlite.create({ fs: new NodeFS(unfinished) });
    await database.close();
  }
  syncAll(unfinished);
  renameSync(unfinished, folder);
  syncPath(dirname(folder));
}

function syncAll(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    syncPath(join(entry.parentPath, entry.name));
  }
  syncPath(folder);
}
