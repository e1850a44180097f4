// A graph in memory that follows the database: each read first asks what has changed.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import type { LineageLevel } from '../neighbours.ts';
import { type EdgeState, Graph, type NodeState } from './graph.ts';
import { flagsSql, type LogRow, maxChanges, sinceSql } from './graph-log.ts';
import type { GraphReading } from './loading/load-message.ts';

/** Later edges and nodes beyond which a graph is made again: walks go through them more slowly, and they are larger. */
const mostLater = 20_000;
/** And beyond which part of the whole. */
const laterOf = 64;
/** A reading that is older is not built on: what has changed since is kept for twice as long. */
const baseMs = 12 * 3_600_000;

/** A graph that follows the database. */
export class CurrentGraph {
  readonly graph: Graph;
  readonly #level: LineageLevel;
  readonly #read: GraphReading;
  readonly #readAt = Date.now();
  #snapshot: string;
  /** The statement under way that asks what has changed, and the one that waits for its end. */
  #asking: Promise<boolean> | null = null;
  #next: Promise<boolean> | null = null;
  #isBehind = false;

  constructor(read: GraphReading, level: LineageLevel) {
    this.graph = new Graph(read.layout);
    this.#level = level;
    this.#snapshot = read.snapshot;
    this.#read = read;
  }

  /** Whether more has changed than it takes over: another one is to come in its place. */
  get isBehind(): boolean {
    return this.#isBehind;
  }

  /** Whether so much has changed that another one had better come in its place. */
  get isWorn(): boolean {
    return this.graph.later > Math.max(mostLater, this.graph.layout.edges / laterOf);
  }

  /** What the next one can be made of, next to what has changed since; null where that may not be known any more. */
  get base(): GraphReading | null {
    return Math.abs(Date.now() - this.#readAt) < baseMs ? this.#read : null;
  }

  /**
   * Take over all that was committed before this was called. Answers false where that is too much or not known, now
   * and from then on. Calls that come in between share the next statement.
   */
  catchUp(ctx: Context): Promise<boolean> {
    if (this.#next) return this.#next;
    if (!this.#asking) return this.#begin(ctx);
    const next = this.#asking
      .catch(() => false)
      .then(() => {
        this.#next = null;
        return this.#begin(ctx);
      });
    this.#next = next;
    return next;
  }

  #begin(ctx: Context): Promise<boolean> {
    const asking = this.#takeOver(ctx).finally(() => {
      if (this.#asking === asking) this.#asking = null;
    });
    this.#asking = asking;
    return asking;
  }

  async #takeOver(ctx: Context): Promise<boolean> {
    if (this.#isBehind) return false;
    const { workspaceId } = ctx;
    // The primary alone has the log.
    const primary = { db: ctx.db, database: ctx.database, workspaceId };
    const changes = await rows<LogRow>(primary, sinceSql, [workspaceId, this.#snapshot]);
    const [first] = changes;
    const isTooMuch = !first || first.epoch !== this.#read.epoch || changes.length > maxChanges;
    if (isTooMuch || changes.some(({ what }) => what === 'all')) {
      this.#isBehind = true;
      return false;
    }
    if (first.what !== null) await this.#apply(primary, changes);
    this.#snapshot = first.snapshot;
    return true;
  }

  /** Set what the log names to what it is now, which may be newer than the log's moment. */
  async #apply(primary: Parameters<typeof rows>[0], changes: readonly LogRow[]): Promise<void> {
    const { graph } = this;
    const changed = changes.filter(({ what }) => what === 'edge');
    const edges = await rows<EdgeState>(
      primary,
      `select e.id, e.source_id as "sourceId", e.target_id as "targetId", ${flagsSql('e')} as flags
        from unnest($2::uuid[]) c(id) join lineage_edge e on e.workspace_id = $1::uuid and e.id = c.id
        where e.level = $3 and e.valid_to is null`,
      [primary.workspaceId, changed.map(({ id }) => id), this.#level],
    );
    const ends = edges.flatMap(({ sourceId, targetId }) => [sourceId, targetId]);
    const unknown = ends.filter((id) => graph.find(id) < 0);
    const known = changes
      .filter(({ what, id }) => what === 'resource' && id !== null && graph.find(id) >= 0)
      .flatMap(({ id }) => id ?? []);
    const nodes = await readNodes(primary, [...known, ...unknown]);
    // From here on nothing waits: anyone who walks sees all of it or nothing.
    for (const node of nodes) graph.setNode(node);
    const left = new Set(nodes.map(({ id }) => id));
    for (const id of known) if (!left.has(id)) graph.removeNode(id);
    const holding = new Set<string>();
    for (const edge of edges) {
      // One whose end went in between will be named by the log.
      if (graph.find(edge.sourceId) < 0 || graph.find(edge.targetId) < 0) continue;
      holding.add(edge.id);
      graph.setEdge(edge);
    }
    for (const { id, sourceId } of changed) {
      if (id !== null && sourceId !== null && !holding.has(id)) graph.removeEdge(id, sourceId);
    }
  }
}

async function readNodes(
  primary: Parameters<typeof rows>[0],
  ids: readonly string[],
): Promise<NodeState[]> {
  if (ids.length === 0) return [];
  return rows<NodeState>(
    primary,
    `select r.id, r.kind, r.published, r.archived, r.team_ids as "teamIds" from resource r
      where r.workspace_id = $1::uuid and r.id = any($2::uuid[])`,
    [primary.workspaceId, [...new Set(ids)]],
  );
}
