// The GraphQL server: who may ask, how much at once, and what errors look like.

import { EnvelopArmor } from '@escape.tech/graphql-armor';
import { useCSRFPrevention } from '@graphql-yoga/plugin-csrf-prevention';
import { type DocumentNode, GraphQLError, getOperationAST } from 'graphql';
import { createYoga, type Plugin } from 'graphql-yoga';
import { createRefusals, type Refusals } from '../audit/refusal.ts';
import type { Viewer } from '../auth/viewer.ts';
import { contextFor } from '../context.ts';
import type { Database } from '../database/database.ts';
import { unauthenticated } from '../errors.ts';
import { requestIdOf } from '../http/request-id.ts';
import { createBounds, type RequestBounds, usualBounds } from '../limits/bounds.ts';
import type { WriteRate } from '../limits/write-rate.ts';
import type { Surroundings } from '../surroundings.ts';
import { currentRequest, currentRequestId, noteError } from '../tracing/request.ts';
import { type Caller, keyIn } from './caller.ts';
import { useEventIds } from './event-ids.ts';
import { usePlannedQueries } from './execution/execute.ts';
import { useSchemaNames } from './faces/error-names.ts';
import { useAdmission } from './limits/admission.ts';
import { useDepthLimit } from './limits/depth-limit.ts';
import { type ErrorListener, maskError, requestName } from './masking.ts';
import { useRefusals } from './refusals.ts';
import { useReplicaReads } from './replica-reads.ts';
import { useRequestNames } from './request-name.ts';
import { schema } from './schema.ts';
import { useStatuses } from './status.ts';
import { type SubscriptionLimits, useSubscriptions, usualSubscriptions } from './subscriptions.ts';

/** What the server needs to know of its surroundings. */
export interface GraphQLOptions {
  readonly database: Database;
  readonly surroundings: Surroundings;
  /** The viewer that a bearer key acts for, or null. */
  readonly authenticate: (key: string) => Promise<Viewer | null>;
  readonly now?: () => Date;
  readonly onUnexpected: ErrorListener;
  readonly plugins?: readonly Plugin<Caller>[];
  /** Those of every face together; of this one alone where it has none. */
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
  const { refusals = createRefusals({ database, onUnexpected }) } = options;
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
    context: ({ request, requestId }) => contextOf(options, request, requestId),
    maskedErrors: {
      isDev: false,
      maskError: (error) => maskError(error, onUnexpected),
    },
    plugins: [
      usePlannedQueries(),
      useRequestNames(),
      useReplicaReads(),
      useDepthLimit(),
      useKeys(),
      useQuietRefusals(onUnexpected),
      useStatuses(),
      useEventIds(),
      useSchemaNames(schema),
      useRefusals(refusals),
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

async function contextOf(
  { database, surroundings, authenticate, now }: GraphQLOptions,
  request: Request,
  requestId = currentRequestId() ?? requestIdOf(request.headers.get('x-request-id')),
): Promise<Caller> {
  const key = keyIn(request.headers.get('authorization') ?? '');
  const viewer = key === null ? null : await authenticate(key);
  if (key === null || !viewer) return { viewer: null, signal: request.signal, allowance: null };
  const viewerNow = () => authenticate(key);
  const answered = currentRequest();
  if (answered) {
    answered.userId = viewer.id;
    answered.keyId = viewer.keyId ?? null;
  }
  const ctx = contextFor(database, viewer, {
    signal: request.signal,
    viewerNow,
    requestId,
    lastEventId: request.headers.get('last-event-id'),
    ...(now ? { now } : {}),
  });
  return { ...ctx, surroundings };
}

/** Refuse to run anything but introspection for a request without a key that works. */
function useKeys(): Plugin<Caller> {
  return {
    onExecute({ args, setResultAndStopExecution }) {
      if (args.contextValue.viewer || asksOnlyOfSchema(args.document, args.operationName)) return;
      setResultAndStopExecution({ errors: [refusal()] });
    },
    onSubscribe({ args, setResultAndStopExecution }) {
      if (!args.contextValue.viewer) setResultAndStopExecution({ errors: [refusal()] });
    },
  };
}

/** What is wrong with a query is said before it runs, and masked like all else. */
function useQuietRefusals(onUnexpected: ErrorListener): Plugin<Caller> {
  return {
    onValidate() {
      return ({ result, setResult }) => {
        if (result.length > 0) setResult(result.map((error) => maskError(error, onUnexpected)));
      };
    },
  };
}

function refusal(): GraphQLError {
  const { message, code } = unauthenticated();
  noteError('graphql', code);
  return new GraphQLError(message, { extensions: { code, ...requestName() } });
}

function asksOnlyOfSchema(document: DocumentNode, name: string | null | undefined): boolean {
  const operation = getOperationAST(document, name);
  if (operation?.operation !== 'query') return false;
  return operation.selectionSet.selections.every(
    (selection) => selection.kind === 'Field' && selection.name.value.startsWith('__'),
  );
}
