// Opens the catalog that requests are measured on: a server of ours with imported files, and its database.

import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { packagedUrl } from '../../src/database/attach.ts';
import { seeingEvery } from '../../src/database/connections/session-settings.ts';
import { childOf } from '../cpu.ts';
import { type ImportServer, startImportServer } from '../import-server.ts';
import { owners } from './data.ts';
import type { Material } from './reads.ts';

/** A server with its catalog, and the address of its database. */
export interface BenchCatalog extends AsyncDisposable {
  readonly server: ImportServer;
  readonly url: string;
  /** The first process of the packaged database. */
  readonly databasePid: number;
  readonly material: Material;
  /** Draw an edge or end one, and change a description, past all servers. */
  write(): Promise<void>;
}

/** Pages that lists begin after, and tables that are asked for, in this run. */
const pages = 10;
const tablesAsked = 5_000;
const pageSize = 100;

/** Start the server of a checkout, import the files and make what the peers need. */
export async function openCatalogOfBench(
  dataDir: string,
  files: { readonly resources: string; readonly lineages: string },
  root?: string,
): Promise<BenchCatalog> {
  const options = { dataDir, databaseUrl: undefined };
  const server = await startImportServer(root ? { ...options, root } : options);
  try {
    return await fill(server, dataDir, files);
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function fill(
  server: ImportServer,
  dataDir: string,
  files: { readonly resources: string; readonly lineages: string },
): Promise<BenchCatalog> {
  for (const email of owners) await server.makePerson(email);
  await server.upload(await server.makeIntegration('warehouse'), files);
  const url = seeingEvery(packagedUrl(dataDir));
  const client = new pg.Client({ connectionString: url });
  client.on('error', (error) => console.error(error.message));
  await client.connect();
  await client.query(await readFile(new URL('./functions.sql', import.meta.url), 'utf8'));
  await client.query('vacuum analyze resource, lineage_edge');
  const material = await materialOf(client);
  return {
    server,
    url,
    databasePid: childOf(server.pid, 'postgres') ?? 0,
    material,
    write: writerOf(client, material),
    async [Symbol.asyncDispose]() {
      await client.end();
      await server.stop();
    },
  };
}

async function materialOf(client: pg.Client): Promise<Material> {
  const { rows: tables } = await client.query<{ id: string }>(
    `select id from resource where kind = 'table' order by md5(id::text) limit ${tablesAsked}`,
  );
  const { rows: sources } = await client.query<{ id: string }>(
    `select id from resource where kind = 'table' and exists (select from lineage_edge where source_id = resource.id)
      and not exists (select from lineage_edge where target_id = resource.id) order by md5(id::text) limit ${tablesAsked}`,
  );
  const { rows: starts } = await client.query<{ created: string; id: string }>(
    `select created_at::text as created, id from resource where kind = 'table' and not archived
      order by created_at desc, id desc limit ${pages * pageSize}`,
  );
  const { rows: workspaces } = await client.query<{ id: string }>('select id from workspace');
  return {
    workspace: workspaces[0]?.id ?? '',
    tables: tables.map(({ id }) => id),
    sources: sources.map(({ id }) => id),
    starts: starts
      .filter((_, i) => i % pageSize === pageSize - 1)
      .map((start) => ({ ...start, ours: cursorOf([start.created, start.id]) })),
    theirs: [],
  };
}

const cursorOf = (keys: readonly unknown[]) =>
  Buffer.from(JSON.stringify(keys)).toString('base64url');

function writerOf(client: pg.Client, { tables }: Material): () => Promise<void> {
  let [n, drawn]: [number, string | null] = [0, null];
  let last: Promise<unknown> = Promise.resolve();
  const one = async () => {
    n += 1;
    const [source, target] = [tables[n % tables.length], tables[(n * 7 + 1) % tables.length]];
    if (drawn !== null) {
      await client.query('update lineage_edge set valid_to = now() where id = $1', [drawn]);
      drawn = null;
      return;
    }
    const { rows } = await client.query<{ id: string }>(
      `insert into lineage_edge (workspace_id, source_id, target_id, level, origin)
        select workspace_id, id, $2, 'TABLE', 'MANUAL' from resource where id = $1
        on conflict do nothing returning id`,
      [source, target],
    );
    drawn = rows[0]?.id ?? null;
    await client.query('update resource set description = $2 where id = $1', [source, `No ${n}.`]);
  };
  // One connection answers one statement at a time.
  return () => {
    const next = last.then(one);
    last = next;
    return next;
  };
}
