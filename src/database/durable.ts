// Makes the embedded database's writes survive a power loss: PGlite by itself never calls fsync.

import { closeSync, fsyncSync, openSync } from 'node:fs';
import { PGlite } from '@electric-sql/pglite';
import { NodeFS } from '@electric-sql/pglite/nodefs';

/** The part of Emscripten's file streams that fsync needs; PGlite publishes no types for it. */
interface FileStream {
  nfd?: number;
  node: unknown;
}

interface EmscriptenModule {
  NODEFS?: {
    realPath(node: unknown): string;
    stream_ops: { fsync?: (stream: FileStream) => number };
  };
}

/** WASI's number for an input/output error: PostgreSQL stops at it rather than lose a write. */
const EIO = 29;

/** PGlite's folder on disk with a real fsync for files and folders. */
export class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(...args);
    const preRun = [...(emscriptenOpts.preRun ?? []), giveFsync];
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function giveFsync(module: EmscriptenModule): void {
  const files = module.NODEFS;
  // Going on without it would be a database that only looks durable.
  if (files === undefined) throw new Error('PGlite has no NODEFS to give an fsync to.');
  files.stream_ops.fsync = (stream) => {
    try {
      if (stream.nfd === undefined) syncPath(files.realPath(stream.node));
      else fsyncSync(stream.nfd);
      return 0;
    } catch {
      return EIO;
    }
  };
}

/** Flush one file or folder, given by path, to the disk. */
export function syncPath(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * What PostgreSQL is started with. `-F` turns fsync off, so the durable form leaves it out. There
 * is no checkpointer process here: a small log keeps the recovery after a kill short.
 * A database in memory needs no second copy of its pages there.
 */
export function startParameters(
  durability: 'full' | 'relaxed',
  where: 'folder' | 'memory',
): string[] {
  const settings = ['TimeZone=UTC', 'max_wal_size=64MB', 'min_wal_size=32MB'];
  if (where === 'memory') settings.push('shared_buffers=16MB');
  if (durability === 'full') settings.push('fsync=on', 'wal_sync_method=fsync');
  const defaults = PGlite.defaultStartParams.filter((p) => durability === 'relaxed' || p !== '-F');
  return [...defaults, ...settings.flatMap((setting) => ['-c', setting])];
}
