// Backups by commands: of the database that the settings name, with what is going on on the standard error.

import type { Config } from '../../config.ts';
import { attachExisting } from '../attach.ts';
import { type BackupOptions, backUp } from './backup.ts';
import type { Manifest } from './manifest.ts';
import { progressLines } from './progress.ts';

/** Back up the database of the settings, whether the server runs or not; what the backup says about itself. */
export async function backUpAttached(
  { DATABASE_URL, DATABASE_DIRECT_URL, DATA_DIR }: Config,
  options: BackupOptions,
): Promise<Manifest> {
  await using database = await attachExisting({
    databaseUrl: DATABASE_DIRECT_URL ?? DATABASE_URL,
    dataDir: DATA_DIR,
    onNotice: (message) => console.error(message),
  });
  const onProgress = progressLines((line) => console.error(line));
  return await backUp(database.url, { onProgress, ...options });
}
