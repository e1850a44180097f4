// Asks as people type them, each with what it is to find in the sample workspace. None of them was used to set a weight.

import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { loadDemo } from '../../../src/demo/demo.ts';
import { search } from '../../../src/resources/search/search.ts';
import { openCatalog } from '../../catalog.ts';

const asked = z.object({ kind: z.string(), ask: z.string(), targets: z.array(z.string()) });
const asks = z
  .array(asked)
  .parse(JSON.parse(await readFile(new URL('./asks.json', import.meta.url), 'utf8')));

test('what people look for is found first, or next to it', async () => {
  await using catalog = await openCatalog();
  await loadDemo(catalog, () => {});
  const places: { kind: string; ask: string; place: number }[] = [];
  for (const { kind, ask, targets } of asks) {
    const { hits } = await search(catalog.admin, { query: ask, first: 10 });
    const place = hits.findIndex(({ resource }) => targets.includes(resource.titleFull));
    places.push({ kind, ask, place });
  }
  const share = (all: typeof places, most: number) =>
    all.filter(({ place }) => place >= 0 && place < most).length / all.length;
  const missed = places.filter(({ place }) => place !== 0);
  expect(share(places, 1), JSON.stringify(missed)).toBeGreaterThanOrEqual(0.83);
  expect(share(places, 5), JSON.stringify(missed)).toBeGreaterThanOrEqual(0.93);
  for (const kind of new Set(places.map((one) => one.kind))) {
    const ofKind = places.filter((one) => one.kind === kind);
    if (ofKind.length >= 8) expect(share(ofKind, 1), kind).toBeGreaterThanOrEqual(0.75);
  }
});
