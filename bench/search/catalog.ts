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

/** What a catalog is to hold, and whose server it is. */
export interface Wanted {
  readonly folder: string;
  /** Resources of the workspace that is asked. */
  readonly size: number;
  /** Other workspaces in the same database, each with 2,500 resources. */
  readonly tenants: number;
  /** The checkout whose server it is. Default this one. */
  readonly root?: string | undefined;
}

/** Start the server of a checkout on a catalog; what is there already is not made again. */
export async function openSearchCatalog(wanted: Wanted): Promise<SearchCatalog> {
  const { folder, size, tenants, root } = wanted;
  const dataDir = join(folder, tenants > 0 ? `${size}-of-${tenants}` : String(size));
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
    const { rows } = await client.query<{ n: number }>(
      `select count(*)::int as n from resource where workspace_id =
        (select id from workspace order by created_at limit 1)`,
    );
    if (rows[0]?.n !== size) await fill(server, client, wanted);
  } catch (error) {
    await close();
    throw error;
  }
  return { server, client, [Symbol.asyncDispose]: close };
}

async function fill(
  server: ImportServer,
  client: pg.Client,
  { size, tenants }: Wanted,
): Promise<void> {
  console.error(`Filling the catalog with ${size} resources, and ${tenants} others.`);
  await server.makeIntegration('warehouse');
  await client.query((await sqlOf('fill')).replaceAll('$SIZE', String(size)));
  if (tenants > 0) {
    await client.query((await sqlOf('tenants')).replaceAll('$TENANTS', String(tenants)));
  }
  await client.query('vacuum analyze');
  await sealed(client);
}

function sqlOf(name: string): Promise<string> {
  return readFile(new URL(`./${name}.sql`, import.meta.url), 'utf8');
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
