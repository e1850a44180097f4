import { expect, test } from 'vitest';
import type { Context } from '../../src/context.ts';
import { deleteLineage, listLineageEntries } from '../../src/lineage/edge.ts';
import { type LineageQuery, lineage } from '../../src/lineage/graph.ts';
import { walkLimits } from '../../src/lineage/walk.ts';
import { archiveResource, restoreResource } from '../../src/resources/editing/archive.ts';
import { openCatalog } from '../catalog.ts';
import { grow, type Network } from './network.ts';

test('a chain is walked both ways, each node with its distance', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c c>d d>e');
  const graph = await lineage(catalog.admin, { from: [network.id('c')] });
  expect(await network.read(graph)).toEqual({
    nodes: ['a 2 UPSTREAM', 'b 1 UPSTREAM', 'c 0 BOTH', 'd 1 DOWNSTREAM', 'e 2 DOWNSTREAM'],
    edges: ['a>b', 'b>c', 'c>d', 'd>e'],
  });
  expect(graph).toMatchObject({
    truncated: false,
    truncatedReason: null,
    depthReached: 2,
    totalNodes: 5,
    hiddenNodes: 0,
  });
  expect(graph.nodes[0]?.depth).toBe(0);
});

test('one direction shows nothing of the other', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c side>c');
  const from = [network.id('b')];
  const up = await lineage(catalog.admin, { from, direction: 'UPSTREAM' });
  expect(await network.read(up)).toEqual({
    nodes: ['a 1 UPSTREAM', 'b 0 UPSTREAM'],
    edges: ['a>b'],
  });
  const down = await lineage(catalog.admin, { from, direction: 'DOWNSTREAM' });
  expect(await network.read(down)).toEqual({
    nodes: ['b 0 DOWNSTREAM', 'c 1 DOWNSTREAM'],
    edges: ['b>c'],
  });
});

test('a diamond meets at the shortest distance, with every edge among its nodes', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b a>c b>d c>d a>d d>e b>c');
  const from = [network.id('a')];
  const graph = await lineage(catalog.admin, { from, direction: 'DOWNSTREAM' });
  expect(await network.read(graph)).toEqual({
    nodes: [
      'a 0 DOWNSTREAM',
      'b 1 DOWNSTREAM',
      'c 1 DOWNSTREAM',
      'd 1 DOWNSTREAM',
      'e 2 DOWNSTREAM',
    ],
    edges: ['a>b', 'a>c', 'a>d', 'b>c', 'b>d', 'c>d', 'd>e'],
  });
});

test('an edge that leads past the start, from upstream to downstream, is shown', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c a>c');
  const graph = await lineage(catalog.admin, { from: [network.id('b')] });
  expect((await network.read(graph)).edges).toEqual(['a>b', 'a>c', 'b>c']);
});

test('a cycle ends where it began, its nodes upstream and downstream at once', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c c>a c>d');
  const from = [network.id('a')];
  const graph = await lineage(catalog.admin, { from, depth: 100 });
  expect(await network.read(graph)).toEqual({
    nodes: ['a 0 BOTH', 'b 1 BOTH', 'c 1 BOTH', 'd 3 DOWNSTREAM'],
    edges: ['a>b', 'b>c', 'c>a', 'c>d'],
  });
  expect(graph).toMatchObject({ truncated: false, depthReached: 3 });
});

test('several starts are one walk from all of them', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c x>c c>d');
  const from = ['a', 'c', 'a'].map(network.id);
  const graph = await lineage(catalog.admin, { from, direction: 'DOWNSTREAM' });
  expect((await network.read(graph)).nodes).toEqual([
    'a 0 DOWNSTREAM',
    'b 1 DOWNSTREAM',
    'c 0 DOWNSTREAM',
    'd 1 DOWNSTREAM',
  ]);
});

test('a pair that several origins name is one edge, manual if a person drew it', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b');
  const integration = await catalog.integration();
  await network.draw('a>b', {
    origin: 'IMPORT',
    integrationId: integration.id,
  });
  await network.draw('a>b', { origin: 'QUERY' });
  const graph = await lineage(catalog.admin, { from: [network.id('a')] });
  const edges = await graph.edges();
  expect(edges).toHaveLength(1);
  expect(edges[0]).toMatchObject({ origin: 'MANUAL', isManual: true });
});

