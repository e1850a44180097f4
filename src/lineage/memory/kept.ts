// Cache of lineage graphs in memory: those that are asked for, within a number of bytes.

import type { Context } from '../../context.ts';
import { withSettings } from '../../database/connections/session-settings.ts';
import { type Database, ofDatabase } from '../../database/database.ts';
import { clientOf } from '../../database/transaction.ts';
import type { LineageLevel } from '../neighbours.ts';
import { CurrentGraph } from './current.ts';
import type { Graph } from './graph.ts';
import { loadGraph } from './loading/graph-loader.ts';

/** A graph no one asks for is let go of after this time; the log is kept for far longer. */
const idleMs = 600_000;
/** How often idle graphs are looked for. */
const sweepMs = 60_000;
/** Reads within `idleMs` before a graph is read into memory: one alone is answered by the database. */
const readsBeforeLoad = 2;
/** How long nothing is tried again after a graph could not be read, and after one was too large. */
const retryMs = 10_000;
const tooLargeMs = 600_000;

/** What this process keeps, and has done with it. */
export interface GraphFigures {
  /** Graphs in memory, and the bytes that they take. */
  readonly graphs: number;
  readonly bytes: number;
  readonly nodes: number;
  readonly edges: number;
  /** Reads that memory answered, and that the database did, a graph not being there. */
  readonly served: number;
  readonly missed: number;
  /** Graphs that were read, were made of what had changed of one, could not be, and were let go of. */
  readonly loaded: number;
  readonly renewed: number;
  readonly failed: number;
  readonly dropped: number;
}

interface Place {
  graph: CurrentGraph | null;
  loading: Promise<void> | null;
  reads: number;
  usedAt: number;
  /** Until then no load is begun. */
  restsUntil: number;
  /** Whether it took more than may be kept when it was last read. */
  isTooLarge: boolean;
}

/** The graphs of one database. */
class Kept {
  readonly #database: Database;
  readonly #places = new Map<string, Place>();
  readonly #closing = new AbortController();
  readonly counts = { served: 0, missed: 0, loaded: 0, renewed: 0, failed: 0, dropped: 0 };
  #sweeping: NodeJS.Timeout | null = null;

