// In charge of the lineage of resources: what they come from and what depends on them, as a graph.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import type { Kind } from '../resources/kind.ts';
import type { LineageOrigin, LineageStrength } from './connect.ts';
import { holdsAt, type LineageLevel, type Scope } from './neighbours.ts';
import type { Use } from './sql/scope/use.ts';
import {
  type Limits,
  type LineageDirection,
  type Plan,
  type Walk,
  type WalkNode,
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

/** An edge between two nodes. Where several origins name it, it is one edge still. */
export interface GraphEdge {
  readonly id: string;
  readonly sourceId: string;
  readonly targetId: string;
  readonly origin: LineageOrigin;
  readonly isManual: boolean;
  /** The SQL expression that makes the target, where a query says it. */
  readonly expression: string | null;
  readonly strength: LineageStrength;
  /** What the source is used for; empty where nothing says it. */
  readonly uses: readonly Use[];
}

/** A part of the graph, and how much of the whole it is. */
export interface LineageGraph {
  /** Nearest first; the start has depth 0. */
  readonly nodes: readonly WalkNode[];
  /** All edges between the nodes, in one statement that runs when they are asked for. */
  readonly edges: () => Promise<readonly GraphEdge[]>;
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
  const starts = await entrances(ctx, query.from, plan);
  const found = await walk(ctx, starts, plan, limits);
  let reading: Promise<readonly GraphEdge[]> | undefined;
  return {
    nodes: found.nodes,
    edges: () => {
      reading ??= edgesBetween(ctx, found.nodes, plan);
      return reading;
    },
    truncated: found.cut !== null,
    truncatedReason: reasonOf(found, plan, limits),
    depthReached: found.nodes.at(-1)?.depth ?? 0,
    totalNodes: found.total,
    hiddenNodes: found.hidden,
    asOf: plan.asOf ?? now,
  };
}

function planOf(query: LineageQuery): Plan {
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

function reasonOf({ cut, total, nodes }: Walk, plan: Plan, limits: Limits): string | null {
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

/** All edges among the nodes, those between nodes of equal depth included; a pair is one edge. */
async function edgesBetween(
  ctx: Context,
  nodes: readonly WalkNode[],
  scope: Scope,
): Promise<GraphEdge[]> {
  const ids = nodes.map(({ id }) => id);
  return rows<GraphEdge>(
    ctx,
    Prisma.sql`select distinct on (e.source_id, e.target_id) e.id,
        e.source_id as "sourceId", e.target_id as "targetId", e.origin, e.expression,
        e.strength, e.uses, e.origin = 'MANUAL' as "isManual"
      from unnest(${ids}::uuid[]) s(id)
      join lineage_edge e on e.source_id = s.id
      join unnest(${ids}::uuid[]) t(id) on t.id = e.target_id
      where e.workspace_id = ${ctx.workspaceId}::uuid and ${holdsAt(scope)}
      order by e.source_id, e.target_id, e.implied, (e.origin = 'MANUAL') desc, e.id`,
  );
}
