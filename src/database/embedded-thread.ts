// The worker thread that holds PGlite: takes PostgreSQL's wire messages and posts back the answers.

import { readFile } from 'node:fs/promises';
import { parentPort, workerData } from 'node:worker_threads';
import { PGlite, type PGliteOptions } from '@electric-sql/pglite';
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import { DurableNodeFS, startParameters } from './durable.ts';
import { createFolder } from './folder.ts';
import { handedOver } from './hand-over.ts';

/** How the thread opens its database; without a folder it lives in memory. */
export interface EmbeddedSource {
  /** The folder of the data files, or null for a database in memory. */
  folder: string | null;
  durability: 'full' | 'relaxed';
  /** The folder that a new one is copied from, if it is there. */
  template: string | null;
  /** A tar of a database in memory to start from (see `dump`), or null for an empty one. */
  archive: string | null;
}

export type ThreadRequest =
  | { id: number; kind: 'messages'; bytes: Uint8Array }
  | { id: number; kind: 'dump' }
  | { id: number; kind: 'close' };

export type ThreadReply =
  | { id: number; bytes: Uint8Array }
  | { id: number; failure: string }
  | { id: 'opened' };

async function openDatabase(source: EmbeddedSource): Promise<PGlite> {
  const options: PGliteOptions = {
    extensions: { pg_trgm },
    startParams: startParameters(source.durability, source.folder === null ? 'memory' : 'folder'),
  };
  if (source.folder !== null) {
    await createFolder(source.folder, source.template);
    const files = source.durability === 'full' ? DurableNodeFS : NodeFS;
    options.fs = new files(source.folder);
  } else if (source.archive !== null) {
    options.loadDataDir = new Blob([await readFile(source.archive)]);
  } else {
    // Its log is of no use after it: what is copied with `dump` stays small.
    options.initDbStartParams = ['--wal-segsize=1'];
  }
  return PGlite.create(options);
}

async function answer(database: PGlite, request: ThreadRequest): Promise<Uint8Array> {
  if (request.kind === 'close') {
    await database.close();
    return new Uint8Array(0);
  }
  if (request.kind === 'dump') {
    const archive = await database.dumpDataDir('none');
    return new Uint8Array(await archive.arrayBuffer());
  }
  return database.execProtocolRaw(request.bytes, { throwOnError: false });
}

async function serve(): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('This module runs as a worker thread only.');
  const database = await openDatabase(workerData);
  // One message at a time: the main thread sends the next one only after the answer.
  port.on('message', async (request: ThreadRequest) => {
    try {
      const bytes = await answer(database, request);
      const reply: ThreadReply = { id: request.id, bytes };
      port.postMessage(reply, handedOver(bytes));
    } catch (error) {
      const reply: ThreadReply = { id: request.id, failure: String(error) };
      port.postMessage(reply);
    }
    if (request.kind === 'close') port.close();
  });
  port.postMessage({ id: 'opened' } satisfies ThreadReply);
}

await serve();
