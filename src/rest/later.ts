// When REST is loaded: with its first request, or when a start is over.

import { type RequestListener, ServerResponse } from 'node:http';
import { lateListener } from '../http/late-listener.ts';
import { sendAnswer } from '../http/send.ts';
import type { Rest } from './server.ts';

/** REST that is loaded when it is needed. */
export interface LateRest {
  /** Loads it, once. */
  load(): Promise<Rest>;
  /** Answers a request, after loading it where that is due. */
  readonly handle: RequestListener;
}

/**
 * Load REST later: reading 4,000 lines of operations, and the packages that serve them, would be a third
 * of a start. `onUnexpected` is called where it can't be loaded.
 */
export function restLater(
  make: () => Promise<Rest>,
  onUnexpected: (error: unknown) => void,
): LateRest {
  let loading: Promise<{ api: Rest; listener: RequestListener }> | undefined;
  async function read() {
    const [{ getRequestListener }, { RESPONSE_ALREADY_SENT }] = await Promise.all([
      import('@hono/node-server'),
      import('@hono/node-server/utils/response'),
    ]);
    const api = await make();
    const listener = getRequestListener(
      async (request, { outgoing }) => {
        const answer = await api.fetch(request);
        // Its own way reads the answer as a stream, and a server of HTTP/2 is none of ours.
        if (!(outgoing instanceof ServerResponse)) return answer;
        await sendAnswer(answer, outgoing);
        return RESPONSE_ALREADY_SENT;
      },
      { overrideGlobalObjects: false },
    );
    return { api, listener };
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
  };
}
