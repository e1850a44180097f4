// The program as a whole: which part of it answers which request.

import type { IncomingHttpHeaders, RequestListener, ServerResponse } from 'node:http';
import { agentRoute } from './agents/routes.ts';
import { createRefusals } from './audit/refusal.ts';
import { exportRoute } from './audit/routes.ts';
import type { Config } from './config.ts';
import type { Database } from './database/database.ts';
import { isSignedInBy, noteLapsedIn } from './graphql/http/holder-in-headers.ts';
import { graphqlListener } from './graphql/http/listener.ts';
import type { ErrorListener } from './graphql/masking.ts';
import type { OperationLists } from './graphql/persisted/operation-lists.ts';
import { unfitOperations } from './graphql/persisted/unfit-operations.ts';
import { schema } from './graphql/schema.ts';
import { createGraphQL } from './graphql/yoga.ts';
import { createCors } from './http/cors.ts';
import { fetchAdapter, withHost } from './http/fetch-adapter.ts';
import { isReady, sayHealth } from './http/health.ts';
import { lateListener } from './http/late-listener.ts';
import { failRequest, sendProblem } from './http/problem.ts';
import { pathOf } from './http/server.ts';
import { uploadRoutes } from './integrations/imports/routes.ts';
import { endedRunRoute } from './integrations/syncs/routes.ts';
import { type BoundsOptions, createBounds } from './limits/bounds.ts';
import { bodySizes } from './limits/request-size.ts';
import { createUploadRate } from './limits/upload-rate.ts';
import { createWriteRate, type WriteBounds } from './limits/write-rate.ts';
import { createMetrics, type Metrics } from './metrics/metrics.ts';
import { readDeclaredMonitors } from './monitors/declarations/declare.ts';
import { notifyOfLink } from './notifications/linked-sign-in.ts';
import { reportRoute } from './openlineage/routes.ts';
import type { OperatorOptions } from './operator/operator-api.ts';
import { holderOfKey, viewerOfKey } from './people/sign-in.ts';
import { csvRoute } from './properties/csv/routes.ts';
import { imageRoutes } from './resources/images/routes.ts';
import { restLater } from './rest/later.ts';
import { base } from './rest/request-url.ts';
import type { Rest } from './rest/server.ts';
import { forgetAbandoned } from './rest/upload.ts';
import { reviewRoute } from './reviews/routes.ts';
import type { OnLinked } from './sign-in/claimed-account.ts';
import { type CodeOwner, createOneTimeCodes } from './sign-in/one-time-code.ts';
import { createSessionReader } from './sign-in/request-session.ts';
import { createPictures, isForPicture } from './site/embedded-picture.ts';
import { createSignInRoutes, type SignInRoutes } from './site/sign-in-routes.ts';
import { isForSite, sendSite } from './site/site.ts';
import type { Surroundings } from './surroundings.ts';
import { currentRequest, noteSubject, type ServerPart } from './tracing/request.ts';

/** What the server is made of. */
export interface AppOptions {
  readonly database: Database;
  readonly surroundings: Surroundings;
  readonly config: Config;
  /** Operations that the operator lists; none where it is absent. */
  readonly operations?: OperationLists;
  /** The clock; tests move it. */
  readonly now?: () => Date;
  /** Called with each error that is no one's business but ours. */
  readonly onUnexpected: ErrorListener;
  /** Notified of what the operator should know of; no one is where it is absent. */
  readonly onNotice?: (message: string) => void;
  /** Lines of the log that could not be written; where it is absent there is no log. */
  readonly droppedLines?: () => number;
}

/** The program behind the HTTP server. */
export interface App {
  /** Answers any request. */
  readonly handle: RequestListener;
  /** Counts requests that are over, and the connections of a server. */
  readonly metrics: Pick<Metrics, 'observe' | 'watchServer'>;
  /** What answers below `/api/v1`; loaded when it is first asked for. */
  readonly rest: () => Promise<Rest>;
  /** Write what is noted of refusals, before the database is closed. */
  readonly settle: () => Promise<void>;
  /** Whether the headers of a request name a key, or a session, that works. */
  readonly isSignedIn: (headers: IncomingHttpHeaders) => Promise<boolean>;
  /** A code that signs a user in, once and soon, on this process. */
  readonly makeCode: (owner: CodeOwner) => string;
  /** Ask the providers of sign-in whether they are there. */
  readonly checkProviders: () => Promise<void>;
}

