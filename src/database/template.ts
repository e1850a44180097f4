// Makes the database that new ones start as a copy of: empty, with every migration applied.

import { mkdtemp, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openDatabase } from './open.ts';

/**
 * Make the template folder, in place of one that may be there. Done once, by the build: PostgreSQL's
 * own set-up and the migrations take seconds, which every first start then saves.
 */
export async function makeTemplate(folder: string): Promise<void> {
  const dataDir = await mkdtemp(join(dirname(folder), 'template-'));
  try {
    // What copies it makes it durable.
    const database = await openDatabase({ dataDir, durability: 'relaxed', template: null });
    await database.pool.query('vacuum analyze');
    await database.close();
    await rm(folder, { recursive: true, force: true });
    await rename(join(dataDir, 'database'), folder);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
