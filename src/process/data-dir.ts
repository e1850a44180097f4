// The data folder: created where it is missing, and checked for write access.

import { access, constants, mkdir, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Make the folder, readable by its owner alone, and those above it that are missing. Throws what the file
 * system says where it can't be made or written to, with the path.
 */
export async function prepareDataDir(folder: string): Promise<void> {
  const path = resolve(folder);
  // Not `mkdir(..., { recursive: true })`: below /proc it never ends, and on a file system that can
  // only be read it says that nothing is there.
  await makeFolder(path, 0o700);
  await access(path, constants.R_OK | constants.W_OK | constants.X_OK);
}

async function makeFolder(path: string, mode: number): Promise<void> {
  if (await isFolder(path)) return;
  const parent = dirname(path);
  if (parent !== path) await makeFolder(parent, 0o777);
  try {
    await mkdir(path, mode);
  } catch (error) {
    // Another process that starts at the same time may have made it.
    if (!(await isFolder(path))) throw error;
  }
}

const absent = new Set<unknown>(['ENOENT', 'ENOTDIR']);

/** Whether a folder is there. Throws where something else is. */
async function isFolder(path: string): Promise<boolean> {
  try {
    if ((await stat(path)).isDirectory()) return true;
  } catch (error) {
    // ENOTDIR: something above it is no folder, which will be said of that.
    const isAbsent = error instanceof Error && 'code' in error && absent.has(error.code);
    if (!isAbsent) throw error;
    return false;
  }
  throw Object.assign(new Error(`${path} is not a folder`), { code: 'ENOTDIR', path });
}
