// In charge of the REST API of the catalog: its operations and routes, put together with its server.

import type { Context } from '../context.ts';
import { unauthenticated } from '../errors.ts';
import { isUnbounded } from '../graphql/admission.ts';
import type { ErrorListener } from '../graphql/masking.ts';
import { schema } from '../graphql/schema.ts';
import { type Caller, type createGraphQL, isSignedIn } from '../graphql/yoga.ts';
import { once } from '../idempotency.ts';
import type { Bounds } from '../limits/bounds.ts';
import { findSources } from './definition.ts';
import { readOperations } from './operation.ts';
import { createRateLimit } from './rate-limit.ts';
import type { Route } from './route.ts';
import { createRest, type Rest } from './server.ts';

/** The settings that concern REST. */
export interface ApiConfig {
  readonly MAX_BODY_BYTES: number;
  readonly TRUST_PROXY: boolean;
  readonly RATE_LIMIT_WRITES_PER_MINUTE: number;
}

/** The operations of every feature's rest.graphql, checked against the schema once at the start. */
export const operations = readOperations(schema, findSources(new URL('../', import.meta.url)));

/** The path that REST is below. */
export const base = '/api/v1';

const info = {
  title: 'Data Catalog and Monitoring Service API',
  version: '8.22.66',
  description: 'A data catalog with lineage, documentation and monitors. GraphQL is at /graphql.',
};

/** Put the API together, as a client of the GraphQL server. */
export function createApi(
  engine: ReturnType<typeof createGraphQL>,
  bounds: Bounds,
  config: ApiConfig,
  routes: readonly Route<Context>[],
  onUnexpected: ErrorListener,
): Rest {
  const limit = createRateLimit(config.RATE_LIMIT_WRITES_PER_MINUTE);
  return createRest<Caller, Context>({
    schema,
    operations,
    routes,
    engine,
    base,
    info,
    once,
    maxBodyBytes: config.MAX_BODY_BYTES,
    trustProxy: config.TRUST_PROXY,
    onUnexpected,
    admit(context, request, headers) {
      if (!isSignedIn(context)) throw unauthenticated();
      limit(request, headers);
      return context;
    },
    async run({ document, name, kind }, context, work) {
      if (isUnbounded(schema, document, name)) return work(context);
      return bounds.run(context, work, { endsWithClient: kind === 'query' });
    },
  });
}
