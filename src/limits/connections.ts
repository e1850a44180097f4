// Limits of client connections: how many there are, and how long one may be idle or leave an answer unread.

import type {
  IncomingHttpHeaders,
  IncomingMessage,
  Server,
  ServerOptions,
  ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';

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
    // An idle client has met no limit that is worth counting.
    if (!isBusy(socket)) socket.destroy();
    // With a request in progress and nothing to send, the client waits for us.
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

/** Beyond this share of the places, a new connection takes that of an idle one. */
const nearlyAll = 0.9;

/**
 * Watch the connections of a server. Where nearly all places are taken, the connection that has waited longest for
 * its next request is closed, as `close` does it, for each that comes. The answered function says whether a connection has
 * a request in progress.
 */
function watchIdle(
  server: Server,
  maxConnections: number,
  close: (socket: Socket) => void,
): (socket: Socket) => boolean {
  const open = new Set<Socket>();
  const idle = new Set<Socket>();
  /** A client may send a request before it has the answer to the last one. */
  const requests = new WeakMap<Socket, number>();
  const requestsOn = (socket: Socket) => requests.get(socket) ?? 0;
  server.on('connection', (socket) => {
    open.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    const [longest] = idle;
    if (!longest || open.size <= maxConnections * nearlyAll) return;
    // At once: the next one may come before it is closed.
    idle.delete(longest);
    close(longest);
  });
  server.prependListener('request', ({ socket }, response) => {
    idle.delete(socket);
    requests.set(socket, requestsOn(socket) + 1);
    response.once('close', () => {
      requests.set(socket, requestsOn(socket) - 1);
      if (requestsOn(socket) === 0 && open.has(socket)) idle.add(socket);
    });
  });
  return (socket) => requestsOn(socket) > 0;
}

/** Characters of the shortest answer that is counted: one of them for each possible connection is little. */
export const leastUnsent = 65_536;

/** How much of all answers may wait for their clients, and for how long. */
export interface UnsentLimits {
  /** Characters of all that wait in one process; bytes of those that are packed. */
  readonly most: number;
  /** Each may wait for so many milliseconds, */
  readonly patienceMs: number;
  /** and for as long as it takes to read it at this scheduler, in characters a second. */
  readonly leastPace: number;
}

/** Four of the longest answers, or hundreds of a megabyte. */
const usual: UnsentLimits = { most: 256_000_000, patienceMs: 60_000, leastPace: 100_000 };

/** An answer that waits. */
interface Waiting {
  readonly owner: string;
  readonly characters: number;
  readonly giveUp: () => void;
  readonly late: NodeJS.Timeout;
}

/** The answers of a process that wait. */
export interface Unsent {
  /**
   * Note an answer; call the answered function when it is sent, or its client has gone. Where it waits for too long, or
   * too much waits and it is the oldest of the owner with the most, it is given up.
   */
  wait(owner: string, characters: number, giveUp: () => void): () => void;
}

export function createUnsent({ most, patienceMs, leastPace }: UnsentLimits = usual): Unsent {
  const waiting = new Set<Waiting>();
  let characters = 0;

  function leave(one: Waiting): void {
    if (!waiting.delete(one)) return;
    clearTimeout(one.late);
    characters -= one.characters;
  }

  /** The oldest answer of the owner who has most of them. */
  function first(): Waiting | undefined {
    const sums = new Map<string, number>();
    for (const one of waiting) sums.set(one.owner, (sums.get(one.owner) ?? 0) + one.characters);
    const largest = Math.max(...sums.values());
    return [...waiting].find(({ owner }) => sums.get(owner) === largest);
  }

  return {
    wait(owner, length, giveUp) {
      const ms = patienceMs + (length / leastPace) * 1_000;
      const late = setTimeout(() => {
        leave(one);
        giveUp();
      }, ms);
      late.unref();
      const one = { owner, characters: length, giveUp, late };
      waiting.add(one);
      characters += length;
      while (characters > most) {
        const oldest = first();
        if (!oldest) break;
        leave(oldest);
        oldest.giveUp();
      }
      return () => leave(one);
    },
  };
}

/** The answers of this process. */
export const unsent: Unsent = createUnsent();
