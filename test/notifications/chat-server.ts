// A team chat on the loopback, for tests: it keeps what is posted, and refuses when it is told to.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message that the chat has. */
export interface Posted {
  readonly ts: string;
  readonly channel: string;
  readonly text: string;
  /** The same as blocks, in JSON; null for none. */
  readonly blocks: string | null;
  /** The message that this one answers to. */
  readonly thread: string | null;
}

/** What the chat answers instead of doing what it is asked. */
export type Refusal =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | { readonly error: string };

export interface ChatServer extends AsyncDisposable {
  readonly base: string;
  readonly messages: readonly Posted[];
  /** Requests that came, refused ones included. */
  requests(): number;
  /** Refuse the next requests so. */
  refuse(...refusals: Refusal[]): void;
}

const token = 'chat-token-for-tests';
/** Credentials of an integration of type chat that this chat knows. */
export const chatCredentials = { token };

const channels = [
  { id: 'C1', name: 'data-alerts', is_member: true },
  { id: 'C2', name: 'lunch', is_member: false },
  { id: 'C3', name: 'analytics', is_member: true },
];

export async function startChat(): Promise<ChatServer> {
  const messages: Posted[] = [];
  const refusals: Refusal[] = [];
  let requests = 0;
  const server = createServer(async (request, response) => {
    requests += 1;
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const fields = new URLSearchParams(Buffer.concat(chunks).toString());
    const say = (body: object, status = 200, headers = {}) => {
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(body));
    };
    const refusal = refusals.shift();
    if (refusal && 'status' in refusal) return say({}, refusal.status, refusal.headers);
    if (refusal) return say({ ok: false, error: refusal.error });
    if (request.headers.authorization !== `Bearer ${token}`) {
      return say({ ok: false, error: 'invalid_auth' });
    }
    if (request.url === '/api/conversations.list') {
      const at = Number(fields.get('cursor') ?? 0);
      const next = at + 1 < channels.length ? String(at + 1) : '';
      const page = channels.slice(at, at + 1);
      return say({ ok: true, channels: page, response_metadata: { next_cursor: next } });
    }
    const channel = fields.get('channel') ?? '';
    if (!channels.some(({ id }) => id === channel)) {
      return say({ ok: false, error: 'channel_not_found' });
    }
    const ts = `1770000000.${String(messages.length).padStart(6, '0')}`;
    const thread = fields.get('thread_ts');
    const blocks = fields.get('blocks');
    messages.push({ ts, channel, text: fields.get('text') ?? '', blocks, thread });
    say({ ok: true, channel, ts });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    messages,
    requests: () => requests,
    refuse: (...more) => void refusals.push(...more),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
