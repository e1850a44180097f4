// Starts, edges and counts of a picture of lineage, from a graph in memory.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { isUuid } from '../../text/uuid.ts';
import type { Around } from '../around.ts';
import type { GraphEdge } from '../edges-between.ts';
import type { WalkNode, WalkPlan } from '../walk.ts';
import { entrances } from '../walk-start.ts';
import { directionOf, edgeOf, isImplied, isManual, type WalkDirection, ways } from './edge.ts';
import type { Graph, LeavingEdge } from './graph.ts';
import { edgeBits } from './layout.ts';
import { sortedNodes } from './order.ts';
import { takingTurns } from './turns.ts';
import { isAlive, seenBy } from './walk.ts';

/**
 * The nodes from which a walk over `ids` begins, as `entrances` has it, or null where one of them is not in
 * the graph. Throws as `entrances` does.
 */
export async function startsIn(
  graph: Graph,
  ctx: Context,
  ids: readonly string[],
  plan: WalkPlan,
): Promise<readonly number[] | null> {
  const known = plan.level === 'TABLE' ? knownStarts(graph, ctx, ids) : null;
  if (known) return known;
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

/** Edges of nodes after which the clock is looked at. */
const nodesBetweenLooks = 64;

/** All edges among the nodes as `edgesBetween` has them: a pair is one edge, by source and target. */
export async function edgesIn(
  graph: Graph,
  ctx: Context,
  nodes: readonly WalkNode[],
  plan: WalkPlan,
): Promise<GraphEdge[]> {
  const idsOfShown = new Map(nodes.map(({ id }) => [graph.find(id), id]));
  idsOfShown.delete(-1);
  const isShown = markedIn(graph, idsOfShown.keys());
  const { without } = directionOf(ways.down, plan.indirect);
  const edges: GraphEdge[] = [];
  /** Places of the edges of which the database says more. */
  const withDetail = new Map<string, number>();
  const turns = takingTurns(ctx);
  let looked = 0;
  for (const source of sortedNodes(graph, idsOfShown.keys())) {
    looked += 1;
    if (looked % nodesBetweenLooks === 0) await turns();
    const sourceId = idsOfShown.get(source) ?? '';
    for (const { target, flags, id } of edgesFrom(graph, source, without, isShown)) {
      if ((flags & edgeBits.detail) !== 0) withDetail.set(id, edges.length);
      edges.push(edgeOf({ id, sourceId, targetId: idsOfShown.get(target) ?? '' }, flags));
    }
  }
  for (const { id, expression, uses } of await detailsOf(ctx, [...withDetail.keys()])) {
    const at = withDetail.get(id) ?? -1;
    const edge = edges[at];
    if (edge) edges[at] = { ...edge, expression, uses };
  }
  return edges;
}

/** A 1 at the places of nodes. */
function markedIn(graph: Graph, nodes: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(graph.size);
  for (const node of nodes) marks[node] = 1;
  return marks;
}

/** The edges from a node to those that are shown, by target: of each pair the one that comes first. */
function edgesFrom(
  graph: Graph,
  source: number,
  without: number,
  shown: Uint8Array,
): readonly LeavingEdge[] {
  const all = graph.edgesInto(source, shown, without);
  if (all.length < 2) return all;
  all.sort((one, other) => graph.compare(one.target, other.target) || precedence(one, other));
  return all.filter(({ target }, i) => target !== all[i - 1]?.target);
}

/** Of the edges of a pair the one that somebody named comes first, a person before others. */
function precedence(one: LeavingEdge, other: LeavingEdge): number {
  const byImplied = Number(isImplied(one.flags)) - Number(isImplied(other.flags));
  const byPerson = Number(isManual(other.flags)) - Number(isManual(one.flags));
  return byImplied || byPerson || (one.id < other.id ? -1 : 1);
}

/** What memory doesn't hold of edges. */
type Detail = Pick<GraphEdge, 'id' | 'expression' | 'uses'>;

async function detailsOf(ctx: Context, ids: readonly string[]): Promise<Detail[]> {
  if (ids.length === 0) return [];
  return rows<Detail>(
    ctx,
    `select e.id, e.expression, e.uses from unnest($2::uuid[]) k(id)
      join lineage_edge e on e.workspace_id = $1::uuid and e.id = k.id`,
    [ctx.workspaceId, [...ids]],
  );
}

/** How many neighbours each node has that the viewer may see, and how many of them are not shown. */
export async function aroundIn(
  graph: Graph,
  ctx: Context,
  nodes: readonly WalkNode[],
  plan: WalkPlan,
): Promise<Map<string, Around>> {
  const sees = seenBy(graph, ctx.viewer);
  const places = nodes.map(({ id }) => graph.find(id));
  const isShown = markedIn(
    graph,
    places.filter((place) => place >= 0),
  );
  const count = (node: number, way: WalkDirection) => {
    const counted = { all: 0, hidden: 0 };
    if (node < 0) return counted;
    graph.eachNeighbour(node, directionOf(way, plan.indirect), (next) => {
      if (!sees(next)) return false;
      counted.all += 1;
      if (isShown[next] !== 1) counted.hidden += 1;
      return false;
    });
    return counted;
  };
  const around = new Map<string, Around>();
  const turns = takingTurns(ctx);
  for (const [i, { id }] of nodes.entries()) {
    if (i % nodesBetweenLooks === 0) await turns();
    const node = places[i] ?? -1;
    around.set(id, { upstream: count(node, ways.up), downstream: count(node, ways.down) });
  }
  return around;
}
