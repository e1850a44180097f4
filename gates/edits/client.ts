// Asking a server over HTTP, as one of several people.

/** What a deed came to: the answer of one that was done, or why it was refused. */
export interface Outcome {
  // What an operation answers is known only to who asks.
  // biome-ignore lint/suspicious/noExplicitAny: races read into answers of any shape.
  readonly data: any;
  /** The code of a GraphQL error, or the status of a REST answer; null where it was done. */
  readonly refusal: string | null;
  readonly message: string;
  readonly headers: Headers;
}

/** One person at a server. */
export interface Client {
  /** Ask in GraphQL; `data` is what its one root field answers. */
  graphql(query: string, variables?: object): Promise<Outcome>;
  rest(
    method: string,
    path: string,
    body?: object,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Outcome>;
}

/** A client of the server at an address, with a key. */
export function clientOf(address: string, key: string): Client {
  const send = async (method: string, path: string, body: object | undefined, headers: object) => {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
    const text = await response.text();
    return { response, body: text === '' ? null : JSON.parse(text) };
  };
  return {
    async graphql(query, variables = {}) {
      const { response, body } = await send('POST', '/graphql', { query, variables }, {});
      const [error] = body?.errors ?? [];
      const data = Object.values(body?.data ?? {})[0] ?? null;
      const { headers, status } = response;
      if (status >= 500) return { data, refusal: String(status), message: 'HTTP', headers };
      const refusal = error ? String(error.extensions?.code) : null;
      return { data, refusal, message: error?.message ?? '', headers };
    },
    async rest(method, path, sent, more = {}) {
      const { response, body } = await send(method, `/api/v1${path}`, sent, more);
      const { headers, ok, status } = response;
      return {
        data: body,
        refusal: ok ? null : String(status),
        message: body?.detail ?? '',
        headers,
      };
    },
  };
}
