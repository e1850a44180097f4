// Reading all that a server has stored, in its database and in its data folder.

import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openDatabase } from '../../src/database/open.ts';
import { acrossWorkspaces } from '../../src/database/outside.ts';
import { rows } from '../../src/database/rows.ts';
import { postgresProgram } from '../servers.ts';

const utf8 = { encoding: 'utf8', maxBuffer: 1e9 } as const;

/** Every row of the database of a data folder whose server has stopped, or of the one at an address, as text. */
export async function dumpOf(dataDir: string, url: string | null): Promise<string> {
  if (url !== null) return execFileSync(postgresProgram('pg_dump') ?? 'pg_dump', [url], utf8);
  const database = await openDatabase({ dataDir, migrations: null });
  try {
    const everywhere = acrossWorkspaces(database);
    const tables = await rows<{ name: string }>(
      everywhere,
      `select format('%I.%I', schemaname, tablename) as name from pg_tables
        where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const texts: string[] = [];
    for (const { name } of tables) {
      const found = await rows<{ row: string }>(everywhere, `select t::text as row from ${name} t`);
      texts.push(name, ...found.map(({ row }) => row));
    }
    return texts.join('\n');
  } finally {
    await database.close();
  }
}

/** The bytes of each file of a data folder: tables, the write-ahead log and the log of the database among them. */
export function* filesOf(dataDir: string): Generator<[string, Buffer]> {
  for (const entry of readdirSync(dataDir, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    yield [path, readFileSync(path)];
  }
}
