// The lineage of resources: what they come from and what depends on them, as a graph.

import type { Context } from '../context.ts';
import { invalidField } from '../errors.ts';
import type { Kind } from '../resources/kind.ts';
import { type Around, aroundEach, nothingAround } from './around.ts';
import type { LineageStrength } from './connect.ts';
import { edgesBetween, type GraphEdge } from './edges-between.ts';
import { drawnInMemory, type Picture } from './memory/drawing.ts';
import { isBeyondMemory } from './memory/kept.ts';
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
  /** Kinds to show besides the start; the walk passes through others. All by default. */
  readonly kinds?: readonly Kind[] | null | undefined;
  /** A time in the past at which the graph is shown; by default as it is. */
  readonly asOf?: Date | null | undefined;
  /** Nodes to show, 1 to 10,000; 1,000 by default. */
  readonly maxNodes?: number | null | undefined;
  /** The last node of the page before: what is shown begins behind it. */
  readonly after?: string | null | undefined;
}

/** Limits that can cut a walk. */
export const lineageLimits = ['DEPTH', 'MAX_NODES', 'SIZE', 'TIME'] as const;
export type LineageLimit = (typeof lineageLimits)[number];

/** What answers a walk. */
export type LineageStore = 'MEMORY' | 'DATABASE' | 'BEYOND_MEMORY';

/** A part of the graph, and how much of the whole it is. */
export interface LineageGraph {
  /** Nearest first; the start has depth 0. */
  readonly nodes: readonly WalkNode[];
  /**
   * All edges between the nodes, in one statement that runs when they are asked for. On a page those that
   * touch one of its nodes and lead to none of a later page: all pages have each edge once.
   */
  readonly edges: () => Promise<readonly GraphEdge[]>;
  /** What lies one step around a node, in one statement for all of them. */
  readonly around: (id: string) => Promise<Around>;
  readonly truncated: boolean;
  /** Which limit cut the walk, in words; null when none did. */
  readonly truncatedReason: string | null;
  readonly truncatedBy: LineageLimit | null;
  /** Where: steps, nodes, resources or seconds, as the limit counts. */
  readonly truncatedAt: number | null;
  /** Depth of the farthest node. */
  readonly depthReached: number;
  /** Nodes within the asked depth; null when the walk was cut before it had counted them. */
  readonly totalNodes: number | null;
  /** Nodes that the viewer may not see: passed through, and not shown, nor are their edges. */
  readonly hiddenNodes: number;
  /** The time for which the graph holds. */
  readonly asOf: Date;
  readonly answeredBy: LineageStore;
}

const maxStarts = 100;
const maxDepth = 100;
const maxMaxNodes = 10_000;
/** Nodes that all pages of a picture have together. */
const maxPaged = 100_000;
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
  const asked = planOf(query);
  const after = query.after?.toLowerCase() ?? null;
  const plan = after === null ? asked : { ...asked, maxNodes: maxPaged };
  const now = ctx.now();
  const inMemory = await drawnInMemory(ctx, query.from, plan);
  const { found, edges, around } = inMemory ?? (await inDatabase(ctx, query.from, plan, limits));
  const page = pageOf(found, after, asked.maxNodes);
  const [readEdges, readAround] = [once(() => edges(page.upTo())), once(() => around(page.nodes))];
  const cut = cutOf(found, page, plan, limits);
  return {
    nodes: page.nodes,
    edges: async () => edgesOfPage(await readEdges(), page),
    around: async (id) => (await readAround()).get(id) ?? nothingAround,
    truncated: cut !== null,
    truncatedReason: cut?.says ?? null,
    truncatedBy: cut?.by ?? null,
    truncatedAt: cut?.at ?? null,
    depthReached: page.nodes.at(-1)?.depth ?? 0,
    totalNodes: found.total,
    hiddenNodes: found.hidden,
    asOf: plan.asOf ?? now,
    answeredBy: inMemory ? 'MEMORY' : storeWithout(ctx, plan),
  };
}

/** What answers where memory does not: that it is too small is said only where it is why. */
function storeWithout(ctx: Context, { asOf, level }: WalkPlan): LineageStore {
  return asOf === null && isBeyondMemory(ctx, level) ? 'BEYOND_MEMORY' : 'DATABASE';
}