  constructor(database: Database) {
    this.#database = database;
    database.onClose(async () => {
      this.#closing.abort();
      if (this.#sweeping) clearInterval(this.#sweeping);
      await Promise.all([...this.#places.values()].map(({ loading }) => loading));
    });
  }

  figures(): GraphFigures {
    const graphs = [...this.#places.values()].flatMap(({ graph }) => graph?.graph ?? []);
    const sum = (of: (graph: Graph) => number) => graphs.reduce((all, one) => all + of(one), 0);
    return {
      graphs: graphs.length,
      bytes: sum((graph) => graph.bytes),
      nodes: sum((graph) => graph.size),
      edges: sum((graph) => graph.layout.edges),
      ...this.counts,
    };
  }

  /** Whether a graph took more than may be kept when it was last read. */
  isTooLarge(ctx: Context, level: LineageLevel): boolean {
    return this.#places.get(keyOf(ctx, level))?.isTooLarge ?? false;
  }

  /** The graph at all that was committed before the call, or null where it is not in memory. */
  async get(ctx: Context, level: LineageLevel): Promise<Graph | null> {
    const key = keyOf(ctx, level);
    const place = this.#places.get(key) ?? newPlace();
    this.#places.set(key, place);
    place.reads += 1;
    const idle = Math.abs(Date.now() - place.usedAt);
    place.usedAt = Date.now();
    // A machine that slept may have been away for longer than the log is kept.
    if (idle > idleMs) this.#drop(place);
    if (!place.graph) this.#load(ctx.workspaceId, level, place);
    if (this.#database.lineageMemory.waits) await place.loading;
    const { graph } = place;
    const isCurrent = graph ? await this.#catchUp(ctx, graph) : null;
    if (graph && isCurrent) {
      if (graph.isWorn) this.#load(ctx.workspaceId, level, place);
      this.counts.served += 1;
      return graph.graph;
    }
    if (isCurrent === false) {
      // Who walks this graph goes on with it; the database answers those who come until there is the next one.
      if (place.graph === graph) this.#load(ctx.workspaceId, level, place);
      if (this.#database.lineageMemory.waits) await place.loading;
      if (place.graph !== graph) return this.get(ctx, level);
    }
    this.counts.missed += 1;
    return null;
  }

  /** Whether a graph is current now, or null where that can't be determined: anyone who asked for all of them was cut. */
  async #catchUp(ctx: Context, graph: CurrentGraph): Promise<boolean | null> {
    try {
      return await graph.catchUp(ctx);
    } catch (error) {
      if (ctx.signal.aborted) throw error;
      return null;
    }
  }

  #load(workspaceId: string, level: LineageLevel, place: Place): void {
    const { waits } = this.#database.lineageMemory;
    const isDue = waits || place.reads >= readsBeforeLoad;
    if (place.loading || !isDue || Date.now() < place.restsUntil || this.#closing.signal.aborted) {
      return;
    }
    place.loading = this.#loadNow(workspaceId, level, place).finally(() => {
      place.loading = null;
    });
    this.#sweeping ??= setInterval(() => this.#sweep(), sweepMs).unref();
  }

  async #loadNow(workspaceId: string, level: LineageLevel, place: Place): Promise<void> {
    const { directUrl, role, lineageMemory } = this.#database;
    const settings = { TimeZone: 'UTC', ...(role !== null && { role }) };
    const connectionString = withSettings(directUrl, settings);
    const base = place.graph?.base ?? null;
    const wanted = { connectionString, workspaceId, level, maxBytes: lineageMemory.maxBytes, base };
    const loaded = await loadGraph(wanted, this.#closing.signal).catch(() => null);
    if (loaded && 'layout' in loaded) {
      place.graph = new CurrentGraph(loaded, level);
      place.isTooLarge = false;
      this.counts[loaded.isWhole ? 'loaded' : 'renewed'] += 1;
      this.#makeRoom(place);
      return;
    }
    this.counts.failed += 1;
    const isTooLarge = loaded?.kind === 'too large';
    if (isTooLarge) place.isTooLarge = true;
    if (isTooLarge && place.graph?.isBehind) this.#drop(place);
    place.restsUntil = Date.now() + (isTooLarge ? tooLargeMs : retryMs);
  }

  /** Let go of what was not asked for the longest, until the rest is within bounds. */
  #makeRoom(except: Place): void {
    const others = [...this.#places.values()].filter((place) => place.graph && place !== except);
    others.sort((one, other) => one.usedAt - other.usedAt);
    for (const place of others) {
      if (this.figures().bytes <= this.#database.lineageMemory.maxBytes) return;
      this.#drop(place);
    }
  }

  #sweep(): void {
    for (const [key, place] of this.#places) {
      if (Math.abs(Date.now() - place.usedAt) < idleMs || place.loading) continue;
      this.#drop(place);
      this.#places.delete(key);
    }
  }

  #drop(place: Place): void {
    if (place.graph) this.counts.dropped += 1;
    place.graph = null;
  }
}

function keyOf({ workspaceId }: Context, level: LineageLevel): string {
  return `${workspaceId} ${level}`;
}

function newPlace(): Place {
  const since = { usedAt: Date.now(), restsUntil: 0 };
  return { graph: null, loading: null, reads: 0, ...since, isTooLarge: false };
}

const keptFor = ofDatabase((database) => new Kept(database));

/**
 * The graph of a level in memory, at all that was committed before the call; null where it is not there, in
 * a transaction, which sees what no one else does, and where none is to be kept. What is read next to it is
 * read from the primary as well, so that it fits.
 */
export async function graphInMemory(ctx: Context, level: LineageLevel): Promise<Graph | null> {
  if (ctx.database.lineageMemory.maxBytes === 0 || clientOf(ctx)) return null;
  const graph = await keptFor(ctx.database).get(ctx, level);
  if (graph) ctx.reads.fromReplica = false;
  return graph;
}

/** Whether the graph of a level is not in memory because it takes more than may be kept. */
export function isBeyondMemory(ctx: Context, level: LineageLevel): boolean {
  return keptFor(ctx.database).isTooLarge(ctx, level);
}

/** What this process keeps of a database's lineage. */
export function graphFigures(database: Database): GraphFigures {
  return keptFor(database).figures();
}
