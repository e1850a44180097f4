// When lineage changed, and what came and went between two times.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { transaction } from '../../src/database/transaction.ts';
import { disconnect } from '../../src/lineage/connect.ts';
import type { GraphEdge } from '../../src/lineage/edges-between.ts';
import { lineageChanges } from '../../src/lineage/history/compare-times.ts';
import { lineageMoments } from '../../src/lineage/history/moments.ts';
import { archiveResource } from '../../src/resources/editing/archive.ts';
import { type Catalog, openCatalog } from '../catalog.ts';
import { grow, type Network } from './network.ts';

const day = (n: number) => new Date(Date.UTC(2026, 0, n));

/** End all edges of a pair that an origin names. */
async function end(catalog: Catalog, network: Network, pair: string, origin: string) {
  const [sourceId = '', targetId = ''] = pair.split('>').map(network.id);
  const held = await catalog.database.prisma.lineageEdge.findMany({
    where: { workspaceId: catalog.workspaceId, sourceId, targetId, origin, validTo: null },
  });
  await transaction(catalog.admin, (tx) =>
    disconnect(
      tx,
      held.map(({ id }) => id),
    ),
  );
}

const names = (network: Network, nodes: readonly { node: { id: string } }[]) =>
  nodes.map(({ node }) => network.name(node.id)).sort();
const pairs = (network: Network, edges: readonly GraphEdge[]) =>
  edges
    .map(({ sourceId, targetId }) => `${network.name(sourceId)}>${network.name(targetId)}`)
    .sort();

test('what came and went is told between any two times, archived resources included', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(day(1));
  const network = await grow(catalog, 'a>b', { c: {}, far: {} });
  catalog.setTime(day(3));
  await network.draw('b>c c>far');
  catalog.setTime(day(5));
  await end(catalog, network, 'a>b', 'MANUAL');
  catalog.setTime(day(7));
  await archiveResource(catalog.admin, network.id('far'));
  catalog.setTime(day(9));
  const from = [network.id('b')];
  expect(await lineageMoments(catalog.admin, { from })).toEqual([day(1), day(3), day(5), day(7)]);
  // Two steps away is beyond one.
  expect(await lineageMoments(catalog.admin, { from, depth: 1 })).toEqual([day(1), day(3), day(5)]);
  const between = async (since: Date, until?: Date) => {
    const changes = await lineageChanges(catalog.admin, { from, since, until });
    const { added, removed } = await changes.edges();
    expect(changes.truncated).toBe(false);
    return {
      added: [...names(network, changes.addedNodes), ...pairs(network, added)],
      removed: [...names(network, changes.removedNodes), ...pairs(network, removed)],
    };
  };
  expect(await between(day(2), day(4))).toEqual({
    added: ['c', 'far', 'b>c', 'c>far'],
    removed: [],
  });
  expect(await between(day(4), day(6))).toEqual({ added: [], removed: ['a', 'a>b'] });
  expect(await between(day(6))).toEqual({ added: [], removed: ['far', 'c>far'] });
  // What came and went in the meantime is in neither picture.
  expect(await between(day(8))).toEqual({ added: [], removed: [] });
});

test('that another origin takes an edge over is no change', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(day(1));
  const network = await grow(catalog, 'a>b');
  catalog.setTime(day(3));
  await network.draw('a>b', { origin: 'QUERY' });
  catalog.setTime(day(5));
  await end(catalog, network, 'a>b', 'MANUAL');
  catalog.setTime(day(7));
  await end(catalog, network, 'a>b', 'QUERY');
  const from = [network.id('a')];
  expect(await lineageMoments(catalog.admin, { from })).toEqual([day(1), day(7)]);
  const changes = await lineageChanges(catalog.admin, { from, since: day(2), until: day(6) });
  expect(changes.addedNodes).toEqual([]);
  expect(await changes.edges()).toEqual({ added: [], removed: [] });
});

