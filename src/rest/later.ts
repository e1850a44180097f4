// When REST is loaded: with its first request, or when a start is over.

import type { RequestListener } from 'node:http';
import type { Plugin } from 'graphql-yoga';
import { lateListener } from '../http/late-listener.ts';
import type { Rest } from './server.ts';

/** REST as it is once it is loaded. */
export interface LoadedRest<Context extends object> {
  readonly api: Rest;
  /** Runs its operations as compiled code. */
  readonly plugin: Plugin<Context>;
}

/** REST that is loaded when it is needed. */
export interface LateRest<Context extends object> {
  /** Loads it, once. */
  load(): Promise<Rest>;
  /** Answers a request, after loading it where that is due. */
  readonly handle: RequestListener;
  /** For Yoga, which exists before. */
  readonly plugin: Plugin<Context>;
}

/**
 * Load REST later: reading 4,000 lines of operations, and the packages that serve them, would be a third
 * of a start. `onUnexpected` is called where it can't be loaded.
 */
export function restLater<Context extends object>(
  make: () => Promise<LoadedRest<Context>>,
  onUnexpected: (error: unknown) => void,
): LateRest<Context> {
  let plugin: Plugin<Context> = {};
  let loading: Promise<{ api: Rest; listener: RequestListener }> | undefined;
  async function read() {
    const { getRequestListener } = await import('@hono/node-server');
    const made = await make();
    plugin = made.plugin;
    const { api } = made;
    return { api, listener: getRequestListener(api.fetch, { overrideGlobalObjects: false }) };
  }
  const load = () => {
    loading ??= read().catch((error: unknown) => {
      // Whatever was in the way, such as too few files, may be gone at the next request.
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    load: async () => (await load()).api,
    handle: lateListener(async () => (await load()).listener, onUnexpected),
    plugin: { onExecute: (payload) => plugin.onExecute?.(payload) },
  };
}
