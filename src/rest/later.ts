// When REST is loaded: with its first request, or when a start is over.

import type { RequestListener } from 'node:http';
import { clientErrorOf } from '../graphql/masking.ts';
import { fetchAdapter, withHost } from '../http/fetch-adapter.ts';
import { lateListener } from '../http/late-listener.ts';
import { failRequest } from '../http/problem.ts';
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
    const api = await make();
    const adapter = await fetchAdapter(api.fetch);
    const listener: RequestListener = (message, response) => {
      void Promise.resolve(adapter.handleNodeRequestAndResponse(withHost(message), response))
        .then((answer) => sendAnswer(answer, response))
        .catch((error: unknown) => {
          // Lines that have begun to be sent are cut: a client notices that some are missing.
          failRequest(response);
          if (clientErrorOf(error) === null) onUnexpected(error);
        });
    };
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
