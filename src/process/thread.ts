// Worker threads: started from the sources and from the build alike, ended safely, and given a lower priority.

import {
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { constants, getPriority, setPriority } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';
import type { OutputFile } from 'esbuild';
import type { Semaphore } from '../async/semaphore.ts';

/** True when the program runs from its TypeScript sources (tests, development), not from `dist/`. */
const fromSources = import.meta.url.endsWith('.ts');

/** Settles for each thread when its modules are loaded, or it is no more. */
const loaded = new WeakMap<Worker, Promise<void>>();

/**
 * Start the module at `url` as a worker thread. The module is named by its source,
 * `new URL('./parse-thread.ts', import.meta.url)`: in the build that stands for the `.js` file of the same place,
 * from the sources it is compiled first. Every thread of ours posts a message once it is loaded.
 */
export function openThread(url: URL, options: WorkerOptions = {}): Worker {
  const worker = startWorker(url, options);
  const over = new Promise<void>((resolve) => {
    for (const event of ['message', 'error', 'exit']) worker.once(event, () => resolve());
  });
  loaded.set(worker, over);
  return worker;
}

/**
 * End a thread, once it is loaded: Node.js 20, 22 and 24 may crash as a whole when a thread is
 * ended, or the process exits, while a module of it is still waiting for its WebAssembly.
 */
export async function endThread(worker: Worker): Promise<void> {
  // A thread at rest does not keep the process alive; one that is waited for does.
  worker.ref();
  await loaded.get(worker);
  await worker.terminate();
}

function startWorker(url: URL, options: WorkerOptions): Worker {
  return new Worker(moduleOf(url), options);
}

/** The file to start for a module that is named by its source: in the build its `.js`, else what is compiled of it. */
export function moduleOf(url: URL): string {
  const source = fileURLToPath(url);
  return fromSources ? compiled(source) : source.replace(/\.ts$/, '.js');
}

/** What this process compiled, by source. */
const compiledFiles = new Map<string, string>();

/**
 * The compiled form of a thread's source: a loader of TypeScript in each thread would take longer
 * to start than most threads do.
 */
function compiled(source: string): string {
  const known = compiledFiles.get(source);
  if (known) return known;
  const require = createRequire(import.meta.url);
  const { buildSync } = require('esbuild') as typeof import('esbuild');
  const { outputFiles } = buildSync({
    entryPoints: [source],
    bundle: true,
    packages: 'external',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    sourcemap: 'inline',
    write: false,
  });
  const [{ contents, hash }] = outputFiles as [OutputFile];
  // Below the packages, so that the code finds them; by content, so that processes share it.
  const folder = fileURLToPath(
    new URL('../../node_modules/.cache/headwater/threads/', import.meta.url),
  );
  const name = `${basename(source, '.ts')}-${hash.replaceAll(/\W/g, '-')}.mjs`;
  const file = join(folder, name);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const unfinished = `${file}.${process.pid}`;
    writeFileSync(unfinished, contents);
    renameSync(unfinished, file);
  }
  compiledFiles.set(source, file);
  return file;
}

/** How much higher the niceness of such a thread is than that of the process. */
const stepsBehind = 5;

/**
 * Give the calling thread a lower priority than the main thread, which serves all requests. Only Linux has
 * priorities of threads; elsewhere this does nothing.
 */
export function lowerPriority(): void {
  try {
    // Linux takes the id of a thread here.
    const thread = idOfThread() ?? 0;
    const niceness = Math.min(getPriority() + stepsBehind, constants.priority.PRIORITY_LOW);
    if (thread > 0) setPriority(thread, niceness);
  } catch {
    // The work gets done without a priority, too.
  }
}

/** What the system calls the calling thread; null where it isn't Linux. */
export function idOfThread(): number | null {
  try {
    return Number(readlinkSync('/proc/thread-self').split('/').at(-1));
  } catch {
    return null;
  }
}

/** Milliseconds for each of the ticks in which Linux counts what threads use. */
const msPerTick = 10;

/** How much CPU a thread of this process has used, in milliseconds; null where the system doesn't say. */
export function cpuOfThread(id: number | null): number | null {
  if (id === null) return null;
  try {
    // Behind the name in brackets, which may hold blanks: the state, ten numbers, user and system time.
    const [, said = ''] =
      /.*\) (.*)/.exec(readFileSync(`/proc/self/task/${id}/stat`, 'utf8')) ?? [];
    const [user, system] = said.split(' ').slice(11, 13);
    return (Number(user) + Number(system)) * msPerTick;
  } catch {
    return null;
  }
}

/** Do a long calculation in a thread as soon as the request's key has a place among the threads. */
export async function inThread<T>(
  { allowance, signal }: { allowance: { threads: Semaphore } | null; signal: AbortSignal },
  work: () => Promise<T>,
): Promise<T> {
  if (!allowance) return work();
  const release = await allowance.threads.acquire(signal);
  try {
    return await work();
  } finally {
    release();
  }
}
