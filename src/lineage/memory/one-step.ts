// Places one step below others, by the graph in memory: the same as `neighbours` reads.

import type { Context } from '../../context.ts';
import { maxStep, type Neighbour, type WalkScope } from '../neighbours.ts';
import { directionOf, ways } from './edge.ts';
import type { Graph } from './graph.ts';
import { eachInTurns, type TurnTaking } from './turns.ts';
import { seenBy } from './walk.ts';

/** The distinct places that data flows to from others, ordered by id, each by the first that leads there. */
export async function belowInMemory(
  { viewer }: Pick<Context, 'viewer'>,
  graph: Graph,
  ids: readonly string[],
  { indirect = false }: Pick<WalkScope, 'indirect'>,
  turns: TurnTaking,
): Promise<Neighbour[]> {
  const via = new Map<number, number>();
  await eachInTurns(nodesOf(graph, ids), turns, (node) =>
    graph.eachNeighbour(node, directionOf(ways.down, indirect), (next) => {
      if (!via.has(next)) via.set(next, node);
      return false;
    }),
  );
  const sees = seenBy(graph, viewer);
  const places = [...via.keys()].sort((one, other) => graph.compare(one, other)).slice(0, maxStep);
  return places.map((node) => ({
    id: graph.idOf(node),
    kind: graph.kinds[graph.kindOf(node)] ?? '',
    via: graph.idOf(via.get(node) ?? node),
    up: false,
    visible: sees(node),
  }));
}

/** All pairs of a place and one that data flows to from there, but for places that are known; `most` of them. */
export async function pairsInMemory(
  graph: Graph,
  ids: readonly string[],
  isKnown: (id: string) => boolean,
  most: number,
  turns: TurnTaking,
): Promise<{ readonly via: string; readonly id: string }[]> {
  const pairs: { via: string; id: string }[] = [];
  await eachInTurns(nodesOf(graph, ids), turns, (node) =>
    graph.eachNeighbour(node, directionOf(ways.down), (next) => {
      const id = graph.idOf(next);
      if (!isKnown(id)) pairs.push({ via: graph.idOf(node), id });
      return pairs.length >= most;
    }),
  );
  return pairs;
}

function nodesOf(graph: Graph, ids: readonly string[]): number[] {
  const nodes = ids.map((id) => graph.find(id)).filter((node) => node >= 0);
  return nodes.sort((one, other) => graph.compare(one, other));
}
