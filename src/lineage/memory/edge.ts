// In charge of what an edge in memory says of itself, and which edges a walk follows.

import type { LineageOrigin, LineageStrength } from '../connect.ts';
import { edgeBits, originCodes } from './layout.ts';

/** What an edge says of itself beside its ends. */
export interface Edge {
  readonly id: string;
  readonly origin: LineageOrigin;
  readonly isImplied: boolean;
  readonly strength: LineageStrength;
  /** Whether the database says more of it: an expression, or what its source is used for. */
  readonly hasDetail: boolean;
}

/** What the flags of an edge say. */
export function edgeOf(id: string, flags: number): Edge {
  return {
    id,
    origin: originCodes[flags & edgeBits.origin] ?? 'IMPORT',
    isImplied: (flags & edgeBits.implied) !== 0,
    strength: (flags & edgeBits.indirect) !== 0 ? 'INDIRECT' : 'DIRECT',
    hasDetail: (flags & edgeBits.detail) !== 0,
  };
}

/** Against the flow of data, and with it: bits of what a walk has seen. */
export const ways = { up: 1, down: 2 } as const;
export type Way = (typeof ways)[keyof typeof ways];

/** Which edges are followed: those one way, without any of these bits. */
export interface Direction {
  readonly way: Way;
  readonly without: number;
}

/** The edges that count, one way: those of both strengths, or only those by which values flow. */
export function directionOf(way: Way, indirect = false): Direction {
  return { way, without: edgeBits.gone | (indirect ? 0 : edgeBits.indirect) };
}

/** Set on a node that is seen for the first time, until it is counted. */
export const fresh = 4;
