// The steps of an impact: a place that was come to, and the way there.

import type { WalkPlace } from '../neighbours.ts';
import type { ReachedNode } from './reason.ts';

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

/** The node at the end of a way, and how it was found. */
export function foundBy(step: ImpactStep, how: ReachedNode['how'] = 'EDGE'): ReachedNode {
  const { id, kind, depth, via } = step;
  return { id, kind, depth, path: pathTo(step), via: via?.id ?? id, how };
}

function pathTo(step: ImpactStep): string[] {
  const path: string[] = [];
  for (let at: ImpactStep | null = step; at !== null; at = at.via) {
    // What may not be seen is passed through without a word, here as in the graph.
    if (at.visible) path.unshift(at.id);
  }
  return path;
}
