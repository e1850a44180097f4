// Abort signals: a listener that can be taken off again, and the error for a client that is gone.

import { setMaxListeners } from 'node:events';

/** Call `listener` once when the signal aborts, until the answered function is called. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => {};
  // Node.js warns of a leak at the eleventh listener, and a job may have more than ten things under way.
  setMaxListeners(0, signal);
  const own = () => listener();
  signal.addEventListener('abort', own, { once: true });
  return () => signal.removeEventListener('abort', own);
}

/** Ends work whose client is gone; not an error of the server. */
export function clientLeft(): Error {
  return new DOMException('The client went away.', 'AbortError');
}
