// Versions of the explorer: the one of this tab, a newer one of the server, and parts that are loaded later.

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { readPage } from './ask.ts';
import { onReachChange, patiently, Refused, readReach } from './operation.ts';

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
async function lookForVersion(): Promise<boolean> {
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
  if (readReach()) look();
});
// With or without a network: the server says itself whether it is reached.
for (const name of ['online', 'offline']) addEventListener(name, look);

function look(): void {
  void lookForVersion().catch(() => undefined);
}

/** What a server of another version may say to what this one asks. */
const odd = ['BAD_REQUEST', 'FORBIDDEN', 'PERSISTED_QUERY_NOT_FOUND'];
let lastLookAt = 0;

/** Look for another version where an error may be due to one; not over and over. */
export function noteError(error: unknown): void {
  const isOdd = error instanceof Refused && odd.includes(error.code);
  if (!isOdd || Date.now() - lastLookAt < restMs) return;
  lastLookAt = Date.now();
  look();
}

const place = 'headwater:loaded-anew';

/** Reload the page with the newest version; false where that was just done. */
export function reload(): boolean {
  const last = Number(sessionStorage.getItem(place) ?? 0);
  if (Date.now() - last < restMs) return false;
  sessionStorage.setItem(place, String(Date.now()));
  location.reload();
  return true;
}

/** A part that did not arrive from a server that is there is asked for so many times. */
const mostTries = 3;

/** A page. Where its file is gone the address is reloaded: the page before has been left by then. */
export function laterPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await loadPart(load) };
    } catch (error) {
      // Nothing is to be shown of a page that is going away.
      if ((await patiently(lookForVersion)) && reload()) await new Promise(() => undefined);
      throw error;
    }
  });
}

/** A part of a page. Where its file is gone the rest of the page stays as it is, with what somebody writes there. */
export function laterPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: await loadPart(load) }));
}

async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await load();
    } catch (error) {
      const isGone = await patiently(lookForVersion);
      if (isGone || tries === mostTries) throw error;
    }
  }
}
