// In charge of what a change would reach: everything downstream, column by column, with the way there.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import {
  aliveAt,
  holdsAt,
  type Neighbour,
  neighbours,
  type Place,
  type Scope,
} from './neighbours.ts';
import { entrances } from './walk-start.ts';

/** What to follow, and how far. */
export interface ImpactQuery {
  /** 1 to 1,000 columns, tables or other resources that would change. */
  readonly of: readonly string[];
  /** Steps at most, 1 to 100; 100 by default. */
  readonly depth?: number | null | undefined;
  /** Resources to come to at most, 1 to 10,000; 1,000 by default. */
  readonly maxNodes?: number | null | undefined;
}

/** A resource that a change reaches. */
export interface ImpactNode {
  readonly id: string;
  readonly kind: string;
  /** Steps from what changes. */
  readonly depth: number;
  /** From what changes to the resource, both included: a shortest way. */
  readonly path: readonly string[];
}

/** What a change reaches. */
export interface Impact {
  /** Columns that are made from what changes. */
  readonly columns: readonly ImpactNode[];
  /** Tables of those columns, and tables that are made from what changes by other ways. */
  readonly tables: readonly ImpactNode[];
  /** Charts, dashboards and whatever else. */
  readonly others: readonly ImpactNode[];
  /** What depends on a table in question, with nothing known of which of its columns it uses. */
  readonly possible: readonly ImpactNode[];
  /** Which limit cut it; null when it is whole. */
  readonly truncatedReason: string | null;
  /** Resources that the viewer may not see: passed through and not shown. */
  readonly hidden: number;
}

const maxStarts = 1_000;
const maxDepth = 100;
const maxMaxNodes = 10_000;
const defaultMaxNodes = 1_000;
const columnScope: Scope = { level: 'COLUMN', asOf: null };
const tableScope: Scope = { level: 'TABLE', asOf: null };

/** A place on the way, and the one before it. */
interface Step extends Place {
  readonly depth: number;
  readonly via: Step | null;
}

/**
 * Follow data downstream. From column to column as far as columns are known, from there on to charts,
 * dashboards and the like. Throws NOT_FOUND for a start the viewer may not see.
 */
export async function impact(ctx: Context, query: ImpactQuery): Promise<Impact> {
  if (query.of.length < 1 || query.of.length > maxStarts) {
    throw invalidField('of', `Use 1 to ${maxStarts} resources, not ${query.of.length}.`);
  }
  const depth = within('depth', query.depth ?? maxDepth, maxDepth);
  const maxNodes = within('maxNodes', query.maxNodes ?? defaultMaxNodes, maxMaxNodes);
  const starts = await entrances(ctx, query.of, columnScope);
  const steps = new Map(starts.map((place) => [place.id, start(place)]));
  const begun = new Set(steps.keys());
  let frontier = [...steps.values()];
  let reason: string | null = null;
  for (let at = 1; frontier.length > 0; at += 1) {
    if (at > depth) reason = `depth: it goes on beyond ${depth} steps.`;
    if (steps.size - begun.size > maxNodes) reason = `maxNodes: more than ${maxNodes} are reached.`;
    if (reason !== null) break;
    ctx.signal.throwIfAborted();
    frontier = await advance(ctx, frontier, steps);
  }
  const reached = [...steps.values()].filter(({ id }) => !begun.has(id)).slice(0, maxNodes);
  const shown = reached.filter(({ visible }) => visible);
  const involved = [...begun, ...reached.map(({ id }) => id)];
  return {
    columns: shown.filter(({ kind }) => kind === 'column').map(nodeOf),
    tables: await tablesOf(ctx, shown, new Set(query.of.map((id) => id.toLowerCase()))),
    others: shown.filter(({ kind }) => kind !== 'column' && kind !== 'table').map(nodeOf),
    possible: await possibleOf(ctx, involved, steps),
    truncatedReason: reason,
    hidden: reached.length - shown.length,
  };
}

function within(field: string, value: number, max: number): number {
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw invalidField(field, `Use an integer from 1 to ${max}, not ${value}.`);
}

function start(place: Place): Step {
  return { ...place, depth: 0, via: null };
}

