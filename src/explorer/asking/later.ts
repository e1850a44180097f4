// In charge of parts of the explorer that are loaded when they are first shown. After an update of the server their
// files may be gone.

import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import { patiently } from './patiently.ts';
import { loadAnew, lookForVersion } from './version.ts';

/** A part that did not arrive from a server that is there is asked for so many times. */
const mostTries = 3;

/** A page. Where its file is gone its address is loaded anew: what was on the page before has been left by then. */
export function laterPage<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => {
    try {
      return { default: await loadPart(load) };
    } catch (error) {
      // Nothing is to be shown of a page that is going away.
      if ((await patiently(lookForVersion)) && loadAnew()) await new Promise(() => undefined);
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
