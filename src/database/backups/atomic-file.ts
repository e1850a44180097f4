// The file that a backup is written to: complete under its name, or not there at all.

import {
  closeSync,
  existsSync,
  fstatSync,
  fsync,
  openSync,
  rmSync,
  statSync,
  write,
} from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';

/** Throws where the file is there already and is not to be replaced. */
export function mustBeFree(path: string, replace: boolean): void {
  if (replace || !existsSync(path)) return;
  throw new Error(`${path} is there already: choose another name, or replace it with --force.`);
}

/**
 * Write bytes to `path`, for no one but this user to read: first next to it, as `path.partial`, and under
 * its name when all of it is on the disk. Throws with one sentence where that fails, and removes what
 * there is by then.
 */
export async function saveAs(
  path: string,
  bytes: AsyncIterable<Uint8Array>,
  replace: boolean,
): Promise<void> {
  try {
    await savePartial(`${path}.partial`, bytes, async (partial) => {
      mustBeFree(path, replace);
      await rename(partial, path);
    });
    await syncFolder(dirname(path));
  } catch (error) {
    throw explained(error, path);
  }
}

async function savePartial(
  partial: string,
  bytes: AsyncIterable<Uint8Array>,
  onComplete: (partial: string) => Promise<void>,
): Promise<void> {
  // One that a power loss cut short, perhaps; or one of a backup that goes on, which finds out below.
  rmSync(partial, { force: true });
  const file = openSync(partial, 'wx', 0o600);
  const { ino } = fstatSync(file);
  const isOurs = () => statSync(partial, { throwIfNoEntry: false })?.ino === ino;
  const remove = () => {
    if (isOurs()) rmSync(partial);
  };
  process.once('exit', remove);
  try {
    for await (const piece of bytes) await writeAll(file, piece);
    await promisify(fsync)(file);
    if (!isOurs()) throw new Error(`Another backup took the place of this one in ${partial}.`);
    await onComplete(partial);
  } finally {
    process.off('exit', remove);
    remove();
    closeSync(file);
  }
}

/** The system may take less than it is given. */
async function writeAll(file: number, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) {
    const { bytesWritten } = await promisify(write)(file, bytes, at);
    at += bytesWritten;
  }
}

/** A new name survives a power loss once its folder is on the disk. */
async function syncFolder(path: string): Promise<void> {
  // Windows opens no folders; there the name is as lasting as the file.
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function explained(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('code' in error) || !('syscall' in error)) return error;
  if (error.code === 'ENOSPC' || error.code === 'EDQUOT') {
    return new Error(`There is no room left on the disk for ${path}.`);
  }
  return new Error(`${path} can't be written: ${error.message}.`);
}
