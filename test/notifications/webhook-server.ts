// A receiver of webhooks on the loopback, which verifies signatures by the letter of the specification.

import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly id: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WebhookServer extends AsyncDisposable {
  readonly url: string;
  readonly received: readonly Received[];
  /** Sockets that were opened, whatever came over them. */
  connections(): number;
  /** Answer the next requests so, and 200 from then on. */
  reply(...replies: Reply[]): void;
}

export async function startReceiver(): Promise<WebhookServer> {
  const received: Received[] = [];
  const replies: Reply[] = [];
  let connections = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { headers } = request;
    const id = String(headers['webhook-id']);
    received.push({ id, headers, body: Buffer.concat(chunks).toString() });
    const { status, headers: more = {}, body = 'taken' } = replies.shift() ?? { status: 200 };
    response.writeHead(status, more).end(body);
  });
  server.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook?source=headwater`,
    received,
    connections: () => connections,
    reply: (...more) => void replies.push(...more),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Whether a message is what its sender signed, of which this knows the secret only. */
export function verify(secret: string, { headers, body }: Received): boolean {
  const key = Buffer.from(secret.split('_')[1] ?? '', 'base64');
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
  const wanted = createHmac('sha256', key).update(signed).digest();
  return String(headers['webhook-signature'])
    .split(' ')
    .some((one) => {
      const [version, signature = ''] = one.split(',');
      const given = Buffer.from(signature, 'base64');
      return version === 'v1' && given.length === wanted.length && timingSafeEqual(given, wanted);
    });
}
