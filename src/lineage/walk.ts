// Walks the graph: breadth first, both ways at once, within limits that it reports.

import type { Context } from '../context.ts';
import type { Kind } from '../resources/kind.ts';
import { eachInTurns, type TurnTaking, takingTurns } from './memory/turns.ts';
import {
  leadsFurther,
  maxStep,
  neighboursOfEach,
  type WalkPlace,
  type WalkScope,
} from './neighbours.ts';

/** Directions of lineage: against the flow of data, with it, or both. */
export const lineageDirections = ['UPSTREAM', 'DOWNSTREAM', 'BOTH'] as const;
export type LineageDirection = (typeof lineageDirections)[number];

/** How a walk goes. */
export interface WalkPlan extends WalkScope {
  readonly direction: LineageDirection;
  /** Steps from the start at most. */
  readonly depth: number;
  /** Nodes that are shown at most. */
  readonly maxNodes: number;
  /** Kinds that are shown besides the start; the walk passes through others. Null for all. */
  readonly kinds: ReadonlySet<Kind | string> | null;
}

/** What a walk may cost, next to what its plan asks for. */
export interface Limits {
  /** Places it comes to at most, shown or not. */
  readonly places: number;
  /** Milliseconds after which no further step is taken. */
  readonly time: number;
  /** Places beyond which, after `countTime` ms, what is no longer shown is not counted either. */
  readonly countPlaces: number;
  readonly countTime: number;
}

export const walkLimits: Limits = {
  places: maxStep,
  time: 5_000,
  countPlaces: 10_000,
  countTime: 300,
};

/** What ended a walk before it had seen everything. */
export type Cut = 'maxNodes' | 'depth' | 'places' | 'time';

/** A resource that a walk found, by the fewest steps from the start. */
export interface WalkNode {
  readonly id: string;
  readonly kind: string;
  readonly depth: number;
  /** BOTH when it lies upstream and downstream, on a cycle. The start has the walk's own. */
  direction: LineageDirection;
}

/** Nodes that are shown, nearest first. Who asks for a page of them looks at no others: there may be ten times as many. */
export interface WalkNodes {
  readonly count: number;
  /** Which of them a node is, from 0; -1 for any other id. */
  placeOf(id: string): number;
  part(from: number, to: number): readonly WalkNode[];
}

/** Nodes that are there already. */
function nodesIn(nodes: readonly WalkNode[]): WalkNodes {
  return {
    count: nodes.length,
    placeOf: (id) => nodes.findIndex((node) => node.id === id),
    part: (from, to) => nodes.slice(from, to),
  };
}

/** What a walk found. */
export interface Walk {
  readonly nodes: WalkNodes;
  readonly cut: Cut | null;
  /** Nodes that would be shown without `maxNodes`; null when the walk ended before it knew. */
  readonly total: number | null;
  /** Nodes that the viewer may not see, through which the walk passed. */
  readonly hidden: number;
}

/**
 * Walk from the starts. This is the one way to the graph: whatever answers `neighbours`, the answer
 * has the same order, so that it is the same each time.
 */
export async function walk(
  ctx: Context,
  starts: readonly WalkPlace[],
  plan: WalkPlan,
  limits: Limits = walkLimits,
): Promise<Walk> {
  const [only] = await walkEach(ctx, [starts], plan, limits);
  return only ?? endTraversal(beginTraversal(starts, plan), null);
}

/** Walk from each of several starts by itself: a step of all walks is one statement. */
export async function walkEach(
  ctx: Context,
  starts: readonly (readonly WalkPlace[])[],
  plan: WalkPlan,
  limits: Limits = walkLimits,
): Promise<Walk[]> {
  const traversals = starts.map((places) => beginTraversal(places, plan));
  const began = ctx.now().getTime();
  const turns = takingTurns(ctx);
  for (let depth = 1; depth <= plan.depth; depth += 1) {
    ctx.signal.throwIfAborted();
    const spent = ctx.now().getTime() - began;
    for (const one of traversals.filter(isUnderWay)) {
      const isCounting = one.found > plan.maxNodes && one.nodes.size > limits.countPlaces;
      if (spent > limits.time || (isCounting && spent > limits.countTime)) one.cut = 'time';
    }
    const going = traversals.filter(isUnderWay);
    if (going.length === 0) break;
    const { steps, isFull } = await neighboursOfEach(
      ctx,
      going.map(({ frontier }) => frontier),
      plan,
    );
    for (const [i, one] of going.entries()) {
      one.frontier = await advance(one, steps[i] ?? [], { depth, plan, turns });
      if (one.nodes.size > limits.places || isFull) one.cut = 'places';
    }
  }
  const atTheEnd = traversals.filter((one) => isUnderWay(one) && one.found <= plan.maxNodes);
  const further = await leadingFurther(ctx, atTheEnd, plan);
  return traversals.map((one) => endTraversal(one, further.has(one) ? 'depth' : one.cut));
}

