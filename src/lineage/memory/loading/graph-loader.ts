// The thread that reads graphs, as the rest of the program sees it: one graph at a time.

import type { Worker } from 'node:worker_threads';
import { Semaphore } from '../../../async/semaphore.ts';
import { endThread, openThread } from '../../../process/thread.ts';
import type { FromLoader, Loaded, Wanted } from './load-message.ts';

/** Why a graph was not read: it is larger than it may be, or something failed. */
export type NotLoaded = Extract<FromLoader, { kind: 'too large' | 'failed' }>;

/** The thread is shared by all databases of a process. */
const line = new Semaphore(1);
let thread: Worker | null = null;

/** Read a graph in the thread. Where the signal is aborted the thread ends, and with it the connection. */
export async function loadGraph(wanted: Wanted, signal: AbortSignal): Promise<Loaded | NotLoaded> {
  const leave = await line.acquire(signal);
  try {
    return await ask(wanted, signal);
  } finally {
    leave();
  }
}

function ask(wanted: Wanted, signal: AbortSignal): Promise<Loaded | NotLoaded> {
  thread ??= openThread(new URL('./load-thread.ts', import.meta.url));
  const worker = thread;
  // A thread at rest does not keep the process alive.
  worker.ref();
  return new Promise((resolve) => {
    const stop = (answer: Loaded | NotLoaded) => {
      worker.off('message', receive).off('error', fail).off('exit', fail);
      signal.removeEventListener('abort', abandon);
      worker.unref();
      resolve(answer);
    };
    const receive = (message: FromLoader) => {
      if (message.kind !== 'ready') stop(message);
    };
    const end = () => {
      thread = null;
      return endThread(worker);
    };
    const fail = () => {
      void end();
      stop({ kind: 'failed', message: 'The thread that reads graphs ended.' });
    };
    const abandon = async () => {
      worker.off('exit', fail);
      await end();
      stop({ kind: 'failed', message: 'The database was closed.' });
    };
    worker.on('message', receive).on('error', fail).on('exit', fail);
    signal.addEventListener('abort', abandon, { once: true });
    worker.postMessage(wanted);
  });
}
