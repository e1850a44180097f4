// Requests of node:http as those of fetch, for REST and agents. Loaded with the first of them.

type Answer = (request: Request) => Response | Promise<Response>;

/** A listener of node:http for what answers requests of fetch. */
export async function fetchAdapter(answer: Answer) {
  const { createServerAdapter } = await import('@whatwg-node/server');
  // The adapter's own signal is quicker to make, but goes on to say that it wasn't aborted after it was.
  return createServerAdapter((request: Request) => answer(request), {
    __useCustomAbortCtrl: false,
  });
}
