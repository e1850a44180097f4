// In charge of the lineage of resources: what they come from and what depends on them, as a graph.

import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';
import type { Kind } from '../resources/kind.ts';
import { type Around, aroundEach, nothingAround } from './around.ts';
import type { LineageStrength } from './connect.ts';
import { edgesBetween, type GraphEdge } from './edges-between.ts';
import { graphInMemory } from './memory/kept.ts';
import { aroundIn, edgesIn, startsIn } from './memory/picture.ts';
import { walkInMemory } from './memory/walk.ts';
import type { LineageLevel } from './neighbours.ts';
import {
  type Limits,
  type LineageDirection,
  type Walk,
  type WalkNode,
  type WalkPlan,
  walk,
  walkLimits,
} from './walk.ts';
import { entrances } from './walk-start.ts';

/** What to show of the graph. Absent or null means the default. */
export interface LineageQuery {
  /** 1 to 100 ids of resources. */
  readonly from: readonly string[];
  /** BOTH by default: what lies upstream of the start, and what lies downstream of it. */
  readonly direction?: LineageDirection | null | undefined;
  /** Steps from the start, 1 to 100; 3 by default. */
  readonly depth?: number | null | undefined;
  /** TABLE by default. */
  readonly level?: LineageLevel | null | undefined;
  /** DIRECT by default: where values flow. INDIRECT, too: from columns to tables they decide about. */
  readonly strengths?: readonly LineageStrength[] | null | undefined;
  /** Kinds to show beside the start; the walk passes through others. All by default. */
  readonly kinds?: readonly Kind[] | null | undefined;
  /** A time in the past at which the graph is shown; by default as it is. */
  readonly asOf?: Date | null | undefined;
  /** Nodes to show, 1 to 10,000; 1,000 by default. */
  readonly maxNodes?: number | null | undefined;
}

/** A part of the graph, and how much of the whole it is. */
export interface LineageGraph {
  /** Nearest first; the start has depth 0. */
  readonly nodes: readonly WalkNode[];
  /** All edges between the nodes, in one statement that runs when they are asked for. */
  readonly edges: () => Promise<readonly GraphEdge[]>;
  /** What lies one step around a node, in one statement for all of them. */
  readonly around: (id: string) => Promise<Around>;
  readonly truncated: boolean;
  /** Which limit cut the walk, in words; null when none did. */
  readonly truncatedReason: string | null;
  /** Depth of the farthest node. */
  readonly depthReached: number;
  /** Nodes within the asked depth; null when the walk was cut before it had counted them. */
  readonly totalNodes: number | null;
  /** Nodes that the viewer may not see: passed through, not shown, and neither their edges. */
  readonly hiddenNodes: number;
  /** The time for which the graph holds. */
  readonly asOf: Date;
}

const maxStarts = 100;
const maxDepth = 100;
const maxMaxNodes = 10_000;
const defaultDepth = 3;
const defaultMaxNodes = 1_000;

/**
 * Walk the lineage from resources. Cycles end where they began; archived resources are not walked.
 * Throws NOT_FOUND for a start the viewer may not see, BAD_REQUEST for numbers out of range.
 */
export async function lineage(
  ctx: Context,
  query: LineageQuery,
  limits: Limits = walkLimits,
): Promise<LineageGraph> {
  const plan = planOf(query);
  const now = ctx.now();
  const { found, edges, around } =
    (await inMemory(ctx, query.from, plan)) ?? (await inDatabase(ctx, query.from, plan, limits));
  const [readEdges, readAround] = [once(edges), once(around)];
  return {
    nodes: found.nodes,
    edges: readEdges,
    around: async (id) => (await readAround()).get(id) ?? nothingAround,
    truncated: found.cut !== null,
    truncatedReason: reasonOf(found, plan, limits),
    depthReached: found.nodes.at(-1)?.depth ?? 0,
    totalNodes: found.total,
    hiddenNodes: found.hidden,
    asOf: plan.asOf ?? now,
  };
}

/** What a walk found, and how what lies between and around its nodes is read. */
interface Picture {
  readonly found: Walk;
  readonly edges: () => Promise<GraphEdge[]>;
  readonly around: () => Promise<Map<string, Around>>;
}

/** The picture from the graph in memory; null where that can't be: it is not there, or of the past. */
async function inMemory(
  ctx: Context,
  from: readonly string[],
  plan: WalkPlan,
): Promise<Picture | null> {
  const graph = plan.asOf === null ? await graphInMemory(ctx, plan.level) : null;
  const starts = graph && (await startsIn(graph, ctx, from, plan));
  if (!graph || !starts) return null;
  const found = await walkInMemory(graph, starts, plan, ctx.viewer, ctx.signal);
  return {
    found,
    edges: () => edgesIn(graph, ctx, found.nodes, plan),
    around: async () => aroundIn(graph, ctx, found.nodes, plan),
  };
}

async function inDatabase(
  ctx: Context,
  from: readonly string[],
  plan: WalkPlan,
  limits: Limits,
): Promise<Picture> {
  const found = await walk(ctx, await entrances(ctx, from, plan), plan, limits);
  const ids = found.nodes.map(({ id }) => id);
  return {
    found,
    edges: () => edgesBetween(ctx, found.nodes, plan),
    around: () => aroundEach(ctx, ids, plan),
  };
}

/** Does its work when it is first asked, and never again. */
function once<T>(work: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    answer ??= work();
    return answer;
  };
}

function planOf(query: LineageQuery): WalkPlan {
  if (query.from.length < 1 || query.from.length > maxStarts) {
    throw invalidField('from', `Use 1 to ${maxStarts} resources, not ${query.from.length}.`);
  }
  const kinds = query.kinds ?? [];
  return {
    direction: query.direction ?? 'BOTH',
    depth: checkRange('depth', query.depth ?? defaultDepth, maxDepth),
    maxNodes: checkRange('maxNodes', query.maxNodes ?? defaultMaxNodes, maxMaxNodes),
    level: query.level ?? 'TABLE',
    indirect: query.strengths?.includes('INDIRECT') ?? false,
    kinds: kinds.length > 0 ? new Set(kinds) : null,
    asOf: checkTime(query.asOf),
  };
}

function checkRange(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalidField(field, `Use an integer from 1 to ${max}, not ${value}.`);
}

function checkTime(asOf: Date | null | undefined): Date | null {
  if (asOf == null) return null;
  const year = asOf.getUTCFullYear();
  if (year >= 1970 && year <= 9999) return asOf;
  throw invalidField('asOf', 'Use a time from the year 1970 to the year 9999.');
}

function reasonOf({ cut, total, nodes }: Walk, plan: WalkPlan, limits: Limits): string | null {
  switch (cut) {
    case null:
      return null;
    case 'maxNodes':
      return total === null
        ? `maxNodes: the nearest ${nodes.length} nodes are shown, there are more than were counted.`
        : `maxNodes: the nearest ${nodes.length} of ${total} nodes are shown.`;
    case 'depth':
      return `depth: the lineage goes on beyond ${plan.depth} steps.`;
    case 'places':
      return `size: the walk ended after it had come to ${limits.places} resources.`;
    case 'time':
      return `time: the walk ended after ${limits.time / 1000} s.`;
  }
}