/** A part of the nodes of a walk. */
interface NodePage {
  readonly nodes: readonly WalkNode[];
  /** Those of the pages before as well. */
  readonly upTo: () => readonly WalkNode[];
  /** How many there are on the pages before; null where no page was asked for. */
  readonly begins: number | null;
  /** Whether the walk has nodes for a later page. */
  readonly goesOn: boolean;
}

function pageOf({ nodes: all }: Walk, after: string | null, size: number): NodePage {
  if (after === null) {
    const nodes = all.part(0, all.count);
    return { nodes, upTo: () => nodes, begins: null, goesOn: false };
  }
  const begins = all.placeOf(after) + 1;
  if (begins === 0) {
    throw invalidField('after', 'Use the id of the last node of the page before.');
  }
  const ends = Math.min(begins + size, all.count);
  const upTo = () => all.part(0, ends);
  return { nodes: all.part(begins, ends), upTo, begins, goesOn: ends < all.count };
}

function edgesOfPage(all: readonly GraphEdge[], { nodes, begins }: NodePage): readonly GraphEdge[] {
  if (begins === null) return all;
  const own = new Set(nodes.map(({ id }) => id));
  return all.filter(({ sourceId, targetId }) => own.has(sourceId) || own.has(targetId));
}

async function inDatabase(
  ctx: Context,
  from: readonly string[],
  plan: WalkPlan,
  limits: Limits,
): Promise<Picture> {
  const found = await walk(ctx, await entrances(ctx, from, plan), plan, limits);
  const idsOf = (nodes: readonly WalkNode[]) => nodes.map(({ id }) => id);
  return {
    found,
    edges: (among) => edgesBetween(ctx, among, plan),
    around: (nodes) => aroundEach(ctx, idsOf(nodes), plan),
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

/** The resources to begin from. Throws BAD_REQUEST where there are none, or more than 100. */
export function startsOf(from: readonly string[]): readonly string[] {
  if (from.length >= 1 && from.length <= maxStarts) return from;
  throw invalidField('from', `Use 1 to ${maxStarts} resources, not ${from.length}.`);
}

/** How many steps to walk, 3 by default. Throws BAD_REQUEST for what is not 1 to 100. */
export function stepsOf(depth: number | null | undefined): number {
  return checkRange('depth', depth ?? defaultDepth, maxDepth);
}

function planOf(query: LineageQuery): WalkPlan {
  startsOf(query.from);
  const kinds = query.kinds ?? [];
  return {
    direction: query.direction ?? 'BOTH',
    depth: stepsOf(query.depth),
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

/** What cut a picture: the limit, its number, and both in a sentence. */
interface PictureCut {
  readonly by: LineageLimit;
  readonly at: number;
  readonly says: string;
}

function cutOf(found: Walk, page: NodePage, plan: WalkPlan, limits: Limits): PictureCut | null {
  const { cut, total } = found;
  const { begins, nodes } = page;
  if (begins !== null && page.goesOn) {
    const says = `maxNodes: nodes ${begins + 1} to ${begins + nodes.length}${total === null ? '' : ` of ${total}`} are shown.`;
    return { by: 'MAX_NODES', at: nodes.length, says };
  }
  const size = (at: number) =>
    ({
      by: 'SIZE',
      at,
      says: `size: the walk ended after it had come to ${at} resources.`,
    }) as const;
  switch (cut) {
    case null:
      return null;
    case 'maxNodes': {
      // No page goes beyond it.
      if (begins !== null) return size(maxPaged);
      const shown = `maxNodes: the nearest ${nodes.length}`;
      const says =
        total === null
          ? `${shown} nodes are shown, there are more than were counted.`
          : `${shown} of ${total} nodes are shown.`;
      return { by: 'MAX_NODES', at: plan.maxNodes, says };
    }
    case 'depth':
      return {
        ...{ by: 'DEPTH', at: plan.depth },
        says: `depth: the lineage goes on beyond ${plan.depth} steps.`,
      };
    case 'places':
      return size(limits.places);
    case 'time': {
      const seconds = limits.time / 1000;
      return { by: 'TIME', at: seconds, says: `time: the walk ended after ${seconds} s.` };
    }
  }
}