/** Put the program together: GraphQL straight from node:http, all else behind it. */
export function createApp(options: AppOptions): App {
  const { database, surroundings, config, onUnexpected, now = () => new Date() } = options;
  const { operations, onNotice = () => {}, droppedLines = () => 0 } = options;
  for (const notice of operations ? unfitOperations(operations, schema) : []) onNotice(notice);
  const metrics = createMetrics({
    ...{ database, role: config.ROLE, droppedLines },
    streamsAudit: surroundings.auditReceiver !== null,
  });
  const bounds = createBounds({ database, ...requestBoundsOf(config) });
  const refusals = createRefusals({ database, onUnexpected });
  const writeRate = createWriteRate(database, writeBoundsOf(config));
  const uploadRate = createUploadRate(config.UPLOADS_PER_MINUTE);
  const codes = createOneTimeCodes();
  const settings = surroundings.signIn;
  const sessionReader = createSessionReader(database, settings, now);
  const parts = { database, settings, sessionReader, codes, now };
  const onLinked: OnLinked = (tx, linked) => notifyOfLink({ ...tx, surroundings }, linked);
  const signInRoutes = createSignInRoutes({ ...parts, refusals, onNotice, onLinked, onUnexpected });
  const rest = restLater(async () => {
    const { createApi } = await import('./rest/api.ts');
    const limits = { bounds, writeRate, uploadRate, refusals };
    return createApi(graphql, limits, config, { routes, signedRoutes }, onUnexpected);
  }, onUnexpected);
  const graphql = createGraphQL({
    database,
    surroundings,
    now,
    bounds,
    writeRate,
    refusals,
    subscriptions: {
      perKey: config.SUBSCRIPTIONS_PER_KEY,
      maxAgeMs: config.SUBSCRIPTION_SECONDS * 1000,
      open: metrics.subscriptions,
    },
    authenticate: (key) => holderOfKey(database, key, now()),
    sessionReader,
    ...(operations && { listed: operations }),
    onUnexpected,
  });
  const uploads = { ...surroundings.uploads, onUnexpected };
  void forgetAbandoned(uploads.folder).catch(onUnexpected);
  const routes = [
    ...uploadRoutes(uploads, readDeclaredMonitors),
    reviewRoute(uploads),
    ...[exportRoute, csvRoute],
    reportRoute({ queue: config.OPENLINEAGE_QUEUE_EVENTS }),
    ...imageRoutes(uploads),
    agentRoute({ maxBodyBytes: config.MAX_BODY_BYTES }),
  ];
  const signedRoutes = [endedRunRoute({ database, surroundings, now })];
  const isSignedIn = (headers: IncomingHttpHeaders) =>
    isSignedInBy(headers, (key) => viewerOfKey(database, key, now()), sessionReader);
  const onRefused = (headers: IncomingHttpHeaders) =>
    noteLapsedIn(headers, (key) => holderOfKey(database, key, now()), refusals, now);
  const handle = handlerOf({
    config,
    database,
    metrics,
    signInRoutes,
    pictures: createPictures({ database, bounds, now, onUnexpected }),
    graphql: graphqlListener(graphql, {
      bodySize: bodySizes(config.MAX_BODY_BYTES, { isSignedIn, onRefused }),
      onUnexpected,
    }),
    rest,
    agents: agentsLater(graphql, config, onUnexpected),
    onUnexpected,
  });
  return {
    handle,
    metrics,
    rest: rest.load,
    settle: refusals.settle,
    isSignedIn,
    makeCode: (owner) => codes.make(owner, now()),
    checkProviders: signInRoutes.check,
  };
}

/** What the settings say of one request. */
function requestBoundsOf(config: Config): Omit<BoundsOptions, 'database'> {
  return {
    requestsPerKey: config.REQUESTS_PER_KEY,
    timeoutMs: config.REQUEST_TIMEOUT_MS,
    databaseMs: config.REQUEST_DATABASE_MS,
  };
}

