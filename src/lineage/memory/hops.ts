// Hops from resources by the graph in memory: what lies next to them, whose rows one statement reads.

import { isToCome, type Soon } from '../../async/maybe-promise.ts';
import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { keyOf, type Shown, shownColumns } from '../../resources/shown.ts';
import type { LineageLevel } from '../neighbours.ts';
import { directionOf, type WalkDirection, ways } from './edge.ts';
import type { Graph } from './graph.ts';
import { graphInMemory } from './kept.ts';
import { seenBy } from './walk.ts';

/** Hops that are asked for below a hop: rows that they will need are read with its own. */
export interface HopsBelow {
  readonly up?: HopsBelow;
  readonly down?: HopsBelow;
}

/** One hop from many resources. */
export interface Hop {
  readonly level: LineageLevel;
  readonly way: WalkDirection;
  readonly shown: Shown;
  readonly below: HopsBelow;
}

/** Neighbours of one resource that are read from here; of more, the database chooses which are shown. */
const maxNeighbours = 1_000;
/** Resources that are looked at, so that what lies below a hop is read with it; beyond, each hop reads its own. */
const maxAhead = 2_000;

/** What one statement read: rows by their ids, in the order of their titles. */
type ReadRows = ReadonlyMap<string, { readonly row: Resource; readonly place: number }>;

/** What the hops of one request have in common. */
class HopsOfRequest {
  readonly #graphs = new Map<LineageLevel, Soon<Graph | null>>();
  readonly #read = new Map<string, { ids: ReadonlySet<string>; rows: ReadRows }[]>();

  graph(ctx: Context, level: LineageLevel): Soon<Graph | null> {
    const known = this.#graphs.get(level) ?? graphInMemory(ctx, level);
    this.#graphs.set(level, known);
    return known;
  }

  /** The graph has been read: the next hop needn't wait for it. */
  setGraph(level: LineageLevel, graph: Graph): void {
    this.#graphs.set(level, graph);
  }

  /** The graph that a hop of this request was read from; null where none was as yet. */
  graphBefore(level: LineageLevel): Graph | null {
    const known = this.#graphs.get(level) ?? null;
    return isToCome(known) ? null : known;
  }

  /** What was read in one statement and holds all of these, if anything was. */
  readBefore(shown: Shown, wanted: readonly string[]): ReadRows | null {
    const all = this.#read.get(selectionOf(shown)) ?? [];
    return all.find(({ ids }) => wanted.every((id) => ids.has(id)))?.rows ?? null;
  }

  async readNow(ctx: Context, shown: Shown, ids: ReadonlySet<string>): Promise<ReadRows> {
    const found = await rows<Resource>(ctx, rowsSql(ctx, shown, ids));
    const byId = new Map(found.map((row, place) => [row.id, { row, place }]));
    const key = selectionOf(shown);
    this.#read.set(key, [...(this.#read.get(key) ?? []), { ids, rows: byId }]);
    return byId;
  }
}

function rowsSql(ctx: Context, shown: Shown, ids: ReadonlySet<string>): Prisma.Sql {
  return Prisma.sql`select ${shownColumns(shown)} from resource r
    where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])
      and not r.archived and ${visibleResources(ctx)} order by r.title, r.id`;
}

function selectionOf(shown: Shown): string {
  return shown ? keyOf(shown) : 'all';
}

/**
 * The neighbours of each resource by title, as far as one may see; null where the graph is not in memory, or
 * one of them has more than are shown. For one request a graph is brought up to date once, until it writes.
 */
export async function hopInMemory(
  ctx: Context,
  ids: readonly string[],
  hop: Hop,
): Promise<Map<string, readonly Resource[]> | null> {
  const common = commonOf(ctx);
  const graph = await common.graph(ctx, hop.level);
  if (graph) common.setGraph(hop.level, graph);
  const next = graph && nextTo(ctx, graph, ids, hop);
  if (!next) return null;
  const read =
    common.readBefore(hop.shown, [...next.wanted]) ??
    (await common.readNow(ctx, hop.shown, next.ahead()));
  return rowsOf(next, read);
}

/** The neighbours of one resource whose rows were read with those of a hop above it; null where they were not. */
export function hopReadBefore(
  ctx: Context,
  id: string,
  { level, way, shown }: Hop,
): readonly Resource[] | null {
  const common = commonOf(ctx);
  const graph = common.graphBefore(level);
  if (!graph) return null;
  const next = neighboursOf(graph, id, way, seenBy(graph, ctx.viewer));
  const read = next.length > maxNeighbours ? null : common.readBefore(shown, next);
  return read ? byTitle(next, read) : null;
}

/** What lies next to resources. */
interface NextTo {
  readonly neighbours: ReadonlyMap<string, readonly string[]>;
  readonly wanted: ReadonlySet<string>;
  /** These, and what the hops below will ask for. */
  readonly ahead: () => ReadonlySet<string>;
}

/** Null where there is more next to one of them than is shown. */
function nextTo(
  { viewer }: Context,
  graph: Graph,
  ids: readonly string[],
  { way, below }: Hop,
): NextTo | null {
  const sees = seenBy(graph, viewer);
  const from = (id: string, towards: WalkDirection) => neighboursOf(graph, id, towards, sees);
  const neighbours = new Map(ids.map((id) => [id, from(id, way)]));
  const found = [...neighbours.values()];
  if (found.some(({ length }) => length > maxNeighbours)) return null;
  const wanted = new Set(found.flat());
  return { neighbours, wanted, ahead: () => ahead(wanted, below, from) };
}

/** Those that are seen, in their order; of more than are shown one more. */
function neighboursOf(
  graph: Graph,
  id: string,
  towards: WalkDirection,
  sees: (node: number) => boolean,
): string[] {
  const node = graph.find(id);
  const next: number[] = [];
  if (node < 0) return [];
  graph.eachNeighbour(node, directionOf(towards), (one) => {
    if (sees(one)) next.push(one);
    return next.length > maxNeighbours;
  });
  return next.map((one) => graph.idOf(one));
}

function rowsOf({ neighbours }: NextTo, read: ReadRows): Map<string, readonly Resource[]> {
  return new Map([...neighbours].map(([id, next]) => [id, byTitle(next, read)]));
}

function commonOf({ loaders }: Context): HopsOfRequest {
  const known = loaders.get(HopsOfRequest);
  if (known instanceof HopsOfRequest) return known;
  const common = new HopsOfRequest();
  loaders.set(HopsOfRequest, common);
  return common;
}

/** These, and what the hops below them will ask for. */
function ahead(
  wanted: ReadonlySet<string>,
  below: HopsBelow,
  nextTo: (id: string, way: WalkDirection) => string[],
): ReadonlySet<string> {
  const all = new Set(wanted);
  let looked = 0;
  const add = (from: ReadonlySet<string>, { up, down }: HopsBelow) => {
    follow(from, ways.up, up);
    follow(from, ways.down, down);
  };
  const follow = (from: ReadonlySet<string>, way: WalkDirection, further?: HopsBelow) => {
    if (!further) return;
    const next = new Set<string>();
    for (const id of from) {
      looked += 1;
      if (looked > maxAhead || next.size > maxAhead) return;
      for (const one of nextTo(id, way)) next.add(one);
    }
    for (const one of next) all.add(one);
    if (next.size > 0) add(next, further);
  };
  add(wanted, below);
  return all;
}

function byTitle(ids: readonly string[], read: ReadRows): Resource[] {
  return ids
    .flatMap((id) => read.get(id) ?? [])
    .sort((one, other) => one.place - other.place)
    .map(({ row }) => row);
}
