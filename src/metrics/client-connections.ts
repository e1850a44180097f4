// Metrics of connections of clients: how many are open, and which were not let go on.

import type { Server } from 'node:http';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { Closing } from '../limits/connections.ts';

/**
 * Report on connections in a registry. Call the answered function with a server that takes some, and what that answers
 * with the reason for each connection that is closed on its client.
 */
export function watchConnections(registry: Registry): (server: Server) => (why: Closing) => void {
  const servers = new Set<Server>();
  new Gauge({
    name: 'headwater_connections',
    help: 'Connections of clients that are open.',
    registers: [registry],
    async collect() {
      const counts = await Promise.all([...servers].map(openOn));
      this.set(counts.reduce((all, count) => all + count, 0));
    },
  });
  const closed = new Counter({
    name: 'headwater_connections_closed_total',
    help: 'Connections that were not taken or were closed on their clients, by the limit that they met.',
    labelNames: ['reason'],
    registers: [registry],
  });
  return (server) => {
    servers.add(server);
    server.once('close', () => servers.delete(server));
    return (reason) => closed.inc({ reason });
  };
}

/** How many are open on a server; none where it has stopped. */
function openOn(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.getConnections((error, count) => resolve(error ? 0 : count));
  });
}
