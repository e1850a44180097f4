// The REST API of the catalog: its operations and routes, put together with its server.

import { whenReady } from '../async/maybe-promise.ts';
import type { Refusals } from '../audit/refusal.ts';
import { mustHaveScope } from '../auth/permission.ts';
import type { ServerContext } from '../context.ts';
import { CatalogError, unauthenticated } from '../errors.ts';
import { type Caller, isSignedIn } from '../graphql/caller.ts';
import { jsonInTurns } from '../graphql/json-in-turns.ts';
import { isUnbounded } from '../graphql/limits/admission.ts';
import { clientErrorOf, type ErrorListener } from '../graphql/masking.ts';
import { restSchema as schema } from '../graphql/views/rest-schema.ts';
import type { createGraphQL } from '../graphql/yoga.ts';
import { once } from '../jobs/idempotency.ts';
import { boundsOf, type RequestBounds } from '../limits/bounds.ts';
import type { KeepPlace } from '../limits/per-key.ts';
import type { UploadRate } from '../limits/upload-rate.ts';
import type { WriteRate } from '../limits/write-rate.ts';
import { programVersion } from '../process/program-version.ts';
import { isUuid } from '../text/uuid.ts';
import { wordsOfWarning } from '../warning.ts';
import { withForms } from './forms.ts';
import { findSources } from './operations/documents.ts';
import { readOperations } from './operations/operation.ts';
import { withReplacements } from './operations/replacement.ts';
import { base } from './request-url.ts';
import type { Route, RouteRequest, SignedRoute } from './route.ts';
import { createRest, type Rest } from './server.ts';
import type { UnknownParameters } from './unknown.ts';

/** The settings that concern REST. */
export interface ApiConfig {
  readonly MAX_BODY_BYTES: number;
  readonly TRUST_PROXY: boolean;
  readonly PUBLIC_URL?: string | undefined;
  readonly REST_UNKNOWN_PARAMETERS: UnknownParameters;
}

/** The operations of every feature's rest.graphql, checked against the schema where this is loaded from the sources. */
export const operations = withForms(
  withReplacements(readOperations(schema, findSources(new URL('../', import.meta.url)))),
);

const info = {
  title: 'Headwater',
  version: programVersion(),
  description:
    'A data catalog with lineage, documentation and monitors.\n\n' +
    'Every request carries a key: `Authorization: Bearer hwk_...`. Lists have `page` (from 1) and ' +
    '`page_size` (up to 1,000), and `links.next` until there is no more. Errors are problem details ' +
    '(RFC 9457) with a `code`, and `errors` names each field. Query parameters that a path does not have ' +
    'are refused.\n\nThe same in GraphQL is at `/graphql`.',
};

/** What all requests share with those to GraphQL. */
export interface ApiLimits {
  readonly bounds: RequestBounds;
  readonly writeRate: WriteRate;
  readonly uploadRate: UploadRate;
  readonly refusals: Refusals;
}

/** The routes that no operation can express. */
export interface ApiRoutes {
  readonly routes: readonly Route<ServerContext>[];
  /** Those that take no key. */
  readonly signedRoutes: readonly SignedRoute[];
}

const reads = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Put the API together, as a client of the GraphQL server. */
export function createApi(
  engine: ReturnType<typeof createGraphQL>,
  { bounds, writeRate, uploadRate, refusals }: ApiLimits,
  config: ApiConfig,
  { routes, signedRoutes }: ApiRoutes,
  onUnexpected: ErrorListener,
): Rest {
  return createRest<Caller, ServerContext>({
    schema,
    operations,
    routes: routes.map((route) => ({
      ...route,
      handle: (request) => {
        const work = (context: ServerContext, keepPlace: KeepPlace = () => {}) =>
          noting(refusals, route, { ...request, context, keepPlace });
        const { context } = request;
        if (route.isNeverLimited) return work(context);
        return route.isBounded
          ? bounds.run(context, (ctx) => work(ctx))
          : bounds.runLong(context, work);
      },
    })),
    signedRoutes,
    engine: { schema, getEnveloped: (initial) => engine.getEnveloped(initial) },
    base,
    info,
    once,
    maxBodyBytes: config.MAX_BODY_BYTES,
    seenOrigin: { publicUrl: config.PUBLIC_URL ?? null, trustsProxy: config.TRUST_PROXY },
    unknown: config.REST_UNKNOWN_PARAMETERS,
    failureOf: clientErrorOf,
    onUnexpected,
    admit(context, request, headers, kind = 'operation') {
      if (!isSignedIn(context)) throw unauthenticated();
      if (kind === 'never limited') return context;
      if (kind === 'upload') {
        uploadRate.count(boundsOf(context.viewer));
        return context;
      }
      const counting = reads.has(request.method) ? null : writeRate.count(context.viewer, 1);
      return whenReady(counting, (counted) => {
        if (counted?.refusal) throw counted.refusal;
        for (const [name, value] of Object.entries(counted?.headers ?? {}))
          headers.set(name, value);
        return context;
      });
    },
    warningsOf: ({ warnings }) => warnings.map(wordsOfWarning),
    weigh: ({ viewer }, bytes) => writeRate.weigh(viewer, bytes),
    run({ document, name, kind }, context, work) {
      if (isUnbounded(schema, document, name)) return bounds.runLong(context, work);
      return bounds.run(context, work, { endsWithClient: kind === 'query' });
    },
    write({ allowance }, value) {
      const scheduler = allowance?.scheduler;
      return scheduler ? jsonInTurns(value, scheduler) : (JSON.stringify(value) ?? 'null');
    },
  });
}

/** Serve a route, noting where that is refused; what is run for it in GraphQL notes it there. */
async function noting(
  refusals: Refusals,
  route: Route<ServerContext>,
  request: RouteRequest<ServerContext>,
) {
  try {
    mustHaveScope(request.context, route.scope);
    return await route.handle(request);
  } catch (error) {
    if (error instanceof CatalogError && error.code === 'FORBIDDEN') {
      refusals.note(request.context, {
        request: route.document.operationId,
        message: error.message,
        targetId: Object.values(request.params).find(isUuid) ?? null,
      });
    }
    throw error;
  }
}
