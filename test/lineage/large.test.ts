// Lineages of thousands of nodes in memory: in order, whatever came later, and with turns for others in between.

import { expect, test, vi } from 'vitest';
import { ways } from '../../src/lineage/memory/edge.ts';
import { Graph } from '../../src/lineage/memory/graph.ts';
import {
  fillSlots,
  type Layout,
  sharedBytes,
  sharedWords,
  slotsFor,
  wordsOf,
} from '../../src/lineage/memory/layout.ts';
import { rankOf, sortedNodes } from '../../src/lineage/memory/order.ts';
import { aroundIn } from '../../src/lineage/memory/picture.ts';
import { walkInMemory } from '../../src/lineage/memory/walk.ts';
import type { WalkPlan } from '../../src/lineage/walk.ts';
import { openCatalog } from '../catalog.ts';

type Edge = readonly [source: number, target: number];

/** The id of a node: those of nodes that are there from the beginning end in 0, so that others find room between them. */
const idOf = (node: number) =>
  `${(node * 16).toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
const laterIdOf = (node: number) => idOf(node).replace(/^(.{7})0/, '$17');

/** A graph of so many nodes and these edges, which are sorted by their sources. */
function graphOf(nodes: number, edges: readonly Edge[]): Graph {
  const ids = sharedWords(4 * nodes);
  for (let node = 0; node < nodes; node += 1) ids.set(wordsOf(idOf(node)), 4 * node);
  const slots = sharedWords(slotsFor(nodes));
  fillSlots(ids, nodes, slots);
  const bySource = [...edges].sort(([one], [other]) => one - other);
  const byTarget = bySource
    .map(([source, target], at) => ({ source, target, at }))
    .sort((one, other) => one.target - other.target);
  const startsOf = (ends: readonly number[]) => {
    const starts = sharedWords(nodes + 1);
    for (const end of ends) starts[end + 1] = (starts[end + 1] ?? 0) + 1;
    for (let node = 1; node <= nodes; node += 1)
      starts[node] = (starts[node] ?? 0) + (starts[node - 1] ?? 0);
    return starts;
  };
  const words = (all: readonly number[]) => {
    const made = sharedWords(all.length);
    made.set(all);
    return made;
  };
  const layout: Layout = {
    ...{ nodes, edges: edges.length, ids, slots },
    kinds: sharedBytes(nodes),
    nodeFlags: sharedBytes(nodes).fill(1),
    teams: sharedWords(nodes),
    outStarts: startsOf(bySource.map(([source]) => source)),
    targets: words(bySource.map(([, target]) => target)),
    edgeIds: sharedWords(4 * edges.length),
    edgeFlags: sharedBytes(edges.length),
    inStarts: startsOf(byTarget.map(({ target }) => target)),
    sources: words(byTarget.map(({ source }) => source)),
    inEdges: words(byTarget.map(({ at }) => at)),
    kindNames: ['table'],
    teamSets: [[]],
  };
  return new Graph(layout);
}

/** Nodes that come later, each with an edge from another node. */
function addLater(graph: Graph, edges: readonly Edge[]): void {
  for (const [source, near] of edges) {
    const id = laterIdOf(near);
    graph.setNode({ id, kind: 'table', published: true, archived: false, teamIds: [] });
    graph.setEdge({ id: idOf(near), sourceId: graph.idOf(source), targetId: id, flags: 0 });
  }
}

const plan: WalkPlan = {
  direction: 'DOWNSTREAM',
  depth: 100,
  maxNodes: 10_000,
  kinds: null,
  level: 'TABLE',
  asOf: null,
  indirect: true,
};

/** What is downstream of a node, by depth and id, as it is found step by step. */
function expected(graph: Graph, start: number): string[] {
  const depths = new Map([[start, 0]]);
  const found: string[] = [];
  for (let [step, depth] = [[start], 0]; step.length > 0; depth += 1) {
    found.push(...step.map((node) => `${graph.idOf(node)} ${depth}`).sort());
    const next = new Set<number>();
    const add = (node: number) => {
      next.add(node);
      return false;
    };
    for (const node of step) graph.someNeighbour(node, { way: ways.down, without: 0 }, add);
    step = [...next].filter((node) => !depths.has(node));
    for (const node of step) depths.set(node, depth + 1);
  }
  return found;
}

test('nodes that came later are in their order, between those that were there', async () => {
  await using catalog = await openCatalog();
  const nodes = 3_000;
  let seed = 7;
  const among = () => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
    return (seed >>> 8) % nodes;
  };
  const edges = Array.from({ length: 6_000 }, (): Edge => [among(), among()]);
  const graph = graphOf(nodes, edges);
  addLater(
    graph,
    Array.from(new Set(Array.from({ length: 300 }, among)), (near) => [among(), near] as const),
  );
  const { viewer, signal, allowance } = catalog.admin;
  // Steps of many nodes and of few: the first and the last ones of a walk are few.
  for (const start of [0, 17, nodes - 1, nodes + 3]) {
    const walk = await walkInMemory({ graph, starts: [start], plan, viewer, signal, allowance });
    const shown = walk.nodes.part(0, walk.nodes.count).map(({ id, depth }) => `${id} ${depth}`);
    expect(shown).toEqual(expected(graph, start));
  }
  const all = Array.from({ length: graph.size }, (_, node) => node);
  const sorted = Array.from(sortedNodes(graph, all), (node) => graph.idOf(node));
  expect(sorted).toEqual(all.map((node) => graph.idOf(node)).sort());
  for (let node = nodes; node < graph.size; node += 1) {
    const before = graph.idOf(node).replace(/^(.{7})7/, '$10');
    expect(rankOf(graph, node)).toBe(graph.find(before) + 1);
  }
});

test('neighbours are counted once each, however many edges lead to them, and those that are shown', async () => {
  await using catalog = await openCatalog();
  const graph = graphOf(6, [
    [0, 1],
    [0, 1],
    [0, 2],
    [0, 3],
    [4, 0],
    [4, 0],
  ]);
  addLater(graph, [[0, 5]]);
  const node = (number: number) => ({
    id: graph.idOf(number),
    kind: 'table',
    depth: 0,
    direction: 'BOTH' as const,
  });
  const around = await aroundIn(graph, catalog.admin, [0, 1, 4].map(node), plan);
  expect([...around.values()]).toEqual([
    { upstream: { all: 1, hidden: 0 }, downstream: { all: 4, hidden: 3 } },
    { upstream: { all: 1, hidden: 0 }, downstream: { all: 0, hidden: 0 } },
    { upstream: { all: 0, hidden: 0 }, downstream: { all: 1, hidden: 0 } },
  ]);
});

test('a walk lets others have their turn while it looks at a hundred thousand nodes', async () => {
  await using catalog = await openCatalog();
  const nodes = 100_000;
  const graph = graphOf(
    nodes,
    Array.from({ length: nodes - 1 }, (_, n): Edge => [0, n + 1]),
  );
  const { viewer, allowance } = catalog.admin;
  // Anyone who looks at the clock finds that its time is over.
  let now = 0;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 1_000;
    return now;
  });
  let turns = 0;
  const signal = Object.assign(new AbortController().signal, {
    throwIfAborted: () => {
      turns += 1;
    },
  });
  try {
    const walk = await walkInMemory({ graph, starts: [0], plan, viewer, signal, allowance });
    expect(walk.total).toBe(nodes);
    // All places in memory, and the last step once more.
    expect(turns).toBeGreaterThan(nodes / 16_384 + nodes / 1_024 - 2);
    turns = 0;
    const shown = walk.nodes.part(0, walk.nodes.count);
    const around = await aroundIn(graph, { ...catalog.admin, signal }, shown, plan);
    expect(around.get(graph.idOf(0))?.downstream).toEqual({
      all: nodes - 1,
      hidden: nodes - 10_000,
    });
    expect(turns).toBeGreaterThan(10_000 / 64 - 2);
  } finally {
    clock.mockRestore();
  }
});
