// Real sources of three kinds, each with a login that only reads, for tests from end to end.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll } from 'vitest';
import { openConnector } from '../../../src/integrations/connectors/open.ts';
import { createIntegration } from '../../../src/integrations/integration.ts';
import type { RunOrigin } from '../../../src/monitors/runs/outcome.ts';
import { runAndKeep } from '../../../src/monitors/runs/run.ts';
import { parsePrivateHosts } from '../../../src/network/address.ts';
import type { Catalog } from '../../catalog.ts';
import { startMariaDb, startPostgres } from '../../servers.ts';

/** The kinds. */
export const engineNames = ['postgres', 'mariadb', 'duckdb'] as const;
export type EngineName = (typeof engineNames)[number];

/** A source that a test fills. */
export interface Engine {
  readonly name: EngineName;
  /** Its only schema, and the database around it. */
  readonly database: string;
  readonly schema: string;
  /** Run statements as the owner. */
  run(script: string): Promise<void>;
  /** Its integration in a workspace. */
  connect(catalog: Catalog): Promise<string>;
  close(): Promise<void>;
}

const password = 'of the reader';

/** The sources of a file's tests, by their kinds: those that are installed. They are filled when they start, and end with the tests. */
export function enginesOf(fill: (engine: Engine) => Promise<void> = async () => {}) {
  const engines = new Map<EngineName, Engine>();
  beforeAll(async () => {
    for (const name of engineNames) {
      const engine = await openEngine(name);
      if (!engine) continue;
      engines.set(name, engine);
      await fill(engine);
    }
  }, 60_000);
  afterAll(async () => {
    for (const engine of engines.values()) await engine.close();
  });
  return engines;
}

/** Start a source; null where its program is not installed. */
async function openEngine(name: EngineName): Promise<Engine | null> {
  if (name === 'duckdb') return openFile();
  const server = await (name === 'postgres' ? startPostgres() : startMariaDb());
  if (!server) return null;
  const { port } = server;
  const isPostgres = name === 'postgres';
  await server.run(
    isPostgres
      ? "create role reader login; alter role reader set timezone to 'UTC'; grant pg_read_all_data to reader"
      : `create database shop; create user reader identified by '${password}'; grant select on shop.* to reader`,
  );
  if (isPostgres) await server.run('create database shop');
  const login = { host: '127.0.0.1', port, database: 'shop', user: 'reader', password };
  return {
    name,
    ...(isPostgres ? { database: 'shop', schema: 'public' } : { database: 'def', schema: 'shop' }),
    run: async (script) => {
      await server.run(script, 'shop');
    },
    connect: (catalog) => connected(catalog, name, login, null),
    close: async () => {
      await server[Symbol.asyncDispose]();
    },
  };
}

async function openFile(): Promise<Engine | null> {
  const duckdb = await import('@duckdb/node-api').catch(() => null);
  if (duckdb === null) return null;
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const path = join(folder, 'shop.duckdb');
  return {
    ...{ name: 'duckdb', database: 'shop', schema: 'main' },
    run: async (script) => {
      const instance = await whenLetGo(() => duckdb.DuckDBInstance.create(path));
      const connection = await instance.connect();
      await connection.run(script);
      connection.closeSync();
      instance.closeSync();
    },
    connect: (catalog) => connected(catalog, 'duckdb', { path }, folder),
    close: () => rm(folder, { recursive: true }),
  };
}

/** What reads a file lets go of it a moment after it was closed. */
async function whenLetGo<T>(open: () => Promise<T>, tries = 100): Promise<T> {
  try {
    return await open();
  } catch (error) {
    if (tries === 0 || !String(error).includes('Conflicting lock')) throw error;
    await sleep(100);
    return whenLetGo(open, tries - 1);
  }
}

async function connected(
  catalog: Catalog,
  type: EngineName,
  credentials: Record<string, unknown>,
  filesDir: string | null,
): Promise<string> {
  // The folder of a file that was connected before stays open.
  const folder = filesDir ?? catalog.surroundings.reach.filesDir;
  const privateHosts = parsePrivateHosts('127.0.0.0/8');
  catalog.surroundings.reach = { privateHosts, filesDir: folder };
  return (await createIntegration(catalog.admin, { type, credentials })).id;
}

/** A table of a source in the catalog, with the types of its columns; answers their ids by name. */
export async function tableOf(
  catalog: Catalog,
  { database: databaseName, schema: schemaName }: Engine,
  integrationId: string,
  title: string,
  columns: Readonly<Record<string, string>>,
): Promise<{ readonly id: string; readonly columns: ReadonlyMap<string, string> }> {
  const { prisma } = catalog.database;
  const place = { integrationId, databaseName, schemaName };
  const put = async (input: object) => {
    const { id } = await catalog.resource(input);
    const where = { workspaceId_id: { workspaceId: catalog.workspaceId, id } };
    await prisma.resource.update({ where, data: place });
    return id;
  };
  const id = await put({ title });
  const ids = new Map<string, string>();
  for (const [name, type] of Object.entries(columns)) {
    ids.set(name, await put({ kind: 'column', parentId: id, title: name, type }));
  }
  return { id, columns: ids };
}

const byHand: RunOrigin = { jobId: null, scheduled: false, fence: async () => {} };

/** Run monitors on their own sources at the catalog's time; answers what was measured and the log. */
export async function runNow(catalog: Catalog, ids: readonly string[]) {
  const lines: string[] = [];
  const watch = { log: (line: string) => void lines.push(line), progress: () => {} };
  const counts = await runAndKeep(catalog.admin, ids, openConnector, byHand, watch);
  return { ...counts, lines };
}
