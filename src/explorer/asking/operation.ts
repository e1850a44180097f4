// Operations of the server, its refusals, and whether it answers at all.

/** An operation of a `.graphql` file, as the build hands it on. */
export interface Operation<Data, Variables> {
  readonly name: string;
  readonly text: string;
  /** Never there: it carries the types of what is given and answered. */
  readonly types?: (variables: Variables) => Data;
}

/** What the server refused, or that it did not answer. */
export class Refused extends Error {
  readonly code: string;
  /** What the server adds to the message, by name. */
  readonly details: Readonly<Record<string, unknown>>;

  constructor(message: string, code: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}

/** Whether the same request may work in a moment: the server restarts or is busy. */
export function isPassing(error: unknown): boolean {
  return error instanceof Refused && ['UNREACHABLE', 'RATE_LIMITED'].includes(error.code);
}

const againMs = 1_000;

/** Try until the server answers: it may be starting. */
export async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, againMs));
    }
  }
}

const listeners = new Set<() => void>();
let isReached = true;

/** Whether the last request had an answer. */
export function readReach(): boolean {
  return isReached;
}

/** Whether this computer has a network; a server on the computer itself answers without. */
export function readIsOnline(): boolean {
  return navigator.onLine;
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
  for (const name of ['online', 'offline']) addEventListener(name, listener);
  return () => {
    listeners.delete(listener);
    for (const name of ['online', 'offline']) removeEventListener(name, listener);
  };
}
