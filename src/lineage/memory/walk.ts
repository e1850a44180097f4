// In charge of walking a graph in memory, as `walk` walks the database: the same nodes in the same order.

import type { Sees } from '../../auth/permission.ts';
import { maySee } from '../../auth/permission.ts';
import { isUuid } from '../../text/uuid.ts';
import type { LineageDirection, Walk, WalkNode, WalkNodes, WalkPlan } from '../walk.ts';
import { type Direction, directionOf, fresh, ways } from './edge.ts';
import type { Graph } from './graph.ts';
import { nodeBits } from './layout.ts';
import { rankOf, sortedNodes } from './order.ts';
import { eachInTurns, type TurnTaking, takingTurns, type Working } from './turns.ts';

/** Nodes after which the clock is looked at. */
const nodesBetweenLooks = 1_024;
/** The same of places in memory, most of which are passed over. */
const placesBetweenLooks = 16_384;
/** A step of fewer nodes than one in so many is sorted. */
const fewOf = 32;

/** Who sees which nodes: decided once for each set of teams. */
export function seenBy(graph: Graph, viewer: Sees): (node: number) => boolean {
  const seesAll = maySee({ viewer }, { published: false, teamIds: [] });
  if (seesAll) return () => true;
  // Who sees what is published and of no team sees it as that of a team, too.
  const seesPublished = maySee({ viewer }, { published: true, teamIds: [] });
  const known = new Map<number, boolean>();
  return (node) => {
    const published = (graph.flagsOf(node) & nodeBits.published) !== 0;
    if (published && seesPublished) return true;
    const key = graph.teamsOf(node) * 2 + (published ? 1 : 0);
    let sees = known.get(key);
    if (sees === undefined) {
      sees = maySee({ viewer }, { published, teamIds: graph.teamSets[key >> 1] ?? [] });
      known.set(key, sees);
    }
    return sees;
  };
}

/** Whether a node is walked at all. */
export function isAlive(graph: Graph, node: number): boolean {
  return (graph.flagsOf(node) & nodeBits.archived) === 0;
}

/** What a walk has come to. */
interface Progress {
  readonly graph: Graph;
  readonly plan: WalkPlan;
  readonly sees: (node: number) => boolean;
  readonly isAsked: (node: number) => boolean;
  /** By node: against the flow, with it, or both. */
  readonly seen: Uint8Array;
  readonly shown: number[];
  readonly depths: number[];
  readonly isStart: ReadonlySet<number>;
  /** What was come to last, against the flow and with it. */
  ups: readonly number[];
  downs: readonly number[];
  found: number;
  hidden: number;
}

/** What is walked, by whom. */
interface WalkInMemory extends Working {
  readonly graph: Graph;
  /** The viewer sees them. */
  readonly starts: readonly number[];
  readonly plan: WalkPlan;
  readonly viewer: Sees;
}

/** Walk from the starts. It counts to its end however much there is. */
export async function walkInMemory(asked: WalkInMemory): Promise<Walk> {
  const progress = beginningOf(asked);
  const turns = takingTurns(asked);
  await goOn(progress, turns);
  return walkOf(progress, turns);
}

function beginningOf({ graph, starts, plan, viewer }: WalkInMemory): Progress {
  const kinds = graph.kinds.map((kind) => plan.kinds?.has(kind) ?? true);
  const isStart = new Set(starts);
  const progress: Progress = {
    graph,
    plan,
    sees: seenBy(graph, viewer),
    isAsked: plan.kinds ? (node) => kinds[graph.kindOf(node)] ?? true : () => true,
    seen: new Uint8Array(graph.size),
    shown: [],
    depths: [],
    isStart,
    ups: plan.direction === 'DOWNSTREAM' ? [] : [...isStart],
    downs: plan.direction === 'UPSTREAM' ? [] : [...isStart],
    found: 0,
    hidden: 0,
  };
  for (const start of isStart) begin(progress, start);
  return progress;
}

async function goOn(progress: Progress, turns: TurnTaking): Promise<void> {
  const { plan } = progress;
  const [up, down] = waysOf(plan);
  for (let depth = 1; depth <= plan.depth; depth += 1) {
    const { ups, downs } = progress;
    if (ups.length + downs.length === 0) break;
    progress.ups = await step(progress, ups, up, turns);
    progress.downs = await step(progress, downs, down, turns);
    await visitAll(progress, depth, turns);
  }
}

const waysOf = ({ indirect }: WalkPlan) =>
  [directionOf(ways.up, indirect), directionOf(ways.down, indirect)] as const;

async function walkOf(progress: Progress, turns: TurnTaking): Promise<Walk> {
  const { plan, ups, downs } = progress;
  const [up, down] = waysOf(plan);
  const isFull = progress.found > plan.maxNodes;
  const isCut =
    !isFull &&
    ((await leads(progress, ups, up, turns)) || (await leads(progress, downs, down, turns)));
  return {
    nodes: nodesOf(progress),
    cut: isFull ? 'maxNodes' : isCut ? 'depth' : null,
    total: progress.found,
    hidden: progress.hidden,
  };
}

