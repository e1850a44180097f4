// The migrations of an older version, which a test upgrades from.

import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { migrationsFolder } from '../../../src/database/migrations/migrate.ts';

/** A copy of the folder of migrations that ends before one of them; gone with its scope. */
export function migrationsBefore(name: string): Disposable & { readonly folder: string } {
  const folder = mkdtempSync(join(tmpdir(), 'headwater-older-'));
  const isOlder = (path: string) => !/^\d{14}_/.test(basename(path)) || basename(path) < name;
  cpSync(migrationsFolder, folder, { recursive: true, filter: isOlder });
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}