/** Those whose next step leads to a place that they have not seen in that direction. */
async function leadingFurther(
  ctx: Context,
  traversals: readonly Traversal[],
  plan: WalkPlan,
): Promise<Set<Traversal>> {
  const [only, ...others] = traversals;
  if (!only) return new Set();
  if (others.length === 0) {
    const known = { up: [...only.up], down: [...only.down] };
    return new Set((await leadsFurther(ctx, only.frontier, known, plan)) ? [only] : []);
  }
  const { steps } = await neighboursOfEach(
    ctx,
    traversals.map(({ frontier }) => frontier),
    plan,
  );
  const isNew =
    ({ up, down }: Traversal) =>
    (place: { id: string; up: boolean }) =>
      !(place.up ? up : down).has(place.id);
  return new Set(traversals.filter((one, i) => steps[i]?.some(isNew(one))));
}

const isUnderWay = ({ cut, frontier }: Traversal) => cut === null && !isEmpty(frontier);

interface Frontier {
  up: string[];
  down: string[];
}

/** What a walk has seen so far. */
interface Traversal {
  /** Every place, shown or not. */
  readonly nodes: Map<string, WalkNode>;
  readonly shown: WalkNode[];
  /** Places seen against the flow, and with it. */
  readonly up: Set<string>;
  readonly down: Set<string>;
  frontier: Frontier;
  /** What has ended it; null while nothing has. */
  cut: Cut | null;
  readonly maxNodes: number;
  /** How many nodes would be shown without `maxNodes`. */
  found: number;
  hidden: number;
}

function beginTraversal(starts: readonly WalkPlace[], plan: WalkPlan): Traversal {
  const ids = starts.map(({ id }) => id);
  const up = plan.direction === 'DOWNSTREAM' ? [] : ids;
  const down = plan.direction === 'UPSTREAM' ? [] : ids;
  const traversal: Traversal = {
    nodes: new Map(),
    shown: [],
    up: new Set(up),
    down: new Set(down),
    frontier: { up, down },
    cut: null,
    maxNodes: plan.maxNodes,
    found: 0,
    hidden: 0,
  };
  for (const start of starts) visit(traversal, start, 0, plan.direction, true);
  return traversal;
}

/** What a step is taken in by. */
interface Advancing {
  readonly depth: number;
  readonly plan: WalkPlan;
  readonly turns: TurnTaking;
}

/** Take in one step and return where the next one begins. */
async function advance(
  traversal: Traversal,
  step: readonly (WalkPlace & { up: boolean })[],
  { depth, plan, turns }: Advancing,
): Promise<Frontier> {
  const next: Frontier = { up: [], down: [] };
  await eachInTurns(step, turns, (place) => {
    const seen = place.up ? traversal.up : traversal.down;
    if (seen.has(place.id)) return;
    seen.add(place.id);
    (place.up ? next.up : next.down).push(place.id);
    const isAsked = plan.kinds === null || plan.kinds.has(place.kind);
    visit(traversal, place, depth, place.up ? 'UPSTREAM' : 'DOWNSTREAM', isAsked);
  });
  return next;
}

function visit(
  traversal: Traversal,
  place: WalkPlace,
  depth: number,
  direction: LineageDirection,
  isAsked: boolean,
): void {
  const before = traversal.nodes.get(place.id);
  if (before) {
    if (before.depth > 0 && before.direction !== direction) before.direction = 'BOTH';
    return;
  }
  const node: WalkNode = { id: place.id, kind: place.kind, depth, direction };
  traversal.nodes.set(place.id, node);
  if (!isAsked) return;
  if (!place.visible) {
    traversal.hidden += 1;
    return;
  }
  traversal.found += 1;
  if (traversal.shown.length < traversal.maxNodes) traversal.shown.push(node);
}

function endTraversal(traversal: Traversal, cut: Cut | null): Walk {
  const isFull = traversal.found > traversal.maxNodes;
  return {
    nodes: nodesIn(traversal.shown),
    cut: isFull ? 'maxNodes' : cut,
    total: cut === 'places' || cut === 'time' ? null : traversal.found,
    hidden: traversal.hidden,
  };
}

function isEmpty({ up, down }: Frontier): boolean {
  return up.length === 0 && down.length === 0;
}
