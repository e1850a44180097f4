// Walks from each of several resources by itself.

import type { Context } from '../context.ts';
import { graphInMemory } from './memory/kept.ts';
import { walkInMemory } from './memory/walk.ts';
import type { WalkPlace } from './neighbours.ts';
import { type Walk, type WalkPlan, walkEach } from './walk.ts';
import { entrancesOfEach } from './walk-start.ts';

/**
 * What lies around each resource, by its id, from memory or with one statement for a step of all walks. A resource
 * that is archived, or that the viewer may not see, is left out.
 */
export async function walksFrom(
  ctx: Context,
  ids: readonly string[],
  plan: WalkPlan,
): Promise<Map<string, Walk>> {
  if (ids.length === 0) return new Map();
  const graph = plan.asOf === null ? await graphInMemory(ctx, plan.level) : null;
  const places = await entrancesOfEach(ctx, ids, plan);
  const walks = new Map<string, Walk>();
  const inDatabase = new Map<string, readonly WalkPlace[]>();
  const { viewer, allowance, signal } = ctx;
  for (const [id, begin] of places) {
    const starts = graph ? begin.map((place) => graph.find(place.id)) : [];
    if (graph && !starts.includes(-1)) {
      walks.set(id, await walkInMemory({ graph, starts, plan, viewer, allowance, signal }));
    } else inDatabase.set(id, begin);
  }
  const found = await walkEach(ctx, [...inDatabase.values()], plan);
  for (const [i, id] of [...inDatabase.keys()].entries()) {
    const one = found[i];
    if (one) walks.set(id, one);
  }
  return walks;
}
