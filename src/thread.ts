// Starts worker threads from the sources and from the build alike, and ends them safely.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** True when the program runs from its TypeScript sources (tests, development), not from `dist/`. */
const fromSources = import.meta.url.endsWith('.ts');

/** Settles for each thread when its modules are loaded, or it is no more. */
const loaded = new WeakMap<Worker, Promise<void>>();

/**
 * Start the module at `url` as a worker thread. The module is named by its source,
 * `new URL('./parse-thread.ts', import.meta.url)`: in the build the `.js` beside it is meant,
 * from the sources the thread gets the loader that reads TypeScript. Every thread of ours posts a
 * message once it is loaded.
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
  if (!fromSources) return new Worker(new URL(url.href.replace(/\.ts$/, '.js')), options);
  // An --import of the loader does nothing in a thread of Node 20; registering it there does.
  const require = createRequire(import.meta.url);
  const loader = pathToFileURL(require.resolve('tsx/esm/api').replace(/\.cjs$/, '.mjs'));
  const [from, what] = [loader.href, url.href].map((href) => JSON.stringify(href));
  const start = `import(${from}).then((tsx) => { tsx.register(); return import(${what}); });`;
  return new Worker(start, { ...options, eval: true });
}
