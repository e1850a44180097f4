// A graph in memory that follows the database: each read first asks what has changed.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import type { LineageLevel } from '../neighbours.ts';
import { type EdgeState, Graph, type NodeState } from './graph.ts';
import { flagsSql, type LogRow, maxChanges, sinceSql } from './graph-log.ts';
import type { Loaded } from './load-message.ts';

/** Later edges and nodes beyond which a graph is read anew: walks go through them more slowly. */
const mostLater = 20_000;

/** A graph that follows the database. */
export class CurrentGraph {
  readonly graph: Graph;
  readonly #level: LineageLevel;
  readonly #epoch: string;
  #snapshot: string;
  /** The statement under way that asks what has changed, and the one that waits for its end. */
  #asking: Promise<boolean> | null = null;
  #next: Promise<boolean> | null = null;
  #isBroken = false;

  constructor({ layout, snapshot, epoch }: Loaded, level: LineageLevel) {
    this.graph = new Graph(layout);
    this.#level = level;
    this.#snapshot = snapshot;
    this.#epoch = epoch;
  }

  /** Whether so much has changed that it had better be read anew. */
  get isWorn(): boolean {
    return this.graph.later > Math.max(mostLater, this.graph.layout.edges >> 3);
  }

  /**
   * Take over all that was committed before this was called. Answers false where that can't be done: the
   * graph is to be thrown away then. Calls that come in between share the next statement.
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
    if (this.#isBroken) return false;
    const { workspaceId } = ctx;
    // The primary alone has the log.
    const primary = { db: ctx.db, database: ctx.database, workspaceId };
    const changes = await rows<LogRow>(primary, sinceSql, [workspaceId, this.#snapshot]);
    const [first] = changes;
    const isLost = !first || first.epoch !== this.#epoch || changes.length > maxChanges;
    if (isLost || changes.some(({ what }) => what === 'all')) {
      this.#isBroken = true;
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
    // From here on nothing waits: whoever walks sees all of it or nothing.
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
