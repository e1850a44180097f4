// The steps of an impact: a place that was come to, and the way there.

import type { WalkPlace } from '../neighbours.ts';

/** A place on the way, and the one before it. */
export interface ImpactStep extends WalkPlace {
  readonly depth: number;
  readonly via: ImpactStep | null;
}

/** Where a change begins. */
export function startAt({ id, kind, visible }: WalkPlace): ImpactStep {
  return { id, kind, visible, depth: 0, via: null };
}

/** One step further than a place. */
export function stepTo({ id, kind, visible }: WalkPlace, via: ImpactStep): ImpactStep {
  return { id, kind, visible, depth: via.depth + 1, via };
}

/** What was come to: at the end of a way, or the table in which that lies. */
export interface ReachedNode {
  readonly id: string;
  readonly kind: string;
  /** The end of the way; for the table of a reached column that column. */
  readonly step: ImpactStep;
  readonly how: 'EDGE' | 'COLUMN_OF' | 'UNKNOWN_USE' | 'OPEN_TRACE' | 'NO_USE_FOUND' | 'MADE_FROM';
}

/** The node at the end of a way, and how it was found. */
export function foundBy(step: ImpactStep, how: ReachedNode['how'] = 'EDGE'): ReachedNode {
  return { id: step.id, kind: step.kind, step, how };
}

/** The ids along a way, as far as the viewer may see them: the rest is passed through, here as in the graph. */
export function pathTo(step: ImpactStep): string[] {
  const path: string[] = [];
  for (let at: ImpactStep | null = step; at !== null; at = at.via) {
    if (at.visible) path.unshift(at.id);
  }
  return path;
}
