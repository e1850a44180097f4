// A picture of lineage from a graph in memory: its nodes, and how the rest of it is read.

import type { Context } from '../../context.ts';
import type { Around } from '../around.ts';
import type { GraphEdge } from '../edges-between.ts';
import type { Walk, WalkNode, WalkPlan } from '../walk.ts';
import { graphInMemory } from './kept.ts';
import { aroundIn, edgesIn, startsIn } from './picture.ts';
import { walkInMemory } from './walk.ts';

/** What a walk found, and how what lies between and around its nodes is read. */
export interface Picture {
  readonly found: Walk;
  readonly edges: (among: readonly WalkNode[]) => Promise<GraphEdge[]>;
  readonly around: (nodes: readonly WalkNode[]) => Promise<Map<string, Around>>;
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
  return {
    found,
    edges: (among) => edgesIn(graph, ctx, among, plan),
    around: (nodes) => aroundIn(graph, ctx, nodes, plan),
  };
}
