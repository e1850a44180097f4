// Random graphs against answers that are worked out here, by other means than the product's.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lineage } from '../../src/lineage/graph.ts';
import { lineagePath } from '../../src/lineage/path.ts';
import { type LineageDirection, lineageDirections } from '../../src/lineage/walk.ts';
import { openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

type Edge = readonly [number, number];

/** A graph of up to 14 nodes: its edges, the nodes a viewer may not see and those archived. */
const graphs = fc.integer({ min: 2, max: 14 }).chain((size) => {
  const node = fc.nat(size - 1);
  return fc.record({
    size: fc.constant(size),
    edges: fc.array(fc.tuple(node, node), { maxLength: 30 }),
    hidden: fc.uniqueArray(node, { maxLength: 3 }),
    archived: fc.uniqueArray(node, { maxLength: 2 }),
    start: node,
    end: node,
    depth: fc.integer({ min: 1, max: 5 }),
    direction: fc.constantFrom(...lineageDirections),
  });
});

// Floyd and Warshall's: distances between all pairs, by way of each node in turn.
function distances(size: number, edges: readonly Edge[], over: (node: number) => boolean) {
  const far = Number.POSITIVE_INFINITY;
  const table = Array.from({ length: size }, (_, i) =>
    Array.from({ length: size }, (_, j) => (i === j ? 0 : far)),
  );
  const at = (i: number, j: number) => table[i]?.[j] ?? far;
  const put = (i: number, j: number, d: number) => {
    const row = table[i];
    if (row && d < at(i, j)) row[j] = d;
  };
  for (const [a, b] of edges) if (over(a) && over(b)) put(a, b, 1);
  for (let k = 0; k < size; k += 1) {
    for (let i = 0; i < size; i += 1) {
      for (let j = 0; j < size; j += 1) put(i, j, at(i, k) + at(k, j));
    }
  }
  return at;
}

function directionOf(up: boolean, down: boolean): LineageDirection {
  if (up && down) return 'BOTH';
  return up ? 'UPSTREAM' : 'DOWNSTREAM';
}

test('lineage and paths of random graphs are what all distances say', async () => {
  await using catalog = await openCatalog();
  await fc.assert(
    fc.asyncProperty(graphs, async ({ size, edges, start, end, depth, direction, ...given }) => {
      const archived = new Set(given.archived.filter((node) => node !== start && node !== end));
      const hidden = new Set(given.hidden.filter((node) => node !== start && node !== end));
      const special = Object.fromEntries(
        Array.from({ length: size }, (_, i) => [
          `${i}`,
          {
            published: !hidden.has(i),
            archived: archived.has(i),
            archivedAt: archived.has(i) ? new Date() : null,
          },
        ]),
      );
      const real = edges.filter(([a, b]) => a !== b);
      const network = await grow(catalog, real.map(([a, b]) => `${a}>${b}`).join(' '), special);
      const from = network.id(`${start}`);

      const walked = distances(size, real, (node) => !archived.has(node));
      const isUp = (i: number) => direction !== 'DOWNSTREAM' && walked(i, start) <= depth;
      const isDown = (i: number) => direction !== 'UPSTREAM' && walked(start, i) <= depth;
      const reached = Array.from({ length: size }, (_, i) => i).filter((i) => isUp(i) || isDown(i));
      const shown = reached.filter((i) => !hidden.has(i));
      const distance = (i: number) =>
        Math.min(
          direction === 'DOWNSTREAM' ? size : walked(i, start),
          direction === 'UPSTREAM' ? size : walked(start, i),
        );
      const expected = {
        nodes: shown
          .map((i) => {
            const way = i === start ? direction : directionOf(isUp(i), isDown(i));
            return `${i} ${distance(i)} ${way}`;
          })
          .sort(),
        edges: [...new Set(real.map(([a, b]) => `${a}>${b}`))]
          .filter((edge) => edge.split('>').every((i) => shown.includes(Number(i))))
          .sort(),
      };
      const graph = await lineage(catalog.as('viewer'), { from: [from], direction, depth });
      expect(await network.read(graph)).toEqual(expected);
      expect(graph.hiddenNodes).toBe(reached.length - shown.length);
      expect(graph.totalNodes).toBe(shown.length);
      const goesOn = Array.from({ length: size }, (_, i) => i).some(
        (i) =>
          (direction !== 'DOWNSTREAM' && walked(i, start) === depth + 1) ||
          (direction !== 'UPSTREAM' && walked(start, i) === depth + 1),
      );
      expect(graph.truncated).toBe(goesOn);

      const seen = distances(size, real, (node) => !archived.has(node) && !hidden.has(node));
      const path = await lineagePath(catalog.as('viewer'), from, network.id(`${end}`));
      const steps = path?.map((id) => Number(network.name(id)));
      expect(steps?.length ?? null).toBe(
        Number.isFinite(seen(start, end)) ? seen(start, end) + 1 : null,
      );
      steps?.slice(1).forEach((node, i) => {
        expect(seen(steps[i] ?? -1, node)).toBe(1);
      });
    }),
    { numRuns: 30, seed: 20_260 },
  );
}, 60_000);
