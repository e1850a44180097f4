// Edges in memory: their marks, and which of them a walk follows.

import { type LineageOrigin, lineageOrigins } from '../connect.ts';
import type { GraphEdge } from '../edges-between.ts';
import { edgeBits, originCodes } from './layout.ts';

/** An edge of a picture, without what only the database says of it. */
export function edgeOf(
  ends: Pick<GraphEdge, 'id' | 'sourceId' | 'targetId'>,
  flags: number,
): GraphEdge {
  return {
    id: ends.id,
    sourceId: ends.sourceId,
    targetId: ends.targetId,
    origin: originOf(flags),
    isManual: isManual(flags),
    strength: (flags & edgeBits.indirect) !== 0 ? 'INDIRECT' : 'DIRECT',
    expression: null,
    uses: [],
  };
}

const origins = new Map<number, LineageOrigin>(
  lineageOrigins.map((origin) => [originCodes[origin], origin]),
);

function originOf(flags: number): LineageOrigin {
  return origins.get(flags & edgeBits.origin) ?? 'IMPORT';
}

/** Whether a person drew it. */
export function isManual(flags: number): boolean {
  return originOf(flags) === 'MANUAL';
}

/** Whether it stands for an edge of another level. */
export function isImplied(flags: number): boolean {
  return (flags & edgeBits.implied) !== 0;
}

/** Against the flow of data, and with it: bits of what a walk has seen. */
export const ways = { up: 1, down: 2 } as const;
export type WalkDirection = (typeof ways)[keyof typeof ways];

/** Which edges are followed: those one way, without any of these bits. */
export interface Direction {
  readonly way: WalkDirection;
  readonly without: number;
}

/** The edges that count, one way: those of both strengths, or only those by which values flow. */
export function directionOf(way: WalkDirection, indirect = false): Direction {
  return { way, without: edgeBits.gone | (indirect ? 0 : edgeBits.indirect) };
}

/** Set on a node that is seen for the first time, until it is counted. */
export const fresh = 4;
