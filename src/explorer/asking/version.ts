// In charge of which version of the explorer this tab runs, and of loading the newest one when the server has another.

import { readPage } from './ask.ts';
import { onReachChange, readReach } from './reach.ts';
import { Refused } from './refused.ts';

/** Servers of several versions behind one address must not make a tab look, or load itself, over and over. */
const restMs = 60_000;

const listeners = new Set<() => void>();
let isOld = false;

/** Whether the server was seen to have another version than this tab. */
export function readIsOld(): boolean {
  return isOld;
}

/** Call `listener` once the server is seen to have another version; answers how to stop that. */
export function onOld(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Look whether the server has another version by now. Throws `Refused` where the server does not answer. */
export async function lookForVersion(): Promise<boolean> {
  const own = document.querySelector('script[type="module"]')?.getAttribute('src');
  const newest = /<script type="module" src="([^"]+)"/.exec(await readPage())?.[1];
  // What is no page of ours, such as an error of a proxy, says nothing of versions.
  if (isOld || newest === undefined || newest === own) return isOld;
  isOld = true;
  for (const listener of listeners) listener();
  return true;
}

// A server that was away may have been updated.
onReachChange(() => {
  if (readReach()) void lookForVersion().catch(() => undefined);
});

/** What a server of another version may say to what this one asks. */
const odd = ['BAD_REQUEST', 'FORBIDDEN', 'PERSISTED_QUERY_NOT_FOUND'];
let lastLookAt = 0;

/** Look for another version where an error may be due to one; not over and over. */
export function noteError(error: unknown): void {
  const isOdd = error instanceof Refused && odd.includes(error.code);
  if (!isOdd || Date.now() - lastLookAt < restMs) return;
  lastLookAt = Date.now();
  void lookForVersion().catch(() => undefined);
}

const place = 'headwater:loaded-anew';

/** Load the page of the address anew, with the newest version; false where that was just done. */
export function loadAnew(): boolean {
  const last = Number(sessionStorage.getItem(place) ?? 0);
  if (Date.now() - last < restMs) return false;
  sessionStorage.setItem(place, String(Date.now()));
  location.reload();
  return true;
}