test('a walk that the depth cuts says so, and one that ends there does not', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c c>d d>b');
  const from = [network.id('a')];
  const short = await lineage(catalog.admin, { from, depth: 2 });
  expect(short).toMatchObject({ truncated: true, depthReached: 2, totalNodes: 3 });
  expect(short.truncatedReason).toMatch(/^depth/);
  // d leads back to b alone, which is known.
  const whole = await lineage(catalog.admin, { from, depth: 3 });
  expect(whole).toMatchObject({ truncated: false, depthReached: 3, totalNodes: 4 });
});

test('a walk shows the nearest nodes, and says how many there are', async () => {
  await using catalog = await openCatalog();
  const wide = Array.from({ length: 30 }, (_, i) => `a>n${i} n${i}>m${i}`).join(' ');
  const network = await grow(catalog, wide);
  const query = { from: [network.id('a')], maxNodes: 20 };
  const graph = await lineage(catalog.admin, query);
  expect(graph.nodes).toHaveLength(20);
  expect(graph.nodes.every(({ depth }) => depth <= 1)).toBe(true);
  expect(graph).toMatchObject({ truncated: true, totalNodes: 61, depthReached: 1 });
  expect(graph.truncatedReason).toMatch(/^maxNodes.* 20 of 61 /);
  expect(await graph.edges()).toHaveLength(19);
  expect((await lineage(catalog.admin, query)).nodes).toEqual(graph.nodes);
  const exact = await lineage(catalog.admin, { ...query, maxNodes: 61 });
  expect(exact).toMatchObject({ truncated: false, totalNodes: 61 });
});

/** A catalog whose lineage is walked in the database, whatever the others do. */
const inDatabase = () => openCatalog({ alone: true, lineageMemory: { maxBytes: 0, waits: true } });

test('a walk that takes too long or comes too far ends there and says so', async () => {
  await using catalog = await inDatabase();
  const network = await grow(catalog, 'a>b b>c c>d d>e');
  const query: LineageQuery = { from: [network.id('a')], depth: 10 };
  const byTime = await lineage(ticking(catalog.admin), query, { ...walkLimits, time: 2_500 });
  expect(byTime).toMatchObject({ truncated: true, totalNodes: null });
  expect(byTime.truncatedReason).toMatch(/^time/);
  expect(byTime.nodes.length).toBeLessThan(5);
  const bySize = await lineage(catalog.admin, query, { ...walkLimits, places: 2 });
  expect(bySize).toMatchObject({ truncated: true, totalNodes: null });
  expect(bySize.truncatedReason).toMatch(/^size/);
  const uncounted = await lineage(
    ticking(catalog.admin),
    { ...query, maxNodes: 1 },
    { ...walkLimits, countPlaces: 0, countTime: 0 },
  );
  expect(uncounted).toMatchObject({ truncated: true, totalNodes: null });
  expect(uncounted.truncatedReason).toMatch(/^maxNodes/);
});

test('what the viewer may not see is passed through, counted, and not shown', async () => {
  await using catalog = await openCatalog();
  const hidden = { published: false };
  const network = await grow(catalog, 'a>s s>b b>t t>a a>b', { s: hidden, t: hidden });
  const query = { from: [network.id('a')], direction: 'DOWNSTREAM', depth: 9 } as const;
  const graph = await lineage(catalog.as('viewer'), query);
  expect(await network.read(graph)).toEqual({
    nodes: ['a 0 DOWNSTREAM', 'b 1 DOWNSTREAM'],
    edges: ['a>b'],
  });
  expect(graph).toMatchObject({ hiddenNodes: 2, totalNodes: 2, truncated: false });
  expect(await lineage(catalog.admin, query)).toMatchObject({ hiddenNodes: 0, totalNodes: 4 });
  await expect(lineage(catalog.as('viewer'), { from: [network.id('s')] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
});

test('a guest walks through what other teams hold and sees its own', async () => {
  await using catalog = await openCatalog();
  const team = await catalog.team();
  const mine = { teamIds: [team.id] };
  const network = await grow(catalog, 'a>b b>c', { a: mine, c: mine });
  const guest = catalog.as('guest', [team]);
  const graph = await lineage(guest, { from: [network.id('a')] });
  expect(await network.read(graph)).toEqual({ nodes: ['a 0 BOTH', 'c 2 DOWNSTREAM'], edges: [] });
  expect(graph.hiddenNodes).toBe(1);
});

test('only the asked kinds are shown besides the start, found through all others', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>report b>c c>report2', {
    report: { kind: 'dashboard' },
    report2: { kind: 'dashboard', published: false },
  });
  const query: LineageQuery = { from: [network.id('a')], depth: 9, kinds: ['dashboard'] };
  const graph = await lineage(catalog.as('viewer'), query);
  expect((await network.read(graph)).nodes).toEqual(['a 0 BOTH', 'report 2 DOWNSTREAM']);
  expect(graph).toMatchObject({ totalNodes: 2, hiddenNodes: 1, truncated: false });
});

