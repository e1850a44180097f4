// Serves a program of a test on a free port of the loopback.

import type { AddressInfo } from 'node:net';
import type { App } from '../src/app.ts';
import { openHttpServer } from '../src/http/server.ts';
import { type ConnectionOptions, guardConnections } from '../src/limits/connections.ts';

export interface Served extends AsyncDisposable {
  /** Where it is served, without a slash at the end. */
  readonly base: string;
  /** How many connections are open. */
  connections(): Promise<number>;
}

/** Serve a program over HTTP until it is disposed of, on any port unless told; connections are cut then. */
export async function serveApp(
  { handle, isSignedIn = async () => false }: Pick<App, 'handle'> & Partial<App>,
  limits: Partial<ConnectionOptions> = {},
  wanted = 0,
): Promise<Served> {
  const http = openHttpServer();
  http.begin(handle);
  const { server } = http;
  guardConnections(server, { maxConnections: 2_000, keepAliveMs: 75_000, isSignedIn, ...limits });
  await new Promise<void>((resolve) => server.listen(wanted, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
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
