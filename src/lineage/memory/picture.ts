// In charge of what a picture of lineage shows beside its nodes, from a graph in memory: starts, edges, counts.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { isUuid } from '../../uuid.ts';
import type { Around } from '../around.ts';
import type { GraphEdge } from '../edges-between.ts';
import type { Plan, WalkNode } from '../walk.ts';
import { entrances } from '../walk-start.ts';
import { directionOf, type Edge, edgeOf, type Way, ways } from './edge.ts';
import type { Graph } from './graph.ts';
import { isAlive, seenBy } from './walk.ts';

/**
 * The nodes from which a walk over `ids` begins, as `entrances` has it, or null where one of them is not in
 * the graph. Throws as `entrances` does.
 */
export async function startsIn(
  graph: Graph,
  ctx: Context,
  ids: readonly string[],
  plan: Plan,
): Promise<readonly number[] | null> {
  if (plan.level === 'TABLE') {
    const known = knownStarts(graph, ctx, ids);
    if (known) return known;
  }
  const places = await entrances(ctx, ids, plan);
  const starts = places.map(({ id }) => graph.find(id));
  return starts.includes(-1) ? null : starts;
}

/** At the level of tables whatever is a node stands for itself; null where one isn't, or can't be begun from. */
function knownStarts(graph: Graph, ctx: Context, ids: readonly string[]): number[] | null {
  const sees = seenBy(graph, ctx.viewer);
  const starts = [...new Set(ids.map((id) => id.toLowerCase()))].map((id) =>
    isUuid(id) ? graph.find(id) : -1,
  );
  const canBegin = (node: number) => node >= 0 && isAlive(graph, node) && sees(node);
  return starts.every(canBegin) ? starts : null;
}

/** All edges among the nodes as `edgesBetween` has them: a pair is one edge, by source and target. */
export async function edgesIn(
  graph: Graph,
  ctx: Context,
  nodes: readonly WalkNode[],
  plan: Plan,
): Promise<GraphEdge[]> {
  const places = graph.sorted(nodes.map(({ id }) => graph.find(id)).filter((node) => node >= 0));
  const isShown = new Set(places);
  const { without } = directionOf(ways.down, plan.indirect);
  const found: (Edge & { sourceId: string; targetId: string })[] = [];
  for (const source of places) {
    const best = new Map<number, Edge>();
    graph.eachEdge(source, (target, flags, id) => {
      if (!isShown.has(target) || (flags & without) !== 0) return;
      const edge = edgeOf(id(), flags);
      const other = best.get(target);
      if (!other || comesFirst(edge, other)) best.set(target, edge);
    });
    const sourceId = graph.idOf(source);
    for (const target of graph.sorted(best.keys())) {
      const edge = best.get(target);
      if (edge) found.push({ ...edge, sourceId, targetId: graph.idOf(target) });
    }
  }
  const details = await detailsOf(
    ctx,
    found.filter(({ hasDetail }) => hasDetail).map(({ id }) => id),
  );
  return found.map(({ id, sourceId, targetId, origin, strength }) => ({
    id,
    sourceId,
    targetId,
    origin,
    isManual: origin === 'MANUAL',
    strength,
    expression: details.get(id)?.expression ?? null,
    uses: details.get(id)?.uses ?? [],
  }));
}

/** Of the edges of a pair the one that somebody named, a person first. */
function comesFirst(one: Edge, other: Edge): boolean {
  if (one.isImplied !== other.isImplied) return other.isImplied;
  const isDrawn = one.origin === 'MANUAL';
  if (isDrawn !== (other.origin === 'MANUAL')) return isDrawn;
  return one.id < other.id;
}

/** What memory doesn't hold of edges. */
type Detail = Pick<GraphEdge, 'id' | 'expression' | 'uses'>;

async function detailsOf(ctx: Context, ids: readonly string[]): Promise<Map<string, Detail>> {
  if (ids.length === 0) return new Map();
  const found = await rows<Detail>(
    ctx,
    `select e.id, e.expression, e.uses from unnest($2::uuid[]) k(id)
      join lineage_edge e on e.workspace_id = $1::uuid and e.id = k.id`,
    [ctx.workspaceId, [...ids]],
  );
  return new Map(found.map((detail) => [detail.id, detail]));
}

/** How many neighbours each node has that the viewer may see, and how many of them are not shown. */
export function aroundIn(
  graph: Graph,
  ctx: Context,
  nodes: readonly WalkNode[],
  plan: Plan,
): Map<string, Around> {
  const sees = seenBy(graph, ctx.viewer);
  const places = nodes.map(({ id }) => graph.find(id));
  const isShown = new Set(places);
  const count = (node: number, way: Way) => {
    const direction = directionOf(way, plan.indirect);
    const seen = node < 0 ? [] : graph.neighboursOf(node, direction).filter(sees);
    return { all: seen.length, hidden: seen.filter((next) => !isShown.has(next)).length };
  };
  return new Map(
    nodes.map(({ id }, i) => {
      const node = places[i] ?? -1;
      return [id, { upstream: count(node, ways.up), downstream: count(node, ways.down) }];
    }),
  );
}
