// The requests that have no answer yet, by the connections that they came over.

import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Requests of one connection that wait for each other's answers. Browsers and proxies send one at a time; without
 * a bound one packet could be two thousand of them.
 */
const mostAtOnce = 100;

/** Requests under way. Every one of them ends with the event `close` of its response, however its client leaves. */
export class UnderWay {
  readonly #connections = new Map<Duplex, Set<ServerResponse>>();

  /** Look after the requests of a connection. */
  follow(connection: Duplex): void {
    const responses = new Set<ServerResponse>();
    this.#connections.set(connection, responses);
    connection.once('close', () => {
      this.#connections.delete(connection);
      for (const response of responses) closeQueued(response, connection);
    });
  }

  /** Note a request that begins. False where its connection has too many: nothing is to be made of it then. */
  add(connection: Duplex, response: ServerResponse): boolean {
    const responses = this.#connections.get(connection);
    if (!responses || responses.size >= mostAtOnce) return false;
    responses.add(response);
    return true;
  }

  /** Note that a request is over. */
  delete(connection: Duplex, response: ServerResponse): void {
    this.#connections.get(connection)?.delete(response);
  }

  /** The responses of all connections. */
  *all(): Iterable<ServerResponse> {
    for (const responses of this.#connections.values()) yield* responses;
  }

  /** The responses of one connection. */
  on(connection: Duplex): readonly ServerResponse[] {
    return [...(this.#connections.get(connection) ?? [])];
  }

  /** Close the connections on which nothing is under way. */
  destroyIdle(): void {
    for (const [connection, { size }] of this.#connections) if (size === 0) connection.destroy();
  }
}

/**
 * Of a connection that closes, Node.js closes the one response that is being sent over it, and those that were sent.
 * One that still waits for its turn would never end: no listener of it would ever be called.
 */
function closeQueued(response: ServerResponse, connection: Duplex): void {
  if (response.socket === connection || response.writableFinished) return;
  response.destroy();
  response.emit('close');
}
