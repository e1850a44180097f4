// A server on the loopback that answers as a test wants it, and remembers what it was asked.

import { createServer, type IncomingHttpHeaders } from 'node:http';

export interface Asked {
  readonly method: string;
  readonly url: URL;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | object;
  /** Never answer, or after some bytes no more. */
  readonly hang?: boolean;
  /** Close the connection after so many bytes of the body. */
  readonly cutAfter?: number;
}

export interface HttpFake extends AsyncDisposable {
  readonly port: number;
  readonly asked: readonly Asked[];
  /** Requests whose client went away before they were answered. */
  readonly abandoned: readonly Asked[];
  /** How many connections were made to it. */
  connections(): number;
}

/** Start a server; it ends with the test. */
export async function startFake(
  answer: (asked: Asked) => Answer | Promise<Answer>,
): Promise<HttpFake> {
  const asked: Asked[] = [];
  const abandoned: Asked[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const one: Asked = {
        method: request.method ?? '',
        url: new URL(request.url ?? '/', 'http://fake.test'),
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      asked.push(one);
      const { status = 200, headers = {}, body = '', hang = false, cutAfter } = await answer(one);
      response.once('close', () => {
        if (!response.writableFinished) abandoned.push(one);
      });
      response.writeHead(status, headers);
      const isText = typeof body === 'string' || body instanceof Uint8Array;
      const text = isText ? body : JSON.stringify(body);
      if (cutAfter !== undefined) {
        response.write(text.slice(0, cutAfter), () => response.destroy());
      } else if (hang) response.write(text);
      else response.end(text);
    });
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    asked,
    abandoned,
    connections: () => connections,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
