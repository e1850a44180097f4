// Lets an HTTP server listen on a free port of the loopback, until it is disposed of.

import type { AddressInfo } from 'node:net';
import type { HttpServer } from '../../src/http/server.ts';

export interface Listening extends AsyncDisposable {
  readonly port: number;
  /** How many connections are open. */
  connections(): Promise<number>;
}

/** Listen on any port unless told; connections are cut at the end. */
export async function listening(http: HttpServer, wanted = 0): Promise<Listening> {
  const { server } = http;
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    async [Symbol.asyncDispose]() {
      const closed = http.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
