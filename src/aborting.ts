// In charge of hearing that a signal aborted: any number of hearers with one listener a signal.

/** What is to be called when a signal aborts. */
type Hear = () => void;

const hearers = new WeakMap<AbortSignal, Set<Hear>>();

/**
 * Call `hear` once when the signal aborts, until the answered function is called. Node warns of a leak
 * where a signal has more than ten listeners, and a job may have more than ten things under way.
 */
export function onAbort(signal: AbortSignal | undefined, hear: Hear): () => void {
  if (!signal) return () => {};
  const known = hearers.get(signal);
  const set = known ?? new Set();
  const own = () => hear();
  set.add(own);
  if (!known) {
    hearers.set(signal, set);
    signal.addEventListener('abort', tellAll);
  }
  return () => {
    set.delete(own);
    // A signal without listeners can be collected, together with what it was made of.
    if (set.size > 0 || hearers.get(signal) !== set) return;
    hearers.delete(signal);
    signal.removeEventListener('abort', tellAll);
  };
}

function tellAll(this: AbortSignal): void {
  const set = hearers.get(this);
  hearers.delete(this);
  this.removeEventListener('abort', tellAll);
  for (const hear of set ?? []) hear();
}

/** What ends work that nobody waits for any more: an error that is nobody's fault. */
export function clientLeft(): Error {
  return new DOMException('The client went away.', 'AbortError');
}
