// Reaches the database of the settings from a program other than the server.

import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open.ts';
import { addressOf, readAccess } from './server/access.ts';
import { FolderInUse } from './server/claim.ts';

/** Which database: the server that has an address, or the packaged one on a folder. */
export interface AttachOptions {
  /** Address of the server itself, past any pooler. */
  readonly databaseUrl: string | undefined;
  readonly dataDir: string;
  /** Called with one sentence on what the operator should know of. */
  readonly onNotice: (message: string) => void;
}

/** A database that can be reached by its address until it is let go of. */
export interface Attached extends AsyncDisposable {
  readonly url: string;
}

/**
 * Reach the database whether or not Headwater is running: a packaged server that runs is used as it
 * is, one that does not is started until the answer is disposed of. Throws, in a sentence for the
 * operator, where there is none or it can't be started.
 */
export async function attach({ databaseUrl, dataDir, onNotice }: AttachOptions): Promise<Attached> {
  if (databaseUrl) return { url: databaseUrl, [Symbol.asyncDispose]: async () => {} };
  const { startServer } = await import('./server/packaged-server.ts');
  try {
    const server = await startServer({ dataDir, durability: 'full', maxConnections: 10, onNotice });
    return { url: server.url, [Symbol.asyncDispose]: () => server.stop() };
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return { url: packagedUrl(dataDir), [Symbol.asyncDispose]: async () => {} };
  }
}

/**
 * Reach the database as `attach` does, where there is one: who names no folder, or a mistaken one, is told so. An
 * empty database that is made there instead would hold nothing that anybody looks for.
 */
export async function attachExisting(options: AttachOptions): Promise<Attached> {
  if (!options.databaseUrl) packagedUrl(options.dataDir);
  return attach(options);
}

/** Connections that a command takes at most. */
const maxConnections = 2;

/** Open the database of the settings, whether or not Headwater is running; as `attachExisting`. */
export async function attachDatabase(config: Config): Promise<Database> {
  const attached = await attachExisting({
    databaseUrl: config.DATABASE_DIRECT_URL ?? config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    onNotice: (message) => console.error(message),
  });
  const letGo = () => attached[Symbol.asyncDispose]();
  try {
    const { STATEMENT_TIMEOUT_MS: statementTimeoutMs } = config;
    const database = await openDatabase({
      databaseUrl: attached.url,
      statementTimeoutMs,
      maxConnections,
      onWait: (message) => console.error(message),
    });
    return { ...database, close: () => database.close().finally(letGo) };
  } catch (error) {
    await letGo();
    throw error;
  }
}

/**
 * The address of the packaged server on a folder, where it can be reached while Headwater runs.
 * Throws where there is no database yet.
 */
export function packagedUrl(dataDir: string): string {
  const access = readAccess(dataDir);
  if (access) return addressOf(realpathSync(dataDir), access);
  throw new Error(
    `There is no database in ${resolve(dataDir)} yet. Set DATA_DIR or DATABASE_URL as the server has it, ` +
      'or start Headwater once.',
  );
}
