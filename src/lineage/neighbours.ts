// Neighbours: the resources an edge leads to, in one statement a step.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** Levels of lineage: between tables and the like, or between columns. */
const lineageLevels = ['TABLE', 'COLUMN'] as const;
export type LineageLevel = (typeof lineageLevels)[number];

/** Which edges and resources count: those of a level, as they are or as they were. */
export interface WalkScope {
  readonly level: LineageLevel;
  /** A time in the past; null for what holds now. */
  readonly asOf: Date | null;
  /** Whether what held at some time before counts as well. */
  readonly ever?: boolean;
  /** Whether a column also leads to the tables about whose rows it only decides. */
  readonly indirect?: boolean;
}

/** A resource that a walk came to. */
export interface WalkPlace {
  readonly id: string;
  readonly kind: string;
  /** False when the viewer may not see it. */
  readonly visible: boolean;
}

/** A place one step from another. */
export interface Neighbour extends WalkPlace {
  /** The place it was reached from; one of them, where there are several. */
  readonly via: string;
  /** True when data flows from it to `via`. */
  readonly up: boolean;
}

/** Where a walk stands: the places whose sources, and those whose targets, come next. */
export interface Frontier {
  readonly up: readonly string[];
  readonly down: readonly string[];
}

/** Rows that one step reads at most: a hub with more neighbours is cut there. */
export const maxStep = 100_000;

/** The distinct neighbours of a frontier, both ways in one statement, ordered by id. */
export async function neighbours(
  ctx: Context,
  frontier: Frontier,
  scope: WalkScope,
): Promise<Neighbour[]> {
  return rows<Neighbour>(
    ctx,
    Prisma.sql`select distinct on (r.id, n.up) r.id, r.kind, n.via, n.up,
        ${visibleResources(ctx)} as visible
      from (${edgesAt(ctx, frontier, scope)}) n
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      where ${aliveAt(scope)}
      order by r.id, n.up, n.via limit ${maxStep}`,
  );
}

/** One step of several walks. */
interface StepsOfEach {
  /** The distinct neighbours of each frontier, ordered by id. */
  readonly steps: readonly (readonly Neighbour[])[];
  /** True where there are more than one step reads. */
  readonly isFull: boolean;
}

/** The distinct neighbours of each of several frontiers, in one statement for all of them. */
export async function neighboursOfEach(
  ctx: Context,
  frontiers: readonly Frontier[],
  scope: WalkScope,
): Promise<StepsOfEach> {
  const [only, ...others] = frontiers;
  if (only && others.length === 0) {
    const step = await neighbours(ctx, only, scope);
    return { steps: [step], isFull: step.length === maxStep };
  }
  const all = (side: 'up' | 'down') => [...new Set(frontiers.flatMap((one) => one[side]))];
  const pairs = await rows<Neighbour>(
    ctx,
    Prisma.sql`select r.id, r.kind, n.via, n.up, ${visibleResources(ctx)} as visible
      from (${edgesAt(ctx, { up: all('up'), down: all('down') }, scope)}) n
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      where ${aliveAt(scope)}
      order by r.id, n.up, n.via limit ${maxStep}`,
  );
  const steps = frontiers.map(({ up, down }) => {
    const [ups, downs] = [new Set(up), new Set(down)];
    return distinct(pairs.filter((one) => (one.up ? ups : downs).has(one.via)));
  });
  return { steps, isFull: pairs.length === maxStep };
}

/** Of neighbours in order the first of each place and direction. */
function distinct(ordered: readonly Neighbour[]): Neighbour[] {
  return ordered.filter((one, i) => {
    const before = ordered[i - 1];
    return before?.id !== one.id || before.up !== one.up;
  });
}

/** Whether a step from the frontier leads to a place that is not in `known` for that direction. */
export async function leadsFurther(
  ctx: Context,
  frontier: Frontier,
  known: Frontier,
  scope: WalkScope,
): Promise<boolean> {
  const [row] = await rows<{ more: boolean }>(
    ctx,
    Prisma.sql`select exists (
      select from (${edgesAt(ctx, frontier, scope)}) n
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      where ${aliveAt(scope)}
        and not exists (
          select from unnest(${[...known.up]}::uuid[]) k(id) where n.up and k.id = n.id)
        and not exists (
          select from unnest(${[...known.down]}::uuid[]) k(id) where not n.up and k.id = n.id)
      ) as more`,
  );
  return row?.more ?? false;
}

/** The edges of a frontier, as rows of `id`, `via` and `up`. */
// Joining the ids as rows, rather than `= any`, keeps the plan on the indexes for a prepared
// statement, whose planner does not know how many ids there are.
export function edgesAt(ctx: Context, { up, down }: Frontier, scope: WalkScope): Prisma.Sql {
  return Prisma.sql`select e.source_id as id, f.id as via, true as up
      from unnest(${[...up]}::uuid[]) f(id) join lineage_edge e on e.target_id = f.id
      where e.workspace_id = ${ctx.workspaceId}::uuid and ${holdsAt(scope)}
    union all
    select e.target_id, f.id, false
      from unnest(${[...down]}::uuid[]) f(id) join lineage_edge e on e.source_id = f.id
      where e.workspace_id = ${ctx.workspaceId}::uuid and ${holdsAt(scope)}`;
}

/** The edges, alias `e`, of the scope's level that held at its time. */
export function holdsAt({ level, asOf, ever = false, indirect = false }: WalkScope): Prisma.Sql {
  const counts = indirect
    ? Prisma.sql`e.level = ${level}`
    : Prisma.sql`e.level = ${level} and e.strength = 'DIRECT'`;
  if (ever) return Prisma.sql`(${counts})`;
  // What holds now has no end: no clock is asked, so a read sees a write whatever the clocks say.
  if (asOf === null) return Prisma.sql`(${counts} and e.valid_to is null)`;
  return Prisma.sql`(${counts} and e.valid_from <= ${asOf}::timestamptz
    and (e.valid_to is null or e.valid_to > ${asOf}::timestamptz))`;
}

/** The resources, alias `r`, that were not archived at the scope's time. */
export function aliveAt({ asOf, ever = false }: Pick<WalkScope, 'asOf' | 'ever'>): Prisma.Sql {
  if (ever) return Prisma.sql`true`;
  if (asOf === null) return Prisma.sql`not r.archived`;
  return Prisma.sql`(not r.archived or r.archived_at > ${asOf}::timestamptz)`;
}
