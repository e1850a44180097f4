// Serves a program of a test on a free port of the loopback.

import type { App } from '../src/app.ts';
import { openHttpServer } from '../src/http/server.ts';
import { type ConnectionOptions, guardConnections } from '../src/limits/connections.ts';
import { type Listening, listening } from './http/listening.ts';

export interface Served extends Listening {
  /** Where it is served, without a slash at the end. */
  readonly base: string;
}

/** Serve a program over HTTP until it is disposed of, on any port unless told, behind a proxy where that is said; connections are cut then. */
export async function serveApp(
  { handle, metrics, isSignedIn = async () => false }: Pick<App, 'handle'> & Partial<App>,
  limits: Partial<ConnectionOptions> = {},
  wanted = 0,
  trustsProxy = false,
): Promise<Served> {
  const http = openHttpServer({ trustsProxy });
  http.begin(handle, metrics?.observe);
  const { server } = http;
  const watched = metrics ? { onClosing: metrics.watchServer(server) } : {};
  const usual = { maxConnections: 2_000, keepAliveMs: 75_000, isSignedIn };
  guardConnections(server, { ...usual, ...watched, ...limits });
  const served = await listening(http, wanted);
  return { ...served, base: `http://127.0.0.1:${served.port}` };
}
