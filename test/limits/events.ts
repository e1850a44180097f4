// Subscribes over server-sent events, as a browser would.

/** What came of a subscription: each result as it comes, until the server ends it. */
export interface Subscribed {
  readonly status: number;
  readonly events: AsyncGenerator<Event, void, undefined>;
  /** Go away. */
  leave(): void;
}

/** One result. */
export interface Event {
  // What a subscription selects is known only to the test that asks.
  // biome-ignore lint/suspicious/noExplicitAny: tests read into answers of any shape.
  readonly data?: any;
  readonly errors?: readonly { message: string; extensions: { code: string } }[];
}

/** Subscribe at an origin with a key. */
export async function subscribe(
  origin: string,
  key: string,
  query: string,
  variables: object = {},
): Promise<Subscribed> {
  const leaving = new AbortController();
  const response = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'text/event-stream',
    },
    body: JSON.stringify({ query, variables }),
    signal: leaving.signal,
  });
  return { status: response.status, events: eventsIn(response), leave: () => leaving.abort() };
}

/** What a response of server-sent events holds, until it ends. */
export async function* eventsIn({ body }: Response): AsyncGenerator<Event, void, undefined> {
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (let end = text.indexOf('\n\n'); end >= 0; end = text.indexOf('\n\n')) {
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      text = text.slice(end + 2);
      if (data) yield JSON.parse(data);
    }
  }
}
