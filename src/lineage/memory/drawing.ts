// In charge of drawing a picture of lineage from a graph in memory: its nodes, and what else is read of it.

import type { Context } from '../../context.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { shownSql } from '../../resources/loaders.ts';
import type { Shown } from '../../resources/shown.ts';
import type { Around } from '../around.ts';
import type { GraphEdge } from '../edges-between.ts';
import { nodesIn, type Walk, type WalkNode, type WalkPlan } from '../walk.ts';
import type { Graph } from './graph.ts';
import { graphInMemory, guessedGraph } from './kept.ts';
import { aroundIn, edgesIn, startsIn, startsKnownTo } from './picture.ts';
import { smallWalkInMemory, walkInMemory } from './walk.ts';

/** What a guess looks at of what was asked. */
interface Asked {
  readonly from: readonly string[];
  readonly shown?: Shown | undefined;
  readonly after?: string | null | undefined;
}

/** What a walk found, and how what lies between and around its nodes is read. */
export interface Picture {
  readonly found: Walk;
  readonly edges: (among: readonly WalkNode[]) => Promise<GraphEdge[]>;
  readonly around: (nodes: readonly WalkNode[]) => Promise<Map<string, Around>>;
  readonly resources?: ReadonlyMap<string, Resource>;
}

/** Nodes whose resources are read at once; those of more are read as the answer is built, piece by piece. */
export const maxTogether = 500;

/**
 * The picture from the graph in memory as it was last: the statement that reads the nodes' resources tells whether it
 * still is that. Null where it isn't, or there is no such statement.
 */
export async function drawnByGuess(
  ctx: Context,
  { from, shown, after }: Asked,
  plan: WalkPlan,
): Promise<Picture | null> {
  if (shown === undefined || plan.asOf !== null || after != null) return null;
  const guess = guessedGraph(ctx, plan.level);
  const starts = guess && startsKnownTo(guess.graph, ctx, from, plan);
  if (!guess || !starts) return null;
  const { viewer, allowance, signal } = ctx;
  const asked = { graph: guess.graph, starts, plan, viewer, allowance, signal };
  const found = await smallWalkInMemory(asked, maxTogether);
  if (!found) return null;
  const nodes = found.nodes.part(0, found.nodes.count);
  const ids = nodes.map(({ id }) => id);
  const read = await guess.rows<Resource>((isCurrent) =>
    shownSql(ctx, ids, shown, Prisma.sql`${isCurrent} as "isCurrent",`),
  );
  if (!read) return null;
  const resources = new Map(read.map((resource) => [resource.id, resource]));
  return { ...pictureIn(guess.graph, ctx, { ...found, nodes: nodesIn(nodes) }, plan), resources };
}

/** The picture from the graph in memory; null where that can't be: it is not there, or of the past. */
export async function drawnInMemory(
  ctx: Context,
  from: readonly string[],
  plan: WalkPlan,
): Promise<Picture | null> {
  const graph = plan.asOf === null ? await graphInMemory(ctx, plan.level) : null;
  const starts = graph && (await startsIn(graph, ctx, from, plan));
  if (!graph || !starts) return null;
  const { viewer, allowance, signal } = ctx;
  const found = await walkInMemory({ graph, starts, plan, viewer, allowance, signal });
  return pictureIn(graph, ctx, found, plan);
}

function pictureIn(graph: Graph, ctx: Context, found: Walk, plan: WalkPlan): Picture {
  return {
    found,
    edges: (among) => edgesIn(graph, ctx, among, plan),
    around: (nodes) => aroundIn(graph, ctx, nodes, plan),
  };
}
