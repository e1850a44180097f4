// The GraphQL server: who may ask, how much at once, and what errors look like.

import { EnvelopArmor } from '@escape.tech/graphql-armor';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import { type DocumentNode, GraphQLError, getOperationAST } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { type MaybePromise, whenReady } from '../async/maybe-promise.ts';
import { createRefusals, type Refusals } from '../audit/refusal.ts';
import { isLapsed, type LapsedKey, viewerIn } from '../auth/lapsed-key.ts';
import type { Viewer } from '../auth/viewer.ts';
import { contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { unauthenticated } from '../errors.ts';
import { requestIdOf } from '../http/request-id.ts';
import { createBounds, type RequestBounds, usualBounds } from '../limits/bounds.ts';
import type { WriteRate } from '../limits/write-rate.ts';
import type { SessionReader } from '../sign-in/request-session.ts';
import type { Surroundings } from '../surroundings.ts';
import { currentRequest, currentRequestId, currentSource, noteError } from '../tracing/request.ts';
import { type Caller, keyIn } from './caller.ts';
import { usePlannedOperations } from './execution/execute.ts';
import { useKnownDocuments } from './execution/known-documents.ts';
import { useEventIds } from './http/event-ids.ts';
import { useMediaTypes } from './http/media-types.ts';
import { useStatuses } from './http/status.ts';
import { useAdmission } from './limits/admission.ts';
import { useDepthLimit } from './limits/depth-limit.ts';
import { createDocumentCache } from './limits/document-cache.ts';
import { type ErrorListener, maskError, requestName, withAllowedWords } from './masking.ts';
import {
  createPersistedOperations,
  type ListedOperations,
  nothingListed,
} from './persisted/persisted-operations.ts';
import { usePersistedOperations } from './persisted/persisted-requests.ts';
import { noteLapsed, useRefusals } from './refusals.ts';
import { useReplicaReads } from './replica-reads.ts';
import { useRequestNames } from './request-name.ts';
import { schema } from './schema.ts';
import { useScopes } from './scope-gate.ts';
import { type SubscriptionLimits, useSubscriptions, usualSubscriptions } from './subscriptions.ts';
import { useSchemaNames } from './views/error-names.ts';

/** What the server needs to know of its surroundings. */
export interface GraphQLOptions {
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** The viewer that a bearer key acts for, or acted for once; or null. */
  readonly authenticate: (key: string) => MaybePromise<Viewer | LapsedKey | null>;
  /** Lets people in who are signed in with a browser; no one is where it is absent. */
  readonly sessionReader?: SessionReader;
  readonly now?: () => Date;
  readonly onUnexpected: ErrorListener;
  readonly plugins?: readonly Plugin<Caller>[];
  /** Operations that are run by their ids; none where absent. */
  readonly listed?: ListedOperations;
  /** Those of both APIs together; of this one alone where it has none. */
  readonly bounds?: RequestBounds;
  readonly subscriptions?: SubscriptionLimits;
  /** Notes what is refused; for this server alone where absent. */
  readonly refusals?: Refusals;
  /** Counts writes where they are limited. */
  readonly writeRate?: WriteRate;
}

/** What REST hands on of a request that it runs here. */
interface Initial {
  readonly requestId?: string;
}

/** The GraphQL server, to be mounted at `/graphql`. */
export function createGraphQL(options: GraphQLOptions) {
  const { database, onUnexpected, bounds = createBounds({ database, ...usualBounds }) } = options;
  const { refusals = createRefusals({ database, onUnexpected }), listed = nothingListed } = options;
  const known = { ...options, refusals };
  const armor = new EnvelopArmor(limits).protect();
  return createYoga<Initial, Caller>({
    schema,
    graphqlEndpoint: '/graphql',
    landingPage: false,
    logging: false,
    // The page for browsers is ours, and sent before a request comes here.
    graphiql: false,
    cors: false,
    // Files are uploaded over REST, onto the disk.
    multipart: false,
    // A body is read within its limit before a request comes here.
    maxRequestBodySize: false,
    // What can't be parsed is not remembered: no program goes on sending it.
    parserAndValidationCache: {
      documentCache: createDocumentCache(),
      errorCache: { get: () => undefined, set: () => {} },
      validationCache: false,
    },
    extraParamNames: ['documentId'],
    context: ({ request, requestId }) => contextOf(known, request, requestId),
    maskedErrors: {
      isDev: false,
      maskError: (error) => withAllowedWords(schema, maskError(error, onUnexpected)),
    },
    plugins: [
      useMediaTypes(),
      useKnownDocuments(),
      usePlannedOperations(),
      useRequestNames(),
      useReplicaReads(),
      useSchemaNames(schema),
      // Before whatever may refuse to run something, whose refusals it notes as well.
      useRefusals(refusals),
      usePersistedOperations(createPersistedOperations(listed), onUnexpected),
      useDepthLimit(),
      useKeys(),
      useScopes(onUnexpected),
      useQuietRefusals(onUnexpected),
      useStatuses(),
      useEventIds(),
      useCSRFPrevention({ requestHeaders: ['authorization', 'x-graphql-yoga-csrf'] }),
      ...armor.plugins,
      ...(options.plugins ?? []),
      useSubscriptions({
        bounds,
        limits: options.subscriptions ?? usualSubscriptions,
        onUnexpected,
      }),
      useAdmission({ bounds, writeRate: options.writeRate, onUnexpected }),
    ],
  });
}

// A query may be large, but not so that parsing or walking it costs more than answering it.
const limits = {
  maxTokens: { n: 5_000 },
  maxDepth: { n: 20, ignoreIntrospection: true },
  maxAliases: { n: 100 },
  maxDirectives: { n: 50 },
  costLimit: { enabled: false },
  blockFieldSuggestion: { enabled: false },
};

/** The options, with what notes refusals. */
interface Known extends GraphQLOptions {
  readonly refusals: Refusals;
}

function contextOf(
  options: Known,
  request: Request,
  requestId = currentRequestId() ?? requestIdOf(request.headers.get('x-request-id')),
): MaybePromise<Caller> {
  return whenReady(whoAsks(options, request), (asker) =>
    callerOf(options, request, requestId, asker),
  );
}

function callerOf(
  { database, surroundings, refusals, now }: Known,
  request: Request,
  requestId: string,
  { viewer, viewerNow, refusal, lapsed }: Asker,
): Caller {
  const { signal } = request;
  const { clientAddress } = currentSource();
  if (!viewer) {
    if (lapsed) {
      const { method, url } = request;
      const path = new URL(url).pathname;
      noteLapsed(refusals, { method, path, requestId, clientAddress, now }, lapsed);
    }
    const nobody = { viewer: null, signal, allowance: null, surroundings };
    return refusal === undefined ? nobody : { ...nobody, refusal };
  }
  const answered = currentRequest();
  if (answered) {
    answered.userId = viewer.id;
    answered.keyId = viewer.keyId ?? null;
  }
  const lastEventId = request.headers.get('last-event-id');
  const source = { requestId, clientAddress };
  const own = { signal, viewerNow, ...source, lastEventId, ...(now ? { now } : {}) };
  // REST and agents have requests of their own around what they run here.
  const isOwn = (currentRequest()?.part ?? 'graphql') === 'graphql';
  const idempotencyKey = isOwn ? request.headers.get('idempotency-key') : null;
  return { ...contextFor(database, viewer, own), surroundings, idempotencyKey };
}

/** Who sends a request, now and whenever it is asked again. */
interface Asker {
  readonly viewer: Viewer | null;
  readonly viewerNow: () => Promise<Viewer | null>;
  readonly refusal?: string;
  /** The key that came with the request and worked once. */
  readonly lapsed?: LapsedKey;
}

const nobody: Asker = { viewer: null, viewerNow: async () => null };

/** A key counts for any request; a session for those of our own pages, which come to this API, and to REST with files. */
function whoAsks(
  { authenticate, sessionReader }: GraphQLOptions,
  { headers, method }: Request,
): MaybePromise<Asker> {
  const authorization = headers.get('authorization');
  const key = keyIn(authorization ?? '');
  if (key !== null) {
    const viewerNow = async () => viewerIn(await authenticate(key));
    return whenReady(authenticate(key), (holder) =>
      holder !== null && isLapsed(holder)
        ? { viewer: null, viewerNow, lapsed: holder }
        : { viewer: holder, viewerNow },
    );
  }
  if (authorization !== null || !sessionReader || !isForPages(headers)) return nobody;
  const shown = sessionReader.sessionIn(method, (name) => headers.get(name));
  if (shown === null) return nobody;
  if ('refusal' in shown) return { ...nobody, refusal: shown.refusal };
  return whoIsSignedIn(sessionReader, shown.secret);
}

/** Whether our own pages send such requests; that one of them sent it, the session reader makes sure. */
function isForPages(headers: Headers): boolean {
  const part = currentRequest()?.part;
  const isUpload = /^multipart\/form-data\s*;/i.test(headers.get('content-type') ?? '');
  return part === 'graphql' || (part === 'rest' && isUpload);
}

async function whoIsSignedIn(sessionReader: SessionReader, secret: string): Promise<Asker> {
  const viewer = await sessionReader.viewerOf(secret, true);
  if (!viewer) return { ...nobody, refusal: 'Your session has ended: sign in again.' };
  return { viewer, viewerNow: () => sessionReader.viewerOf(secret, false) };
}

/** Refuse to run anything but introspection, and what everybody may ask, for a request without a key that works. */
function useKeys(): Plugin<Caller> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      const { viewer, refusal } = args.contextValue;
      if (viewer || isForEverybody(args.document, args.operationName)) return;
      setResultAndStopExecution({ errors: [refused(refusal)] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      const { viewer, refusal } = args.contextValue;
      if (!viewer) setResultAndStopExecution({ errors: [refused(refusal)] });
    },
  };
}

/** What is wrong with a query is said before it runs, and masked like all else. */
function useQuietRefusals(onUnexpected: ErrorListener): Plugin<Caller> {
  return {
    onValidate() {
      return ({ result, setResult }) => {
        const refused = result.map((error) => maskError(error, onUnexpected));
        if (refused.length > 0) setResult(refused.map((error) => withAllowedWords(schema, error)));
      };
    },
  };
}

function refused(why?: string): GraphQLError {
  const { message, code } = unauthenticated();
  noteError('graphql', code);
  return new GraphQLError(why ?? message, { extensions: { code, ...requestName() } });
}

/** Fields that tell nothing of the catalog, and are asked before anybody is signed in. */
const open = new Set(['signInProviders']);

function isForEverybody(document: DocumentNode, name: string | null | undefined): boolean {
  const operation = getOperationAST(document, name);
  if (operation?.operation !== 'query') return false;
  return operation.selectionSet.selections.every(
    (selection) =>
      selection.kind === 'Field' &&
      (selection.name.value.startsWith('__') || open.has(selection.name.value)),
  );
}