test('archived resources are not walked until they are restored', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 'a>b b>c');
  const query: LineageQuery = { from: [network.id('a')] };
  await archiveResource(catalog.admin, network.id('b'));
  expect((await lineage(catalog.admin, query)).nodes).toHaveLength(1);
  await expect(lineage(catalog.admin, { from: [network.id('b')] })).rejects.toMatchObject({
    code: 'NOT_FOUND',
  });
  await restoreResource(catalog.admin, network.id('b'));
  expect((await lineage(catalog.admin, query)).nodes).toHaveLength(3);
});

test('the graph of the past shows what held then', async () => {
  await using catalog = await openCatalog();
  const day = (n: number) => new Date(Date.UTC(2026, 0, n));
  catalog.setTime(day(1));
  const network = await grow(catalog, 'a>b', { c: {} });
  catalog.setTime(day(3));
  await network.draw('b>c');
  const query: LineageQuery = { from: [network.id('a')] };
  catalog.setTime(day(5));
  const { nodes } = await listLineageEntries(catalog.admin, { toIds: [network.id('b')] }, {});
  const drawn = nodes.find(({ fromId }) => fromId === network.id('a'));
  await deleteLineage(catalog.admin, drawn?.id ?? '');
  catalog.setTime(day(7));
  await archiveResource(catalog.admin, network.id('c'));
  catalog.setTime(day(9));
  const at = async (asOf: Date | null) => {
    const graph = await lineage(catalog.admin, { ...query, asOf });
    expect(graph.asOf).toEqual(asOf ?? day(9));
    return (await network.read(graph)).edges;
  };
  expect(await at(new Date(day(1).getTime() - 1))).toEqual([]);
  expect(await at(day(1))).toEqual(['a>b']);
  expect(await at(day(4))).toEqual(['a>b', 'b>c']);
  expect(await at(day(5))).toEqual([]);
  expect(await at(null)).toEqual([]);
  const past = await lineage(catalog.admin, { from: [network.id('c')], asOf: day(6) });
  expect((await network.read(past)).nodes).toEqual(['b 1 UPSTREAM', 'c 0 BOTH']);
  const before = await lineage(catalog.admin, { from: [network.id('b')], asOf: day(8) });
  expect((await network.read(before)).nodes).toEqual(['b 0 BOTH']);
});

