// Connections: how many there are, and how long one may be held without asking anything.

import type {
  IncomingHttpHeaders,
  IncomingMessage,
  Server,
  ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { watchIdle } from './idle-connections.ts';

/** How long clients may take: see `guardConnections`. */
export const connectionLimits: ServerOptions = {
  // A client that sends its headers slowly, or nothing at all, holds a connection no longer.
  headersTimeout: 5_000,
  // How often Node.js looks for such clients.
  connectionsCheckingInterval: 1_000,
  // What lacks a host is refused by name, as other requests are.
  requireHostHeader: false,
  // Bodies are read with a patience of their own, for uploads may take long.
  requestTimeout: 0,
};

/**
 * The limit that a connection met: `full`, there were too many; `unknown`, too many had shown no key, and it was
 * the oldest; `idle`, it waited for a request and others needed its place; `unread`, its client read nothing of an
 * answer; `unfinished`, or did not send the rest of a request that was answered.
 */
export type Closing = 'full' | 'unknown' | 'idle' | 'unread' | 'unfinished';

export interface ConnectionOptions {
  /** Connections at once; others are refused. */
  readonly maxConnections: number;
  /** How long a connection waits for its next request, in milliseconds. */
  readonly keepAliveMs: number;
  /** Whether the headers of a request name a key, or a session, that works. */
  readonly isSignedIn: (headers: IncomingHttpHeaders) => Promise<boolean>;
  /**
   * A client that takes nothing of its answer for so long, in milliseconds, is given up, after twice
   * that at most; 30 s unless given.
   */
  readonly readingMs?: number;
  /** Notified of each connection that is not taken or is closed. */
  readonly onClosing?: (why: Closing) => void;
}

/** A client that was answered before it had sent all may send the rest for so long. */
const lingerMs = 1_000;

/**
 * Bound the connections of a server. At most half of them are of clients that never showed a key or a
 * session that works: where there are more, the oldest of these is closed. A connection is closed as well
 * where the rest of a request does not come soon after it was answered, where nothing of an answer is
 * read, and where the next request does not come; earlier, where others need its place.
 */
export function guardConnections(server: Server, options: ConnectionOptions): void {
  const {
    maxConnections,
    keepAliveMs,
    isSignedIn,
    readingMs = 30_000,
    onClosing = () => {},
  } = options;
  const close = (socket: Socket, why: Closing) => {
    onClosing(why);
    socket.destroy();
  };
  const mostUnknown = Math.ceil(maxConnections / 2);
  const unknown = new Set<Socket>();
  server.maxConnections = maxConnections;
  server.keepAliveTimeout = keepAliveMs;
  server.on('drop', () => onClosing('full'));
  const isBusy = watchIdle(server, maxConnections, (socket) => close(socket, 'idle'));
  server.on('connection', (socket) => {
    unknown.add(socket);
    socket.once('close', () => unknown.delete(socket));
    const [oldest] = unknown;
    if (!oldest || unknown.size <= mostUnknown) return;
    // At once: the next one may come before it is closed.
    unknown.delete(oldest);
    close(oldest, 'unknown');
  });
  // Called after either time; with a listener, Node.js closes nothing by itself.
  server.setTimeout(readingMs, (socket) => {
    // Whose next request does not come has met no limit that is worth counting.
    if (!isBusy(socket)) socket.destroy();
    // Where a request is under way and nothing waits to be sent, the client waits for us.
    else if (socket.writableLength > 0) close(socket, 'unread');
  });
  server.prependListener('request', (request, response) => {
    closeWhereEarly(request, response, close);
    const { headers } = request;
    const isShown = headers.authorization !== undefined || headers.cookie !== undefined;
    if (!isShown || !unknown.has(request.socket)) return;
    void isSignedIn(headers).then(
      (isKnown) => isKnown && unknown.delete(request.socket),
      // Whether the database answers follows from the answer to the request.
      () => {},
    );
  });
}

function closeWhereEarly(
  request: IncomingMessage,
  response: ServerResponse,
  close: (socket: Socket, why: Closing) => void,
): void {
  // Node.js takes it off the request once that is answered.
  const { socket } = request;
  response.once('finish', () => {
    if (request.complete) return;
    // What was sent already is read and forgotten. Closed at once, the connection would take the answer
    // from a client that is still sending. That the request is closed, as a reader that gave it up does,
    // does not say that the client has sent all.
    const late = setTimeout(() => {
      if (!request.complete && !socket.destroyed) close(socket, 'unfinished');
    }, lingerMs);
    late.unref();
    request.resume();
  });
}
