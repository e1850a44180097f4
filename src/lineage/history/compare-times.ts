// Changes of lineage between two times: the difference of two pictures.

import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import type { GraphEdge } from '../edges-between.ts';
import { type LineageGraph, type LineageQuery, lineage } from '../graph.ts';
import type { WalkNode } from '../walk.ts';

/** Which pictures to compare: the same in all but their times. */
export interface ChangesQuery extends Omit<LineageQuery, 'asOf' | 'after'> {
  readonly since: Date;
  /** Now by default. */
  readonly until?: Date | null | undefined;
}

/** A node, and the picture that shows it. */
export interface ChangedNode {
  readonly node: WalkNode;
  readonly of: LineageGraph;
}

/** What is in one picture alone. */
export interface LineageChanges {
  readonly since: Date;
  readonly until: Date;
  readonly addedNodes: readonly ChangedNode[];
  readonly removedNodes: readonly ChangedNode[];
  /** By their ends: that another origin names an edge is no change. */
  readonly edges: () => Promise<ChangedEdges>;
  /** Whether a limit other than the depth cut a picture: what lies beyond was not compared. */
  readonly truncated: boolean;
}

export interface ChangedEdges {
  readonly added: readonly GraphEdge[];
  readonly removed: readonly GraphEdge[];
}

/**
 * Compare lineage at two times. Throws as `lineage` does, and BAD_REQUEST where `since` is not before
 * `until`.
 */
export async function lineageChanges(ctx: Context, query: ChangesQuery): Promise<LineageChanges> {
  const { since, until, ...asked } = query;
  if (since >= (until ?? ctx.now())) {
    throw invalidField('since', 'Use a time before `until`, which is now unless it is given.');
  }
  const before = await lineage(ctx, { ...asked, asOf: since });
  const after = await lineage(ctx, { ...asked, asOf: until });
  let edges: Promise<ChangedEdges> | undefined;
  return {
    since,
    until: after.asOf,
    addedNodes: beyond(after, before),
    removedNodes: beyond(before, after),
    edges() {
      edges ??= compareEdges(before, after);
      return edges;
    },
    truncated: [before, after].some(({ truncatedBy: by }) => by !== null && by !== 'DEPTH'),
  };
}

/** The nodes of a picture that another does not show. */
function beyond(of: LineageGraph, other: LineageGraph): ChangedNode[] {
  const known = new Set(other.nodes.map(({ id }) => id));
  return of.nodes.filter(({ id }) => !known.has(id)).map((node) => ({ node, of }));
}

async function compareEdges(before: LineageGraph, after: LineageGraph): Promise<ChangedEdges> {
  const [old, young] = [await before.edges(), await after.edges()];
  return { added: edgesBeyond(young, old), removed: edgesBeyond(old, young) };
}

function edgesBeyond(of: readonly GraphEdge[], other: readonly GraphEdge[]): GraphEdge[] {
  const known = new Set(other.map(pairOf));
  return of.filter((edge) => !known.has(pairOf(edge)));
}

function pairOf({ sourceId, targetId }: GraphEdge): string {
  return `${sourceId} ${targetId}`;
}