test('columns are walked at their level, and their tables at the level of tables', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 't.a>u.x t.b>u.y u.x>v.k u.y>chart s>t', {
    chart: { kind: 'chart' },
    't.a.inner': {},
  });
  const read = async (query: LineageQuery) => network.read(await lineage(catalog.admin, query));
  const down = { direction: 'DOWNSTREAM', depth: 9 } as const;
  expect(await read({ from: [network.id('t.a')], level: 'COLUMN', ...down })).toEqual({
    nodes: ['t.a 0 DOWNSTREAM', 't.a.inner 0 DOWNSTREAM', 'u.x 1 DOWNSTREAM', 'v.k 2 DOWNSTREAM'],
    edges: ['t.a>u.x', 'u.x>v.k'],
  });
  const tables = {
    nodes: ['chart 2 DOWNSTREAM', 't 0 DOWNSTREAM', 'u 1 DOWNSTREAM', 'v 2 DOWNSTREAM'],
    edges: ['t>u', 'u>chart', 'u>v'],
  };
  expect(await read({ from: [network.id('t')], ...down })).toEqual(tables);
  expect(await read({ from: [network.id('t.a')], ...down })).toEqual(tables);
  expect(await read({ from: [network.id('t.a.inner')], ...down })).toEqual(tables);
  expect(await read({ from: [network.id('t')], level: 'COLUMN', ...down })).toEqual({
    nodes: [
      'chart 2 DOWNSTREAM',
      't.a 0 DOWNSTREAM',
      't.a.inner 0 DOWNSTREAM',
      't.b 0 DOWNSTREAM',
      'u.x 1 DOWNSTREAM',
      'u.y 1 DOWNSTREAM',
      'v.k 2 DOWNSTREAM',
    ],
    edges: ['t.a>u.x', 't.b>u.y', 'u.x>v.k', 'u.y>chart'],
  });
  expect(await read({ from: [network.id('chart')], level: 'COLUMN' })).toEqual({
    nodes: ['chart 0 BOTH', 't.b 2 UPSTREAM', 'u.y 1 UPSTREAM'],
    edges: ['t.b>u.y', 'u.y>chart'],
  });
  // A table without columns stands for itself.
  expect(await read({ from: [network.id('s')], level: 'COLUMN' })).toEqual({
    nodes: ['s 0 BOTH'],
    edges: [],
  });
});

test('a table that an edge ties to a column is walked from besides its columns', async () => {
  await using catalog = await openCatalog();
  const network = await grow(catalog, 't.a>u', { 'u.x': {} });
  const graph = await lineage(catalog.admin, { from: [network.id('u')], level: 'COLUMN' });
  expect(await network.read(graph)).toEqual({
    nodes: ['t.a 1 UPSTREAM', 'u 0 BOTH', 'u.x 0 BOTH'],
    edges: ['t.a>u'],
  });
});

test('numbers out of range and unknown starts are refused by name', async () => {
  await using catalog = await openCatalog();
  await using other = await catalog.another();
  const network = await grow(catalog, 'a>b');
  const a = network.id('a');
  const foreign = await other.resource();
  const refused = async (query: Partial<LineageQuery>, field: string) => {
    await expect(lineage(catalog.admin, { from: [a], ...query })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      fields: [{ field }],
    });
  };
  for (const depth of [0, -1, 101, 1.5, Number.NaN]) await refused({ depth }, 'depth');
  for (const maxNodes of [0, -1, 10_001]) await refused({ maxNodes }, 'maxNodes');
  await refused({ from: [] }, 'from');
  await refused({ from: Array.from({ length: 101 }, () => a) }, 'from');
  await refused({ asOf: new Date(8.64e15) }, 'asOf');
  await refused({ asOf: new Date(-8.64e15) }, 'asOf');
  await refused({ asOf: new Date(Number.NaN) }, 'asOf');
  for (const id of [foreign.id, 'nonsense', '', '\0']) {
    await expect(lineage(catalog.admin, { from: [a, id] })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  }
  const graph = await lineage(other.admin, { from: [foreign.id] });
  expect(graph.nodes).toHaveLength(1);
});

test('a step costs one statement, however many nodes it finds', async () => {
  await using catalog = await inDatabase();
  const narrow = await grow(catalog, 'a>b b>c c>d');
  const bush = Array.from({ length: 40 }, (_, i) => `a>b${i} b${i}>c${i} c${i}>d${i}`);
  const wide = await grow(catalog, bush.join(' '));
  const count = async (network: Network) => {
    const { statements } = await catalog.counting(async () => {
      const graph = await lineage(catalog.admin, { from: [network.id('a')] });
      await graph.edges();
      await graph.edges();
    });
    return statements.length;
  };
  // Where to begin, three steps, whether it goes on, and the edges.
  expect(await count(narrow)).toBe(6);
  expect(await count(wide)).toBe(6);
});

/** A context whose clock moves on by a second each time it is read. */
function ticking(ctx: Context): Context {
  let time = Date.now();
  return {
    ...ctx,
    now: () => {
      time += 1_000;
      return new Date(time);
    },
  };
}
