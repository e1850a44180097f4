// What requests leave in memory: nothing that grows with them, no matter who sends them.

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from 'graphql';
import { expect, test } from 'vitest';
import { createDocumentCache } from '../../src/graphql/limits/document-cache.ts';
import { openCatalog } from '../catalog.ts';
import { subscribe } from './events.ts';

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');

/** Bytes of the heap that are in use. */
function heapInUse(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const requests = 30;
const megabyte = 1_000_000;
const asked = '{ __typename }';

const large: readonly (readonly [string, (n: number) => object])[] = [
  ['documents', (n) => ({ query: `${asked} #${n}${' '.repeat(900_000)}` })],
  ['documents that are wrong', (n) => ({ query: `{ a${n} ${' '.repeat(900_000)}` })],
  [
    'variables that no document declares',
    (n) => ({
      query: asked,
      variables: Object.fromEntries(
        Array.from({ length: 50_000 }, (_, i) => [`v${i}`, n + i] as const),
      ),
    }),
  ],
];

test.each(large)('%s of a megabyte each are forgotten', async (_what, bodyOf) => {
  await using catalog = await openCatalog();
  const url = `${await catalog.listen()}/graphql`;
  const send = async (n: number) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${catalog.keyOf('viewer')}`,
      },
      body: JSON.stringify(bodyOf(n)),
    });
    await response.arrayBuffer();
    return response.status;
  };
  for (let n = 0; n < 10; n += 1) await send(n);
  const before = heapInUse();
  for (let n = 10; n < 10 + requests; n += 1) expect(await send(n)).toBeLessThan(500);
  expect(heapInUse() - before).toBeLessThan((requests / 3) * megabyte);
});

test('what a subscription has delivered is forgotten', async () => {
  await using catalog = await openCatalog();
  const origin = await catalog.listen();
  const documents = await Promise.all(
    Array.from({ length: 20 }, () => catalog.resource({ kind: 'document' })),
  );
  const write = (id: string, n: number) =>
    catalog.graphql(
      'mutation ($id: ID!, $text: String!) { updateResource(id: $id, input: { definition: $text }) { id } }',
      { id, text: `${n} ${'x'.repeat(500_000)}` },
    );
  const { events, leave } = await subscribe(
    origin,
    catalog.keyOf('admin'),
    'subscription ($ids: [ID!]!) { resourcesChanged(ids: $ids) { id definitionVersion } }',
    { ids: documents.map(({ id }) => id) },
  );
  for (const _ of documents) await events.next();
  const round = async (n: number) => {
    for (const { id } of documents) {
      await write(id, n);
      const { value } = await events.next();
      expect(value?.data.resourcesChanged.id).toBe(id);
    }
  };
  // Connections keep the buffers that they once needed.
  for (let n = 0; n < 3; n += 1) await round(n);
  const before = heapInUse();
  for (let n = 3; n < 6; n += 1) await round(n);
  expect(heapInUse() - before).toBeLessThan(5 * megabyte);
  leave();
});

test('documents that are asked again are remembered, the others go first', () => {
  const cache = createDocumentCache();
  const text = (n: number) => `{ a${n} ${' '.repeat(9_980)}}`;
  const [first, second] = [parse(text(1)), parse(text(2))];
  cache.set(text(1), first);
  cache.set(text(2), second);
  for (let n = 3; n < 120; n += 1) {
    expect(cache.get(text(1))).toBe(first);
    cache.set(text(n), parse(text(n)));
  }
  expect(cache.get(text(1))).toBe(first);
  expect(cache.get(text(2))).toBeUndefined();
  expect(cache.get(text(119))).toBeDefined();
  const long = `{ a ${' '.repeat(50_000)} }`;
  cache.set(long, parse(long));
  expect(cache.get(long)).toBeUndefined();
  expect(cache.get(text(119))).toBeDefined();
});
