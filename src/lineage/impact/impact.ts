// Impact of a change: everything downstream, column by column, with the path.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { eachInTurns, takingTurns } from '../memory/turns.ts';
import { neighbours, type WalkScope } from '../neighbours.ts';
import { entrances } from '../walk-start.ts';
import { possibleOf } from './possible.ts';
import { type ImpactNode, type ReachedNode, reasonsFor } from './reason.ts';
import { foundBy, type ImpactStep, startAt, stepTo } from './step.ts';

/** What to follow, and how far. */
export interface ImpactQuery {
  /** 1 to 1,000 columns, tables or other resources that would change. */
  readonly of: readonly string[];
  /** Steps at most, 1 to 100; 100 by default. */
  readonly depth?: number | null | undefined;
  /** Resources to come to at most, 1 to 10,000; 1,000 by default. */
  readonly maxNodes?: number | null | undefined;
}

/** What a change reaches. */
export interface Impact {
  /** Columns that are made from what changes. */
  readonly columns: readonly ImpactNode[];
  /** Tables of those columns, tables whose rows it decides about, and what reads those. */
  readonly tables: readonly ImpactNode[];
  /** Charts, dashboards and whatever else. */
  readonly others: readonly ImpactNode[];
  /** What reads a table in question, with nothing known of whether it uses these columns. */
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
  const maxNodes = within('maxNodes', query.maxNodes ?? defaultMaxNodes, maxMaxNodes);
  const starts = await entrances(ctx, query.of, startScope);
  const steps = new Map(starts.map((place) => [place.id, startAt(place)]));
  const begun = new Set(steps.keys());
  const reason = await follow(ctx, steps, depth, maxNodes);
  const reached = [...steps.values()].filter(({ id }) => !begun.has(id)).slice(0, maxNodes);
  const shown = reached.filter(({ visible }) => visible);
  const asked = new Set(query.of.map((id) => id.toLowerCase()));
  const { tables, unseen } = await tablesOf(ctx, shown, asked);
  const known = new Set([...steps.keys(), ...tables.map(({ id }) => id), ...unseen, ...asked]);
  const may = await possibleOf(ctx, { begun, steps, reached, known, asked, depth });
  const possible = may.steps
    .filter(({ step }) => step.visible)
    .map(({ step, how }) => foundBy(step, how))
    .sort((one, other) => one.depth - other.depth);
  const edges = shown.map((step) => foundBy(step));
  const reasons = await reasonsFor(ctx, [...edges, ...tables, ...possible]);
  const node = (found: ReachedNode): ImpactNode => ({ ...found, ...reasons(found) });
  return {
    columns: edges.filter(({ kind }) => kind === 'column').map(node),
    tables: tables.map(node),
    others: edges.filter(isOther).map(node),
    possible: possible.map(node),
    truncatedReason: reason ?? may.cut,
    hidden:
      reached.filter(({ id, visible }) => !visible && !unseen.has(id)).length +
      unseen.size +
      may.steps.length -
      possible.length,
  };
}

function isOther({ kind }: ReachedNode): boolean {
  return kind !== 'column' && kind !== 'table';
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
    if (steps.size - begun > maxNodes) return `maxNodes: more than ${maxNodes} are reached.`;
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
  const found = [
    ...(await neighbours(ctx, { up: [], down: ids }, columnScope)),
    ...(wide.length > 0 ? await neighbours(ctx, { up: [], down: wide }, tableScope) : []),
  ];
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
async function tablesOf(
  ctx: Context,
  shown: readonly ImpactStep[],
  asked: ReadonlySet<string>,
): Promise<{ readonly tables: ReachedNode[]; readonly unseen: ReadonlySet<string> }> {
  const columns = shown.filter(({ kind }) => kind === 'column');
  const parents = await rows<{ id: string; columnId: string; visible: boolean }>(
    ctx,
    Prisma.sql`select distinct on (p.id) p.id, c.id as "columnId",
        ${visibleResources(ctx, 'p')} as visible
      from unnest(${columns.map(({ id }) => id)}::uuid[]) with ordinality n(id, place)
      join resource c on c.workspace_id = ${ctx.workspaceId}::uuid and c.id = n.id
      join resource p on p.workspace_id = c.workspace_id and p.id = c.parent_id
        and p.kind = 'table'
      order by p.id, n.place`,
  );
  const byId = new Map(columns.map((step) => [step.id, step]));
  const tables = new Map<string, ReachedNode>();
  const unseen = new Set(parents.filter(({ visible }) => !visible).map(({ id }) => id));
  for (const { id, columnId } of parents) {
    const column = byId.get(columnId);
    if (!column || asked.has(id) || unseen.has(id)) continue;
    tables.set(id, { ...foundBy(column), id, kind: 'table', via: columnId, how: 'COLUMN_OF' });
  }
  for (const step of shown) {
    if (step.kind === 'table' && !tables.has(step.id)) tables.set(step.id, foundBy(step));
  }
  const nearest = [...tables.values()].sort((one, other) => one.depth - other.depth);
  return { tables: nearest, unseen };
}
