// Impact of a change: everything downstream, column by column, counted, and shown by pages.

import type { Context } from '../../context.ts';
import { invalidField } from '../../errors.ts';
import { type ColumnParent, parentsOf } from '../../resources/lists/nesting.ts';
import { eachInTurns, takingTurns } from '../memory/turns.ts';
import type { WalkScope } from '../neighbours.ts';
import { entrances } from '../walk-start.ts';
import { below } from './below.ts';
import { ownersOf, type ReachedOwner } from './owner.ts';
import { possibleOf } from './possible.ts';
import { type ImpactNode, withReasons } from './reason.ts';
import { foundBy, type ImpactStep, type ReachedNode, startAt, stepTo } from './step.ts';

/** What to follow, and how far. */
export interface ImpactQuery {
  /** 1 to 1,000 columns, tables or other resources that would change. */
  readonly of: readonly string[];
  /** Steps at most, 1 to 100; 100 by default. */
  readonly depth?: number | null | undefined;
  /** Resources to come to at most, 1 to 100,000, the default. */
  readonly maxNodes?: number | null | undefined;
}

/** A part of what a change reaches, nearest first: counted as a whole, with reasons by pages. */
export interface ReachedList {
  readonly ids: readonly string[];
  /**
   * The nodes behind the one with that id, from the first where there is none: 1 to 1,000, 50 by default.
   * Throws BAD_REQUEST for another number and for an id that is not in the list.
   */
  page(asked?: PageOfReached): Promise<ImpactNode[]>;
}

/** Which nodes of a list are shown. */
export interface PageOfReached {
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
}

/** How many resources of a kind there are. */
export interface KindCount {
  readonly kind: string;
  readonly count: number;
}

/** What a change reaches. */
export interface Impact {
  /** Columns that are made from what changes. */
  readonly columns: ReachedList;
  /** Tables of those columns, tables whose rows it decides about, and what reads those. */
  readonly tables: ReachedList;
  /** Charts, dashboards and whatever else. */
  readonly others: ReachedList;
  /** What reads a table in question, with nothing known of whether it uses these columns. */
  readonly possible: ReachedList;
  /** Of each kind how much is reached for sure, the most first. */
  readonly counts: readonly KindCount[];
  /** Of each kind how much may be reached, the most first. */
  readonly possibleCounts: readonly KindCount[];
  /** Users who own the most of what is or may be reached, columns aside, themselves or by a group. */
  owners(first?: number | null): Promise<ReachedOwner[]>;
  /** Which limit cut it; null when it is whole. */
  readonly truncatedReason: string | null;
  /** Resources that the viewer may not see: passed through and not shown. */
  readonly hidden: number;
}

const maxStarts = 1_000;
const maxDepth = 100;
const maxMaxNodes = 100_000;
const maxPage = 1_000;
const defaultPage = 50;
const defaultOwners = 20;
const startScope: WalkScope = { level: 'COLUMN', asOf: null };
const columnScope: WalkScope = { ...startScope, indirect: true };
const tableScope: WalkScope = { level: 'TABLE', asOf: null };

/**
 * Follow data downstream. From column to column as far as columns are known, and to the tables about
 * whose rows a column decides; from there on to what reads them, charts, dashboards and the like.
 * Throws NOT_FOUND for a start the viewer may not see.
 */
export async function impact(ctx: Context, query: ImpactQuery): Promise<Impact> {
  if (query.of.length < 1 || query.of.length > maxStarts) {
    throw invalidField('of', `Use 1 to ${maxStarts} resources, not ${query.of.length}.`);
  }
  const depth = within('depth', query.depth ?? maxDepth, maxDepth);
  const maxNodes = within('maxNodes', query.maxNodes ?? maxMaxNodes, maxMaxNodes);
  const starts = await entrances(ctx, query.of, startScope);
  const steps = new Map(starts.map((place) => [place.id, startAt(place)]));
  const begun = new Set(steps.keys());
  const reason = await follow(ctx, steps, depth, maxNodes);
  const reached = [...steps.values()].filter(({ id }) => !begun.has(id)).slice(0, maxNodes);
  const shown = reached.filter(({ visible }) => visible);
  const asked = new Set(query.of.map((id) => id.toLowerCase()));
  const involved = [...starts, ...reached].filter(({ kind }) => kind === 'column');
  const columns = await parentsOf(
    ctx,
    involved.map(({ id }) => id),
  );
  const { tables, unseen } = tablesOf(columns, shown, steps, begun, asked);
  const tableIds = new Set(tables.map(({ id }) => id));
  const isKnown = (id: string) =>
    steps.has(id) || tableIds.has(id) || unseen.has(id) || asked.has(id);
  const isAnyReached = reached.length > 0;
  const may = await possibleOf(ctx, { columns, steps, isAnyReached, isKnown, asked, depth });
  const possible = nearestFirst(may.nodes.filter(({ step }) => step.visible));
  const edges = shown.map((step) => foundBy(step));
  const others = edges.filter(({ kind }) => kind !== 'column' && kind !== 'table');
  const list = (nodes: readonly ReachedNode[]) => listOf(ctx, nodes, steps);
  const sure = [...tables, ...others, ...edges.filter(({ kind }) => kind === 'column')];
  return {
    columns: list(edges.filter(({ kind }) => kind === 'column')),
    tables: list(tables),
    others: list(others),
    possible: list(possible),
    counts: countsOf(sure),
    possibleCounts: countsOf(possible),
    owners(first) {
      const owned = [...tables, ...others, ...possible].map(({ id }) => id);
      return ownersOf(ctx, owned, within('first', first ?? defaultOwners, maxPage));
    },
    truncatedReason: reason ?? may.cut,
    hidden:
      reached.filter(({ id, visible }) => !visible && !unseen.has(id)).length +
      unseen.size +
      may.nodes.length -
      possible.length,
  };
}

