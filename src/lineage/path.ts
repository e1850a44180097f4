// The shortest path from one resource to another, along the flow of data.

import type { Context } from '../context.ts';
import { CatalogError } from '../errors.ts';
import {
  type LineageLevel,
  maxStep,
  neighbours,
  type WalkPlace,
  type WalkScope,
} from './neighbours.ts';
import { type Limits, walkLimits } from './walk.ts';
import { entrances } from './walk-start.ts';

/**
 * Ids of the resources on a shortest path by which data flows from `from` to `to`, both ends
 * included; null when there is none. Only resources that the viewer may see are on it. Throws
 * NOT_FOUND for an end the viewer may not see, UNPROCESSABLE when the search was cut.
 */
export async function lineagePath(
  ctx: Context,
  from: string,
  to: string,
  level: LineageLevel = 'TABLE',
  limits: Limits = walkLimits,
): Promise<readonly string[] | null> {
  const scope: WalkScope = { level, asOf: null };
  const forth = beginSide(await entrances(ctx, [from], scope));
  const back = beginSide(await entrances(ctx, [to], scope));
  const began = ctx.now().getTime();
  let meeting = forth.frontier.find((id) => back.via.has(id));
  while (meeting === undefined && forth.frontier.length > 0 && back.frontier.length > 0) {
    ctx.signal.throwIfAborted();
    mustBeWithin(limits, forth.via.size + back.via.size, ctx.now().getTime() - began);
    // The smaller side goes on: two small circles hold far fewer places than one big one.
    const isForth = forth.frontier.length <= back.frontier.length;
    meeting = isForth
      ? await advance(ctx, forth, back, scope, false)
      : await advance(ctx, back, forth, scope, true);
  }
  return meeting === undefined ? null : pathThrough(meeting, forth, back);
}

/** One end of the search: how each place was reached, null for where it began. */
interface Side {
  readonly via: Map<string, string | null>;
  frontier: string[];
}

function beginSide(places: readonly WalkPlace[]): Side {
  const frontier = places.filter(({ visible }) => visible).map(({ id }) => id);
  return { via: new Map(frontier.map((id) => [id, null])), frontier };
}

/** One step of one side; returns where it meets the other, if it does. */
async function advance(
  ctx: Context,
  side: Side,
  other: Side,
  scope: WalkScope,
  up: boolean,
): Promise<string | undefined> {
  const { frontier } = side;
  const step = await neighbours(
    ctx,
    up ? { up: frontier, down: [] } : { up: [], down: frontier },
    scope,
  );
  if (step.length === maxStep) throw tooLargeToSearch();
  const next: string[] = [];
  let meeting: string | undefined;
  for (const { id, via, visible } of step) {
    if (!visible || side.via.has(id)) continue;
    side.via.set(id, via);
    next.push(id);
    if (meeting === undefined && other.via.has(id)) meeting = id;
  }
  side.frontier = next;
  return meeting;
}

function pathThrough(meeting: string, forth: Side, back: Side): string[] {
  const before = trail(forth, meeting).reverse();
  return [...before, meeting, ...trail(back, meeting)];
}

/** From a place, which is left out, to where its side began. */
function trail({ via }: Side, place: string): string[] {
  const places: string[] = [];
  for (let at = via.get(place); at != null; at = via.get(at)) places.push(at);
  return places;
}

function mustBeWithin(limits: Limits, places: number, spent: number): void {
  if (places > limits.places || spent > limits.time) throw tooLargeToSearch();
}

function tooLargeToSearch(): CatalogError {
  return new CatalogError(
    'UNPROCESSABLE',
    'The search for a path was cut: the lineage around the two ends is too large to walk at once.',
  );
}
