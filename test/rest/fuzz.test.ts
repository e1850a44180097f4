import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../trials/nightly.ts';
import { requestsFor } from './fuzz.ts';
import { conformance, operationsOf } from './openapi/conform.ts';
import { openLibrary } from './operations/library/library.ts';

const documented = operationsOf(openLibrary().document);

test.each(documented.map((one) => [one.operation.operationId, one] as const))(
  '%s survives whatever is sent: no 5xx, no answer that is not documented',
  async (_, operation) => {
    const library = openLibrary();
    const { check } = conformance(library.document);
    const ids = [library.shelves.add({ title: 'A' }).id, library.shelves.add({ title: 'B' }).id];
    const stock = { document: library.document, ids, words: ['novel', 'title'] };
    const requests = requestsFor(stock, operation);
    await fc.assert(
      fc.asyncProperty(requests, async ({ method, path, body }) => {
        const response = await library.fetch(
          new Request(`http://library.test${path}`, {
            method,
            headers: { authorization: 'Bearer librarian-key' },
            ...(body === undefined ? {} : { body }),
          }),
        );
        const type = response.headers.get('content-type');
        const wrong = check(operation, response.status, type, await response.text());
        expect(response.status).toBeLessThan(500);
        expect(wrong).toEqual([]);
      }),
      { numRuns: runs(400), seed: 1 },
    );
    expect(library.shelves.errors).toEqual([]);
    expect({}).not.toHaveProperty('polluted');
  },
);
