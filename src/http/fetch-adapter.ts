// Requests of node:http as those of fetch, for REST and agents. Loaded with the first of them.

import type { IncomingMessage } from 'node:http';

type Answer = (request: Request) => Response | Promise<Response>;

/** The adapter between node:http and what answers requests of fetch. */
export async function fetchAdapter(answer: Answer) {
  const { createServerAdapter } = await import('@whatwg-node/server');
  // The adapter's own signal is quicker to make, but goes on to say that it wasn't aborted after it was.
  return createServerAdapter((request: Request) => answer(request), {
    __useCustomAbortCtrl: false,
  });
}

/** Let an address be made of a request whose header `Host` is no name of a host: nothing looks at it. */
export function withHost(message: IncomingMessage): IncomingMessage {
  const { headers } = message;
  if (!URL.canParse(`http://${headers.host ?? 'localhost'}/`)) headers.host = 'localhost';
  return message;
}
