// The file that hands the first admin's key to those who may read the data folder.

import { open, readFile, rename, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

/** The file, whether it is there or not. */
export interface KeyFile {
  /** Where it is, from the root of the file system. */
  readonly path: string;
  /** The key in it; null where there is none. */
  read(): Promise<string | null>;
  /** Put a key in it, in place of what it held. No one but its owner may read it. */
  write(key: string): Promise<void>;
  remove(): Promise<void>;
}

const name = 'admin-api-key';

/** The key file of a data folder. */
export function keyFileIn(dataDir: string): KeyFile {
  const path = resolve(join(dataDir, name));
  return {
    path,
    async read() {
      try {
        return (await readFile(path, 'utf8')).trim() || null;
      } catch (error) {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
        throw error;
      }
    },
    async write(key) {
      // Written whole under another name: the file never holds half a key, nor others may read it.
      const unfinished = `${path}.${process.pid}`;
      await rm(unfinished, { force: true });
      try {
        const file = await open(unfinished, 'wx', 0o600);
        try {
          await file.writeFile(`${key}\n`);
          await file.sync();
        } finally {
          await file.close();
        }
        await rename(unfinished, path);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw error;
      }
    },
    remove: () => rm(path, { force: true }),
  };
}
