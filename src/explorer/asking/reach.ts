// In charge of whether the server answers, for the line that says when it does not.

const listeners = new Set<() => void>();
let isReached = true;

/** Whether the last request had an answer. */
export function readReach(): boolean {
  return isReached;
}

/** Note whether a request had an answer. */
export function noteReach(has: boolean): void {
  if (has === isReached) return;
  isReached = has;
  for (const listener of listeners) listener();
}

/** Call `listener` whenever that changes; answers how to stop that. */
export function onReachChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
