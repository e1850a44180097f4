// Serves a program of a test on a free port of the loopback.

import type { AddressInfo } from 'node:net';
import type { App } from '../src/app.ts';
import { openHttpServer } from '../src/http-server.ts';

export interface Served extends AsyncDisposable {
  /** Where it is served, without a slash at the end. */
  readonly base: string;
}

/** Serve a program over HTTP until it is disposed of; open connections are cut then. */
export async function serveApp({ handle }: Pick<App, 'handle'>): Promise<Served> {
  const http = openHttpServer();
  http.begin(handle);
  const { server } = http;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // A server that listens on a port has such an address.
  const { port } = server.address() as AddressInfo;
  return {
    base: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      const closed = http.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
