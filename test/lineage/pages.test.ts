// A picture in pages: together all of it, each node and each edge once.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type LineageQuery, lineage } from '../../src/lineage/graph.ts';
import { openCatalog } from '../catalog.ts';
import { grow } from './network.ts';

test('all pages together are the whole, in memory and of the past', async () => {
  await using catalog = await openCatalog();
  const end = fc.nat(19);
  const graphs = fc.array(fc.tuple(end, end), { minLength: 1, maxLength: 60 });
  await fc.assert(
    fc.asyncProperty(graphs, fc.integer({ min: 1, max: 7 }), async (ends, maxNodes) => {
      const drawn = ends.filter(([from, to]) => from !== to);
      const network = await grow(catalog, drawn.map(([a, b]) => `n${a}>n${b}`).join(' '), {
        n0: {},
        n1: { published: false },
      });
      const asOf = new Date(Date.now() + 1_000);
      for (const more of [{}, { asOf }]) {
        const query: LineageQuery = { from: [network.id('n0')], depth: 20, ...more };
        const ctx = catalog.as('viewer');
        const whole = await lineage(ctx, query);
        const nodes: string[] = [];
        const edges: string[] = [];
        for (let after: string | null = null; ; ) {
          const page = await lineage(ctx, { ...query, maxNodes, after });
          nodes.push(...page.nodes.map(({ id }) => id));
          edges.push(...(await page.edges()).map(({ id }) => id));
          expect(page.totalNodes).toBe(whole.totalNodes);
          if (!page.truncated) break;
          expect(page).toMatchObject({ truncatedBy: 'MAX_NODES', truncatedAt: maxNodes });
          after = page.nodes.at(-1)?.id ?? null;
        }
        expect(nodes).toEqual(whole.nodes.map(({ id }) => id));
        expect(edges.sort()).toEqual((await whole.edges()).map(({ id }) => id).sort());
      }
    }),
    { numRuns: 20 },
  );
});

test('a page says which part it is, the last that the depth cut it', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c c>d d>e');
  const query = { from: [network.id('a')], depth: 3, maxNodes: 2 };
  const first = await lineage(catalog.admin, query);
  expect(first).toMatchObject({ truncatedBy: 'MAX_NODES', truncatedAt: 2 });
  const next = await lineage(catalog.admin, { ...query, maxNodes: 1, after: network.id('b') });
  expect(next.truncatedReason).toBe('maxNodes: nodes 3 to 3 of 4 are shown.');
  const last = await lineage(catalog.admin, { ...query, after: network.id('c').toUpperCase() });
  expect(await network.read(last)).toEqual({ nodes: ['d 3 DOWNSTREAM'], edges: ['c>d'] });
  expect(last).toMatchObject({ truncatedBy: 'DEPTH', truncatedAt: 3 });
  // What comes after the last node is nothing, and no error.
  const none = await lineage(catalog.admin, { ...query, after: network.id('d') });
  expect(await network.read(none)).toEqual({ nodes: [], edges: [] });
});

test('a page after what is no node of the picture is refused, whether it exists or not', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>hidden', { hidden: { published: false }, other: {} });
  const refusals = ['other', 'hidden'].map((name) => network.id(name));
  for (const after of [...refusals, 'nonsense', '']) {
    const work = lineage(catalog.as('viewer'), { from: [network.id('a')], after });
    await expect(work).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field: 'after' }],
    });
  }
});