test('no one learns when lineage changed that he may not see', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(day(1));
  const network = await grow(catalog, 'a>b', { secret: { published: false }, beyond: {} });
  catalog.setTime(day(3));
  await network.draw('b>secret');
  catalog.setTime(day(5));
  await network.draw('secret>beyond');
  catalog.setTime(day(7));
  await archiveResource(catalog.admin, network.id('secret'));
  catalog.setTime(day(9));
  const from = [network.id('b')];
  const viewer = catalog.as('viewer');
  expect(await lineageMoments(viewer, { from })).toEqual([day(1)]);
  expect(await lineageMoments(catalog.admin, { from })).toEqual([day(1), day(3), day(5), day(7)]);
  const changes = await lineageChanges(viewer, { from, since: day(2), until: day(6) });
  // What lies behind is shown as `lineage` shows it, without how it is reached.
  expect(names(network, changes.addedNodes)).toEqual(['beyond']);
  expect(await changes.edges()).toEqual({ added: [], removed: [] });
  for (const work of [
    lineageMoments(viewer, { from: [network.id('secret')] }),
    lineageChanges(viewer, { from: [network.id('secret')], since: day(1) }),
  ]) {
    await expect(work).rejects.toMatchObject({ code: 'NOT_FOUND' });
  }
});

test('times in the wrong order, and more than may be asked, are refused by name', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b');
  const from = [network.id('a')];
  const code = 'BAD_REQUEST';
  for (const [query, field] of [
    [{ from, since: day(2), until: day(2) }, 'since'],
    [{ from, since: new Date(Date.now() + 60_000) }, 'since'],
    [{ from, since: new Date(-8.64e15) }, 'asOf'],
    [{ from: [], since: day(1) }, 'from'],
    [{ from, since: day(1), depth: 101 }, 'depth'],
  ] as const) {
    const work = lineageChanges(catalog.admin, query);
    await expect(work).rejects.toMatchObject({ code, fields: [{ field }] });
  }
  for (const [query, field] of [
    [{ from, depth: 0 }, 'depth'],
    [{ from: [] }, 'from'],
  ] as const) {
    const work = lineageMoments(catalog.admin, query);
    await expect(work).rejects.toMatchObject({ code, fields: [{ field }] });
  }
});

test('a picture that is cut is said not to be compared as a whole', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(day(1));
  const network = await grow(catalog, 'a>b a>c', { d: {} });
  catalog.setTime(day(3));
  await network.draw('a>d d>b');
  catalog.setTime(day(5));
  const query = { from: [network.id('a')], since: day(2) };
  expect(await lineageChanges(catalog.admin, { ...query, maxNodes: 3 })).toMatchObject({
    truncated: true,
  });
  expect(await lineageChanges(catalog.admin, { ...query, depth: 1 })).toMatchObject({
    truncated: false,
  });
});

test('both are asked for in GraphQL, by as many statements however much there is', async () => {
  await using catalog = await openCatalog();
  catalog.setTime(day(1));
  const all = (of: number) => Array.from({ length: of }, (_, at) => `hub>n${at}`).join(' ');
  const special = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`n${at}`, {}]));
  const network = await grow(catalog, 'small>one hub>one', special);
  catalog.setTime(day(3));
  await network.draw(`${all(30)} small>n0`);
  catalog.setTime(day(5));
  const ask = async (name: string) => {
    const { value, statements } = await catalog.counting(() =>
      catalog.graphql(
        `query ($from: [ID!]!, $since: DateTime!) {
          lineageMoments(from: $from, depth: 1)
          lineageChanges(from: $from, since: $since, depth: 1) {
            since until truncated
            addedNodes { depth resource { title } upstreamCount hiddenDownstream }
            removedNodes { resource { title } }
            addedEdges { source { title } target { title } }
            removedEdges { id }
          }
        }`,
        { from: [network.id(name)], since: day(2) },
        { as: 'viewer' },
      ),
    );
    expect(value.errors).toBeUndefined();
    return { data: value.data, statements: statements.length };
  };
  await ask('hub');
  const [few, many] = [await ask('small'), await ask('hub')];
  expect(few.data.lineageMoments).toEqual([day(1), day(3)].map((time) => time.toISOString()));
  expect(few.data.lineageChanges).toEqual({
    since: day(2).toISOString(),
    until: day(5).toISOString(),
    truncated: false,
    addedNodes: [{ depth: 1, resource: { title: 'n0' }, upstreamCount: 2, hiddenDownstream: 0 }],
    removedNodes: [],
    addedEdges: [{ source: { title: 'small' }, target: { title: 'n0' } }],
    removedEdges: [],
  });
  expect(many.data.lineageChanges.addedNodes).toHaveLength(30);
  expect(many.statements).toBe(few.statements);
});

