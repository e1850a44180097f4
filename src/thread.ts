// Starts worker threads from the sources and from the build alike.

import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Worker, type WorkerOptions } from 'node:worker_threads';

/** True when the program runs from its TypeScript sources (tests, development), not from `dist/`. */
const fromSources = import.meta.url.endsWith('.ts');

/**
 * Start the module at `url` as a worker thread. The module is named by its source,
 * `new URL('./parse-thread.ts', import.meta.url)`: in the build the `.js` beside it is meant,
 * from the sources the thread gets the loader that reads TypeScript.
 */
export function openThread(url: URL, options: WorkerOptions = {}): Worker {
  if (!fromSources) return new Worker(new URL(url.href.replace(/\.ts$/, '.js')), options);
  // An --import of the loader does nothing in a thread of Node 20; registering it there does.
  const require = createRequire(import.meta.url);
  const loader = pathToFileURL(require.resolve('tsx/esm/api').replace(/\.cjs$/, '.mjs'));
  const [from, what] = [loader.href, url.href].map((href) => JSON.stringify(href));
  const start = `import(${from}).then((tsx) => { tsx.register(); return import(${what}); });`;
  return new Worker(start, { ...options, eval: true });
}
