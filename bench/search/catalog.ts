// Opens the catalog that search and lists are measured on: filled once, and kept in its folder.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { packagedUrl } from '../../src/database/attach.ts';
import { seeingEvery } from '../../src/database/connections/session-settings.ts';
import { type ImportServer, startImportServer } from '../import-server.ts';

/** A server with a filled catalog, and a connection to its database. */
export interface SearchCatalog extends AsyncDisposable {
  readonly server: ImportServer;
  readonly client: pg.Client;
}

/** Of a server that only this machine can reach, as long as the bench runs. */
const keyOfBench = 'bench-of-search-and-lists';

/** Start the server of a checkout on the catalog of so many resources; what is there already is not made again. */
export async function openSearchCatalog(
  folder: string,
  size: number,
  root?: string,
): Promise<SearchCatalog> {
  const dataDir = join(folder, String(size));
  const options = { dataDir, databaseUrl: undefined, key: keyOfBench };
  const server = await startImportServer(root ? { ...options, root } : options);
  const client = new pg.Client({ connectionString: seeingEvery(packagedUrl(dataDir)) });
  client.on('error', (error) => console.error(error.message));
  const close = async () => {
    await client.end();
    await server.stop();
  };
  try {
    await client.connect();
    const { rows } = await client.query<{ n: number }>('select count(*)::int as n from resource');
    if (rows[0]?.n !== size) await fill(server, client, size);
  } catch (error) {
    await close();
    throw error;
  }
  return { server, client, [Symbol.asyncDispose]: close };
}

async function fill(server: ImportServer, client: pg.Client, size: number): Promise<void> {
  console.error(`Filling the catalog with ${size} resources.`);
  await server.makeIntegration('warehouse');
  const sql = await readFile(new URL('./fill.sql', import.meta.url), 'utf8');
  await client.query(sql.replaceAll('$SIZE', String(size)));
  await client.query('vacuum analyze');
  await sealed(client);
}

/** The server seals the audit log in the meantime: wait until it has. */
async function sealed(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ open: boolean }>(
      `select coalesce((select max(sequence) from audit_log) >
        (select max(sequence) from audit_seal), true) as open`,
    );
    if (!rows[0]?.open) return;
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
}