/** What the settings say of how much one key, or person, may write. */
function writeBoundsOf(config: Config): WriteBounds {
  return {
    writesPerMinute: config.RATE_LIMIT_WRITES_PER_MINUTE,
    bytesPerDay: config.WRITE_BYTES_PER_DAY,
    ofMembers: {
      writesPerMinute: config.MEMBER_WRITES_PER_MINUTE,
      bytesPerDay: config.MEMBER_WRITE_BYTES_PER_DAY,
    },
  };
}

/** What answers requests. */
interface Parts extends Pick<AppOptions, 'config' | 'database' | 'onUnexpected'> {
  readonly metrics: Metrics;
  readonly signInRoutes: SignInRoutes;
  readonly pictures: RequestListener;
  readonly graphql: RequestListener;
  readonly rest: { readonly handle: RequestListener };
  readonly agents: RequestListener;
}

function handlerOf(parts: Parts): RequestListener {
  const { config, database, metrics, signInRoutes, graphql, rest, agents, onUnexpected } = parts;
  const cors = createCors(config.CORS_ORIGINS);
  const operator = operatorLater({ config, database, onUnexpected });
  const answered = (response: ServerResponse, answering: Promise<void>) => {
    answering.catch((error: unknown) => {
      failRequest(response);
      onUnexpected(error);
    });
  };
  return (request, response) => {
    const path = pathOf(request);
    const part = partOf(path);
    const task = currentRequest();
    if (task) task.part = part;
    if (signInRoutes.answers(request, path)) {
      return answered(response, signInRoutes.handle(request, response, path));
    }
    if (isForPicture(request, path)) return parts.pictures(request, response);
    if (/^\/operator(\/|$)/.test(path)) return operator(request, response);
    if (isForSite(request, path)) {
      // Files have no names that could be counted: anyone who asks makes them up.
      if (task) Object.assign(task, { part: 'site', subject: '(files)' });
      return answered(response, sendSite(request, response, path));
    }
    if (part !== 'other' && cors(request, response)) return;
    if (part === 'graphql') return graphql(request, response);
    if (part === 'rest') return rest.handle(request, response);
    if (part === 'mcp') return agents(request, response);
    if (path === '/readyz') return void sayReady(response, database);
    if (path === '/metrics') {
      noteSubject(path);
      return answered(response, sayMetrics(response, metrics));
    }
    const detail = `Nothing is here; GraphQL is at /graphql, REST below ${base}, MCP at /mcp.`;
    return sendProblem(response, { code: 'NOT_FOUND', detail });
  };
}

/** What answers agents, loaded with their first request: most servers never have one. */
function agentsLater(
  engine: ReturnType<typeof createGraphQL>,
  config: Config,
  onUnexpected: ErrorListener,
): RequestListener {
  return lateListener(async () => {
    const { createAgents } = await import('./agents/mcp/server.ts');
    const answer = createAgents({
      engine,
      maxBodyBytes: config.MAX_BODY_BYTES,
      writes: config.MCP_WRITES,
      origins: config.CORS_ORIGINS,
      seenOrigin: { publicUrl: config.PUBLIC_URL ?? null, trustsProxy: config.TRUST_PROXY },
      onUnexpected,
    });
    const adapter = await fetchAdapter(answer);
    return (message, response) => adapter(withHost(message), response);
  }, onUnexpected);
}

/** What answers who runs the server, loaded with the first such request. */
function operatorLater(options: OperatorOptions): RequestListener {
  return lateListener(async () => {
    const { createOperatorApi } = await import('./operator/operator-api.ts');
    return createOperatorApi(options);
  }, options.onUnexpected);
}

function partOf(path: string): ServerPart {
  if (path === '/graphql' || path === '/graphql/') return 'graphql';
  if (path === '/mcp' || path === '/mcp/') return 'mcp';
  return path === base || path.startsWith(`${base}/`) ? 'rest' : 'other';
}

async function sayMetrics(response: ServerResponse, metrics: Metrics): Promise<void> {
  const text = await metrics.text();
  response.writeHead(200, { 'content-type': metrics.contentType }).end(text);
}

async function sayReady(response: ServerResponse, database: Database): Promise<void> {
  const ready = await isReady(database);
  sayHealth(response, ready ? 200 : 503, ready ? 'ready' : 'the database does not answer');
}
