// The whole API under requests that no one would write by hand.

import fc from 'fast-check';
import { afterAll, expect, test, vi } from 'vitest';
import { openCatalog } from '../catalog.ts';
import { sayCounted } from '../gates/counted.ts';
import { type FuzzRequest, requestsFor } from './fuzz.ts';
import { conformance, operationsOf } from './openapi/conform.ts';
import { seed } from './seed.ts';

/** Requests for each operation; `npm run gates -- fuzz` sends 200. */
const runs = Number(process.env.FUZZ_RUNS || 8);

vi.setConfig({ testTimeout: 600_000 });

const catalog = await openCatalog();
const api = await (await catalog.app({ MAX_UPLOAD_BYTES: '100000' })).rest();
const { ids } = await seed(catalog);
const { check } = conformance(api.document);
const filterWords = ['type', 'title', 'created_at', 'owners', 'external_usage', 'performer_type'];
const authorization = `Bearer ${catalog.keyOf('admin')}`;
const stock = { document: api.document, ids, words: [...filterWords, 'table', 'row_count', 'all'] };
/** No request may take longer than this, in milliseconds, on a machine that does much else. */
const patience = 20_000;

async function send({ method, path, body, type }: FuzzRequest) {
  const request = new Request(`http://catalog.test${path}`, {
    method,
    headers: { authorization, ...(type ? { 'content-type': type } : {}) },
    signal: AbortSignal.timeout(patience),
    ...(body === undefined ? {} : { body }),
  });
  const response = await api.fetch(request);
  return { response, text: await response.text() };
}

const documented = operationsOf(api.document);
let sent = 0;
afterAll(() => sayCounted(`${sent} requests to ${documented.length} operations of REST`));

test.each(documented.map((one) => [one.operation.operationId, one] as const))(
  '%s survives whatever is sent: no 5xx, no answer that is not documented, no hang',
  async (_, operation) => {
    const before = catalog.unexpected.length;
    await fc.assert(
      fc.asyncProperty(requestsFor(stock, operation), async (request) => {
        sent += 1;
        const { response, text } = await send(request);
        const type = response.headers.get('content-type');
        if (response.status >= 500) throw new Error(`${response.status} ${text}`);
        expect(check(operation, response.status, type, text)).toEqual([]);
      }),
      { numRuns: runs, seed: 1, interruptAfterTimeLimit: 300_000, markInterruptAsFailure: true },
    );
    expect(catalog.unexpected.slice(before)).toEqual([]);
    expect({}).not.toHaveProperty('polluted');
  },
);
