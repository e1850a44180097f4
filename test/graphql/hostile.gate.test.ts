// The whole schema under requests that nobody would write by hand.

import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { openCatalog } from '../catalog.ts';
import { sayCounted } from '../gates/counted.ts';
import { clientsOf } from '../limits/client.ts';
import { seed } from '../rest/seed.ts';
import { requestsFor } from './fuzz.ts';

/** Requests for each field; `npm run gate:fuzz` sends 200. */
const runs = Number(process.env.FUZZ_RUNS || 8);
/** No request may take longer than this, in milliseconds, on a machine that does much else. */
const patience = 20_000;

vi.setConfig({ testTimeout: 600_000 });

let sent = 0;
afterAll(() => sayCounted(`${sent} requests to ${fields.length} fields of GraphQL`));

const catalog = await openCatalog();
const { admin } = await clientsOf(catalog, {});
const { ids } = await seed(catalog);
const fields = (['query', 'mutation'] as const).flatMap((kind) => {
  const type = kind === 'query' ? schema.getQueryType() : schema.getMutationType();
  return Object.values(type?.getFields() ?? {}).map((field) => [kind, field] as const);
});

test.each(fields.map(([kind, field]) => [kind, field.name, field] as const))(
  '%s %s survives whatever is sent: no 5xx, no error of ours, no hang',
  async (kind, _, field) => {
    await fc.assert(
      fc.asyncProperty(requestsFor(kind, field, ids), async ({ query, variables }) => {
        const signal = AbortSignal.timeout(patience);
        sent += 1;
        const { status, code, body } = await admin.graphql(query, variables, signal);
        if (status >= 500 || code === 'INTERNAL_SERVER_ERROR') {
          throw new Error(`${status} ${JSON.stringify(body).slice(0, 1_000)}`);
        }
        // The documents are right; it is the values that are not.
        expect(code).not.toBe('GRAPHQL_VALIDATION_FAILED');
      }),
      { numRuns: runs, seed: 1, interruptAfterTimeLimit: 300_000, markInterruptAsFailure: true },
    );
    expect(catalog.unexpected).toEqual([]);
    expect({}).not.toHaveProperty('polluted');
  },
);