/** What is done on each of some days: pairs drawn or ended by an origin. */
const nodes = 6;
const plays = fc.array(
  fc.record({
    from: fc.nat(nodes - 1),
    to: fc.nat(nodes - 1),
    origin: fc.constantFrom('MANUAL' as const, 'QUERY' as const),
    draws: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
);

/** All that lies upstream of node 0, and all that lies downstream of it, with the pairs among them. */
function around(held: ReadonlySet<string>) {
  const reach = (here: 0 | 1) => {
    const seen = new Set(['n0']);
    for (const name of seen) {
      for (const pair of held) {
        const ends = pair.split('>');
        if (ends[here] === name) seen.add(ends[1 - here] ?? '');
      }
    }
    return seen;
  };
  const shown = new Set([...reach(0), ...reach(1)]);
  const edges = [...held].filter((pair) => pair.split('>').every((end) => shown.has(end)));
  return { nodes: [...shown].sort(), edges: edges.sort() };
}

test('random histories are told as they were', async () => {
  await using catalog = await openCatalog();
  await fc.assert(
    fc.asyncProperty(plays, async (play) => {
      catalog.setTime(day(1));
      const all = Array.from({ length: nodes }, (_, at) => [`n${at}`, {}] as const);
      const network = await grow(catalog, '', Object.fromEntries(all));
      const held = { MANUAL: new Set<string>(), QUERY: new Set<string>() };
      const after: Set<string>[] = [new Set()];
      for (const [at, { from, to, origin, draws }] of play.entries()) {
        catalog.setTime(day(2 * at + 2));
        const pair = `n${from}>n${to}`;
        if (from !== to && draws) {
          await network.draw(pair, { origin });
          held[origin].add(pair);
        } else if (from !== to) {
          await end(catalog, network, pair, origin);
          held[origin].delete(pair);
        }
        after.push(new Set([...held.MANUAL, ...held.QUERY]));
      }
      catalog.setTime(day(2 * play.length + 4));
      const from = [network.id('n0')];
      const ever = new Set(around(new Set(after.flatMap((one) => [...one]))).edges);
      const stops = after.flatMap((now, at) => {
        const before = after[at - 1] ?? new Set();
        const isOther = [...ever].some((pair) => before.has(pair) !== now.has(pair));
        return isOther ? [day(2 * at)] : [];
      });
      expect(await lineageMoments(catalog.admin, { from, depth: 20 })).toEqual(stops);
      const last = after.length - 1;
      const [since, until] = [Math.floor(last / 2), last];
      if (since === until) return;
      const changes = await lineageChanges(catalog.admin, {
        ...{ from, depth: 20, since: day(2 * since + 1), until: day(2 * until + 1) },
      });
      const [old, young] = [around(after[since] ?? new Set()), around(after[until] ?? new Set())];
      const beyond = (of: string[], other: string[]) => of.filter((one) => !other.includes(one));
      expect(names(network, changes.addedNodes)).toEqual(beyond(young.nodes, old.nodes));
      expect(names(network, changes.removedNodes)).toEqual(beyond(old.nodes, young.nodes));
      const edges = await changes.edges();
      expect(pairs(network, edges.added)).toEqual(beyond(young.edges, old.edges));
      expect(pairs(network, edges.removed)).toEqual(beyond(old.edges, young.edges));
    }),
    { numRuns: 25 },
  );
});
