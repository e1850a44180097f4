// In charge of the server as a whole: which part of it answers which request.

import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { viewerOfKey } from './auth/api-key.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { useBodyLimit } from './graphql/body-limit.ts';
import type { ErrorListener } from './graphql/masking.ts';
import { type Caller, createGraphQL, isSignedIn, keyIn } from './graphql/yoga.ts';
import { isReady } from './health.ts';
import { setDeclarationReader } from './integrations/declared.ts';
import { uploadRoutes } from './integrations/routes.ts';
import { useIntegrationSettings } from './integrations/settings.ts';
import { createBounds } from './limits/bounds.ts';
import { connectionLimits, guardConnections } from './limits/connections.ts';
import { createCors } from './limits/cors.ts';
import { inOnePiece } from './limits/pace.ts';
import { createWriteRate } from './limits/write-rate.ts';
import { createMetrics } from './metrics.ts';
import { readDeclaredMonitors } from './monitors/declare.ts';
import { setChatBase } from './notifications/chat.ts';
import { setMail } from './notifications/email.ts';
import { base, createApi, operations } from './rest/api.ts';
import { useCompiledOperations } from './rest/engine.ts';
import type { Rest } from './rest/server.ts';
import { forgetAbandoned } from './rest/upload.ts';
import { reviewRoute } from './reviews/route.ts';
import { isForSite, sendSite } from './site/site.ts';

/** What the server is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly config: Config;
  /** The clock; tests move it. */
  readonly now?: () => Date;
  /** Told of each error that is nobody's business but ours. */
  readonly onUnexpected: ErrorListener;
}

/** The server, not yet listening. */
export interface App {
  readonly server: Server;
  /** What answers below `/api/v1`. */
  readonly api: Rest;
  /** From now on `/readyz` says 503, so that a balancer sends nothing more. */
  drain(): void;
}

/** Put the server together: GraphQL straight from node:http, all else behind it. */
export function createApp(options: AppOptions): App {
  const { database, config, onUnexpected, now = () => new Date() } = options;
  useIntegrationSettings(database, config);
  setDeclarationReader(database, readDeclaredMonitors);
  setChatBase(database, config.CHAT_API_BASE);
  setMail(database, { url: config.SMTP_URL ?? null, from: config.SMTP_FROM });
  const bounds = createBounds({
    database,
    requestsPerKey: config.REQUESTS_PER_KEY,
    timeoutMs: config.REQUEST_TIMEOUT_MS,
    databaseMs: config.REQUEST_DATABASE_MS,
  });
  const writeRate = createWriteRate(database, config.RATE_LIMIT_WRITES_PER_MINUTE);
  const authenticate = (key: string) => viewerOfKey(database, key, now());
  const viewerOfHeader = async (authorization: string) => {
    const key = keyIn(authorization);
    return key === null ? null : authenticate(key);
  };
  const graphql = createGraphQL({
    database,
    now,
    bounds,
    writeRate,
    subscriptions: {
      perKey: config.SUBSCRIPTIONS_PER_KEY,
      maxAgeMs: config.SUBSCRIPTION_SECONDS * 1000,
    },
    authenticate,
    onUnexpected,
    plugins: [useBodyLimit(config.MAX_BODY_BYTES), useCompiledOperations(operations, withoutTurns)],
  });
  const spool = join(config.DATA_DIR, 'uploads');
  void forgetAbandoned(spool).catch(onUnexpected);
  const uploads = { maxBytes: config.MAX_UPLOAD_BYTES, folder: spool };
  const routes = [...uploadRoutes(uploads), reviewRoute(uploads)];
  const api = createApi(graphql, { bounds, writeRate }, config, routes, onUnexpected);
  const rest = getRequestListener(api.fetch, { overrideGlobalObjects: false });
  const state = { draining: false };
  const metrics = createMetrics();
  const cors = createCors(config.CORS_ORIGINS);
  const server = createServer(connectionLimits, (request, response) => {
    const path = request.url?.split('?', 1)[0] ?? '/';
    metrics.observe(request, response, partOf(path));
    if (isForSite(request, path)) {
      return void sendSite(request, response, path).catch(onUnexpected);
    }
    const isGraphQL = path === '/graphql' || path === '/graphql/';
    const isRest = path === base || path.startsWith(`${base}/`);
    if ((isGraphQL || isRest) && cors(request, response)) return;
    if (isGraphQL) return void graphql(request, response);
    if (isRest) return void rest(request, response);
    if (path === '/healthz') return sayHealth(response, 200, 'alive');
    if (path === '/readyz') return void sayReady(response, database, state.draining);
    if (path === '/metrics') {
      return void metrics.text().then((text) => {
        response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
      }, onUnexpected);
    }
    return notHere(response);
  });
  guardConnections(server, {
    maxConnections: config.MAX_CONNECTIONS,
    isSignedIn: async (authorization) => (await viewerOfHeader(authorization)) !== null,
  });
  return {
    server,
    api,
    drain() {
      state.draining = true;
    },
  };
}

function withoutTurns(caller: Caller): Caller {
  return isSignedIn(caller) ? inOnePiece(caller) : caller;
}

function partOf(path: string): string {
  if (path.startsWith('/graphql')) return 'graphql';
  return path.startsWith(base) ? 'rest' : 'other';
}

async function sayReady(
  response: ServerResponse,
  database: Database,
  draining: boolean,
): Promise<void> {
  if (draining) return sayHealth(response, 503, 'shutting down');
  const ready = await isReady(database);
  sayHealth(response, ready ? 200 : 503, ready ? 'ready' : 'the database does not answer');
}

function sayHealth(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store' });
  response.end(JSON.stringify({ status: text }));
}

function notHere(response: ServerResponse): void {
  response.writeHead(404, { 'content-type': 'application/problem+json' });
  response.end(
    JSON.stringify({
      type: 'about:blank',
      title: 'Not Found',
      status: 404,
      detail: `Nothing is here; GraphQL is at /graphql, REST below ${base}.`,
      code: 'NOT_FOUND',
    }),
  );
}