/** One step: columns lead on by edges between columns, all but columns and tables by any edge. */
async function advance(
  ctx: Context,
  frontier: readonly Step[],
  steps: Map<string, Step>,
): Promise<Step[]> {
  const ids = frontier.map(({ id }) => id);
  // A table on the way stands for itself alone: its columns are reached column by column.
  const wide = frontier.filter(({ kind }) => kind !== 'column').map(({ id }) => id);
  const found = [
    ...(await neighbours(ctx, { up: [], down: ids }, columnScope)),
    ...(wide.length > 0 ? await neighbours(ctx, { up: [], down: wide }, tableScope) : []),
  ];
  const next: Step[] = [];
  for (const neighbour of found) {
    const via = steps.get(neighbour.via);
    if (!via || steps.has(neighbour.id)) continue;
    const step = stepTo(neighbour, via);
    steps.set(step.id, step);
    next.push(step);
  }
  return next;
}

function stepTo({ id, kind, visible }: Neighbour, via: Step): Step {
  return { id, kind, visible, depth: via.depth + 1, via };
}

function nodeOf(step: Step): ImpactNode {
  const path: string[] = [];
  for (let at: Step | null = step; at !== null; at = at.via) {
    // What may not be seen is passed through without a word, here as in the graph.
    if (at.visible) path.unshift(at.id);
  }
  return { id: step.id, kind: step.kind, depth: step.depth, path };
}

/** The tables in which the reached columns lie, and those that were reached themselves. */
async function tablesOf(
  ctx: Context,
  shown: readonly Step[],
  asked: ReadonlySet<string>,
): Promise<ImpactNode[]> {
  const columns = shown.filter(({ kind }) => kind === 'column');
  const parents = await rows<{ id: string; columnId: string }>(
    ctx,
    Prisma.sql`select distinct on (p.id) p.id, c.id as "columnId"
      from unnest(${columns.map(({ id }) => id)}::uuid[]) with ordinality n(id, place)
      join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = n.id
      join resource p on p.workspace_id = c.workspace_id and p.id = c.parent_id
        and p.kind = 'table'
      order by p.id, n.place`,
  );
  const byId = new Map(columns.map((step) => [step.id, step]));
  const tables = new Map<string, ImpactNode>();
  for (const { id, columnId } of parents) {
    const column = byId.get(columnId);
    if (column && !asked.has(id)) tables.set(id, { ...nodeOf(column), id, kind: 'table' });
  }
  for (const step of shown) if (step.kind === 'table') tables.set(step.id, nodeOf(step));
  return [...tables.values()].sort((one, other) => one.depth - other.depth);
}

/**
 * What depends on a table of the columns involved as a whole, where no edge says by which columns: it
 * may use them or not.
 */
async function possibleOf(
  ctx: Context,
  involved: readonly string[],
  steps: ReadonlyMap<string, Step>,
): Promise<ImpactNode[]> {
  const found = await rows<{ id: string; kind: string; via: string; visible: boolean }>(
    ctx,
    Prisma.sql`with tables as (
        select distinct coalesce(p.id, c.id) as id, (array_agg(c.id))[1] as via
        from unnest(${[...involved]}::uuid[]) n(id)
        join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = n.id
          and c.kind = 'column'
        left join resource p on p.workspace_id = c.workspace_id and p.id = c.parent_id
        group by 1)
      select distinct on (r.id) r.id, r.kind, t.via, true as visible
      from tables t
      join lineage_edge e on e.workspace_id = ${ctx.workspaceId}::uuid and e.source_id = t.id
        and ${holdsAt(tableScope)} and not e.implied
      join resource r on r.workspace_id = e.workspace_id and r.id = e.target_id
      where ${aliveAt(tableScope)} and not exists (
        select from lineage_edge k join resource s on s.workspace_id = k.workspace_id
            and s.id = k.source_id and s.parent_id = t.id
          left join resource d on d.workspace_id = k.workspace_id and d.id = k.target_id
          where k.workspace_id = e.workspace_id and k.valid_to is null and k.level = 'COLUMN'
            and (d.id = r.id or d.parent_id = r.id))
      order by r.id limit ${maxMaxNodes}`,
  );
  return found
    .filter(({ id }) => !steps.has(id))
    .map(({ id, kind, via }) => {
      const before = steps.get(via);
      const path = before ? nodeOf(before).path : [];
      return { id, kind, depth: (before?.depth ?? 0) + 1, path: [...path, id] };
    });
}