function nearestFirst(nodes: readonly ReachedNode[]): ReachedNode[] {
  return [...nodes].sort((one, other) => one.step.depth - other.step.depth);
}

function countsOf(nodes: readonly ReachedNode[]): KindCount[] {
  const counts = new Map<string, number>();
  for (const { kind } of nodes) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const all = [...counts].map(([kind, count]) => ({ kind, count }));
  return all.sort((one, other) => other.count - one.count || (one.kind < other.kind ? -1 : 1));
}

function listOf(
  ctx: Context,
  nodes: readonly ReachedNode[],
  steps: ReadonlyMap<string, ImpactStep>,
): ReachedList {
  return {
    ids: nodes.map(({ id }) => id),
    async page({ first, after } = {}) {
      const size = within('first', first ?? defaultPage, maxPage);
      const begins = after ? nodes.findIndex(({ id }) => id === after.toLowerCase()) + 1 : 0;
      if (after && begins === 0) {
        throw invalidField('after', 'Use the id of the last node of the page before.');
      }
      return withReasons(ctx, nodes.slice(begins, begins + size), steps);
    },
  };
}

function within(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalidField(field, `Use an integer from 1 to ${max}, not ${value}.`);
}

/** Go on from the steps that are there; returns which limit ended that, or null. */
async function follow(
  ctx: Context,
  steps: Map<string, ImpactStep>,
  depth: number,
  maxNodes: number,
): Promise<string | null> {
  const begun = steps.size;
  let frontier = [...steps.values()];
  for (let at = 1; frontier.length > 0; at += 1) {
    if (at > depth) return `depth: it goes on beyond ${depth} steps.`;
    if (steps.size - begun > maxNodes) return `maxNodes: more than ${maxNodes} are affected.`;
    ctx.signal.throwIfAborted();
    frontier = await advance(ctx, frontier, steps);
  }
  return null;
}

/** One step: columns lead on by edges of columns, all but columns by those of tables as well. */
async function advance(
  ctx: Context,
  frontier: readonly ImpactStep[],
  steps: Map<string, ImpactStep>,
): Promise<ImpactStep[]> {
  const ids = frontier.map(({ id }) => id);
  // A table on the way stands for itself alone: its columns are reached column by column.
  const wide = frontier.filter(({ kind }) => kind !== 'column').map(({ id }) => id);
  const found = [...(await below(ctx, ids, columnScope)), ...(await below(ctx, wide, tableScope))];
  const next: ImpactStep[] = [];
  await eachInTurns(found, takingTurns(ctx), (neighbour) => {
    const via = steps.get(neighbour.via);
    if (!via || steps.has(neighbour.id)) return;
    const step = stepTo(neighbour, via);
    steps.set(step.id, step);
    next.push(step);
  });
  return next;
}

/** The tables in which the reached columns lie, those that were reached themselves, and those that may not be seen. */
function tablesOf(
  columns: readonly ColumnParent[],
  shown: readonly ImpactStep[],
  steps: ReadonlyMap<string, ImpactStep>,
  begun: ReadonlySet<string>,
  asked: ReadonlySet<string>,
): { readonly tables: readonly ReachedNode[]; readonly unseen: ReadonlySet<string> } {
  const tables = new Map<string, ReachedNode>();
  const unseen = new Set<string>();
  for (const { id, tableId, isTableVisible } of columns) {
    const step = steps.get(id);
    if (!step?.visible || tableId === null || begun.has(id) || tables.has(tableId)) continue;
    if (!isTableVisible) unseen.add(tableId);
    else if (!asked.has(tableId)) {
      tables.set(tableId, { id: tableId, kind: 'table', step, how: 'COLUMN_OF' });
    }
  }
  for (const step of shown) {
    if (step.kind === 'table' && !tables.has(step.id)) tables.set(step.id, foundBy(step));
  }
  return { tables: nearestFirst([...tables.values()]), unseen };
}
