// Measures the lineage that is kept in memory: how long a whole closure takes, and what it costs in memory.
//
//   npm run bench:graph
//
// Two generated graphs, laid out as the thread that reads them does it; no database takes part.

import { randomFillSync } from 'node:crypto';
import { Arrangement } from '../src/lineage/memory/arrange.ts';
import { Graph } from '../src/lineage/memory/graph.ts';
import { bytesOf, bytesOfEdge, bytesOfNode, nodeBits } from '../src/lineage/memory/layout.ts';
import { walkInMemory } from '../src/lineage/memory/walk.ts';

const idBytes = 16;
/** The first rounds warm up, and are not counted. */
const warmUps = 10;
const rounds = 41;
/** How many nodes come after the one that a walk begins at: about so many it reaches. */
const graphs = [
  {
    name: 'closure of some 30,000 of 100,000',
    nodes: 100_000,
    edges: 300_000,
    reaches: 38_000,
    bar: 10,
  },
  {
    name: 'closure of some 688,000 of 1,000,000',
    nodes: 1_000_000,
    edges: 5_000_000,
    reaches: 728_000,
    bar: 100,
  },
];

console.log(
  '| in memory | nodes reached | median CPU ms | least to most | bar | MB | bytes a node, an edge |',
);
console.log('|---|---|---|---|---|---|---|');
for (const { name, nodes, edges, reaches, bar } of graphs) {
  const began = performance.now();
  const { layout, order } = build(nodes, edges);
  const built = performance.now() - began;
  const graph = new Graph(layout);
  const times: number[] = [];
  let reached = 0;
  for (let round = 0; round < warmUps + rounds; round += 1) {
    const start = order[nodes - reaches + round] ?? 0;
    const before = process.cpuUsage();
    const plan = {
      direction: 'DOWNSTREAM' as const,
      depth: 10_000,
      maxNodes: 1,
      level: 'TABLE' as const,
      kinds: null,
      asOf: null,
    };
    const viewer = { role: 'viewer' as const, teamIds: [] };
    const { signal } = new AbortController();
    const walked = await walkInMemory({
      ...{ graph, starts: [start], plan, viewer, signal },
      allowance: null,
    });
    const { user, system } = process.cpuUsage(before);
    if (round >= warmUps) times.push((user + system) / 1_000);
    reached = walked.total ?? 0;
  }
  times.sort((a, b) => a - b);
  const median = times[Math.floor(times.length / 2)] ?? Number.NaN;
  const spread = `${times[0]?.toFixed(1)} to ${times.at(-1)?.toFixed(1)}`;
  const mb = (bytesOf(layout) / 1024 / 1024).toFixed(0);
  console.log(
    `| ${name} | ${reached} | ${median.toFixed(1)} | ${spread} | <= ${bar} | ${mb} | ${bytesOfNode}, ${bytesOfEdge} |`,
  );
  console.error(`Laid out in ${built.toFixed(0)} ms.`);
}

/**
 * Every node has edges to some that come after it in an order which is not that of their ids: what follows a node is
 * its closure.
 */
function build(nodes: number, edges: number) {
  const arrangement = new Arrangement(Number.MAX_SAFE_INTEGER);
  const all = randomFillSync(Buffer.alloc(nodes * idBytes));
  const ids = Array.from({ length: nodes }, (_, i) => all.subarray(i * idBytes, (i + 1) * idBytes));
  ids.sort(Buffer.compare);
  for (const id of ids) arrangement.addNode(id, 0, 'table', nodeBits.published, '');
  const order = ids.map((_, i) => i).sort(() => Math.random() - 0.5);
  const buffer = Buffer.alloc(3 * idBytes);
  for (let edge = 0; edge < edges; edge += 1) {
    const source = edge % (nodes - 1);
    const step = 1 + Math.floor(Math.random() * (nodes / 50));
    const target = Math.min(nodes - 1, source + step);
    ids[order[source] ?? 0]?.copy(buffer, 0);
    ids[order[target] ?? 0]?.copy(buffer, idBytes);
    buffer.writeUInt32BE(edge, 2 * idBytes);
    arrangement.addEdge(buffer, [0, idBytes, 2 * idBytes], 0);
  }
  return { layout: arrangement.finish(), order };
}