function nodesOf(progress: Progress): WalkNodes {
  const { graph, shown } = progress;
  return {
    count: shown.length,
    placeOf(id) {
      const node = isUuid(id) ? graph.find(id) : -1;
      return node < 0 ? -1 : shown.indexOf(node);
    },
    part: (from, to) => shown.slice(from, to).map((node, i) => nodeOf(progress, node, from + i)),
  };
}

function begin(progress: Progress, start: number): void {
  const { direction } = progress.plan;
  const bits =
    (direction === 'DOWNSTREAM' ? 0 : ways.up) | (direction === 'UPSTREAM' ? 0 : ways.down);
  progress.seen[start] = bits;
  show(progress, start, 0);
}

/** The nodes one step away that were not seen this way before. */
async function step(
  { graph, seen }: Progress,
  from: readonly number[],
  direction: Direction,
  turns: TurnTaking,
): Promise<number[]> {
  const next: number[] = [];
  for (let at = 0; at < from.length; at += nodesBetweenLooks) {
    if (at > 0) await turns();
    const end = Math.min(at + nodesBetweenLooks, from.length);
    graph.advance(from, [at, end], direction, seen, next);
  }
  return next;
}

/**
 * Count and show a step's nodes as the database orders them: by id, those that lie upstream and downstream together.
 * Once no more are shown their order is of no matter.
 */
async function visitAll(progress: Progress, depth: number, turns: TurnTaking): Promise<void> {
  const { graph, ups, downs } = progress;
  const isRoom = progress.found <= progress.plan.maxNodes;
  if (isRoom && (ups.length + downs.length) * fewOf > graph.layout.nodes) {
    return visitInOrder(progress, depth, turns);
  }
  const nodes = isRoom ? sortedNodes(graph, both(progress)) : both(progress);
  await eachInTurns(nodes, turns, (node) => visitFresh(progress, node, depth));
}

/** The nodes of a step, of those that it came to both ways some twice. */
function* both({ ups, downs }: Progress): Generator<number> {
  yield* ups;
  yield* downs;
}

/** Of many nodes it is faster to look at each one there is than to sort them, and it can be left off in between. */
async function visitInOrder(progress: Progress, depth: number, turns: TurnTaking): Promise<void> {
  const { graph, seen, ups, downs } = progress;
  const { nodes } = graph.layout;
  const isLater = (node: number) => node >= nodes;
  const later = sortedNodes(graph, [...ups.filter(isLater), ...downs.filter(isLater)]);
  let reached = 0;
  for (const one of later) {
    await visitTo(rankOf(graph, one));
    visitFresh(progress, one, depth);
  }
  await visitTo(nodes);

  async function visitTo(end: number): Promise<void> {
    for (; reached < end; reached += 1) {
      if (reached % placesBetweenLooks === 0) await turns();
      if (((seen[reached] ?? 0) & fresh) !== 0) visitFresh(progress, reached, depth);
    }
  }
}

/** Visit a node unless this step has before. */
function visitFresh(progress: Progress, node: number, depth: number): void {
  const bits = progress.seen[node] ?? 0;
  if ((bits & fresh) === 0) return;
  progress.seen[node] = bits & ~fresh;
  visit(progress, node, depth);
}

function visit(progress: Progress, node: number, depth: number): void {
  if (progress.isAsked(node)) show(progress, node, depth);
}

function show(progress: Progress, node: number, depth: number): void {
  if (!progress.sees(node)) {
    progress.hidden += 1;
    return;
  }
  progress.found += 1;
  if (progress.shown.length >= progress.plan.maxNodes) return;
  progress.shown.push(node);
  progress.depths.push(depth);
}

/** Whether a step leads to a node that was not seen this way. */
async function leads(
  { graph, seen }: Progress,
  from: readonly number[],
  direction: Direction,
  turns: TurnTaking,
): Promise<boolean> {
  const { way } = direction;
  const isNew = (next: number) => ((seen[next] ?? way) & way) === 0;
  for (const [at, node] of from.entries()) {
    if (at > 0 && at % nodesBetweenLooks === 0) await turns();
    if (graph.someNeighbour(node, direction, isNew)) return true;
  }
  return false;
}

function nodeOf(
  { graph, plan, seen, depths, isStart }: Progress,
  node: number,
  place: number,
): WalkNode {
  const direction = isStart.has(node) ? plan.direction : sideOf(seen[node] ?? 0);
  const kind = graph.kinds[graph.kindOf(node)] ?? '';
  return { id: graph.idOf(node), kind, depth: depths[place] ?? 0, direction };
}

function sideOf(bits: number): LineageDirection {
  if (bits === (ways.up | ways.down)) return 'BOTH';
  return bits === ways.up ? 'UPSTREAM' : 'DOWNSTREAM';
}
