// The order of nodes in memory: that of their ids.

import type { Graph } from './graph.ts';

/** Nodes in the order of their ids, which that of their numbers is, but for those that came later. */
export function sortedNodes(graph: Graph, nodes: Iterable<number>): Uint32Array {
  const numbers = Uint32Array.from(nodes).sort();
  const firstLater = numbers.findIndex((node) => node >= graph.layout.nodes);
  return firstLater < 0 ? numbers : withLater(graph, numbers, firstLater);
}

/** Put the later nodes, which are at the end, where they belong. */
function withLater(graph: Graph, numbers: Uint32Array, firstLater: number): Uint32Array {
  const sorted = new Uint32Array(numbers.length);
  const later = [...numbers.subarray(firstLater)];
  later.sort((one, other) => graph.compare(one, other));
  let [from, at] = [0, 0];
  const add = (nodes: ArrayLike<number>) => {
    sorted.set(nodes, at);
    at += nodes.length;
  };
  for (const node of later) {
    const rank = rankOf(graph, node);
    let to = from;
    while (to < firstLater && (numbers[to] ?? rank) < rank) to += 1;
    add(numbers.subarray(from, to));
    add([node]);
    from = to;
  }
  add(numbers.subarray(from, firstLater));
  return sorted;
}

/** How many of the nodes that did not come later have a lower id. */
export function rankOf(graph: Graph, node: number): number {
  const { nodes } = graph.layout;
  if (node < nodes) return node;
  let [low, high] = [0, nodes];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (graph.compare(middle, node) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
