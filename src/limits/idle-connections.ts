// Connections on which no request is under way: which of them are closed so that others find a place.

import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** Beyond this share of the places, whoever comes takes that of a connection that waits. */
const nearlyAll = 0.9;

/**
 * Watch the connections of a server. Where nearly all places are taken, the connection that has waited longest for
 * its next request is closed, as `close` does it, for each that comes. Tells of a connection whether a request is under way on it.
 */
export function watchIdle(
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
