// What an incident concerns: what it is on, what that lies within, is made from and feeds.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import type { Concerned } from '../../notifications/rule-destinations.ts';
import { impactsOf, nearestAbove } from './impact.ts';

/** A resource that an incident concerns. */
export interface Reached extends Concerned {
  readonly kind: string;
  readonly title: string;
  readonly published: boolean;
  readonly verified: boolean;
}

/** What an incident concerns. */
export interface IncidentReach {
  readonly target: Reached;
  /** The target, and the table of a column. */
  readonly near: readonly Reached[];
  /** What the target lies within. */
  readonly around: readonly Reached[];
  /** The nearest resources downstream, and how many there are in all. */
  readonly below: readonly Reached[];
  readonly count: number;
  /** True when there are more than were counted. */
  readonly isMore: boolean;
  /** The nearest dashboards among them. */
  readonly dashboards: readonly Reached[];
  /** Names of those who own what is downstream: of dashboards first, then of what is nearest. */
  readonly owners: readonly string[];
  /** The nearest resources upstream. */
  readonly above: readonly Reached[];
}

/** Look around an incident; null where its target is gone. */
export async function reachOf(
  ctx: Context,
  { targetId }: Pick<Incident, 'targetId'>,
): Promise<IncidentReach | null> {
  return (await reachOfEach(ctx, [targetId])).get(targetId) ?? null;
}

/** What an incident on each of some targets would concern; a target that is gone is left out. */
export async function reachOfEach(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, IncidentReach>> {
  const lines = await linesOf(ctx, targetIds);
  const impacts = await impactsOf(ctx, [...lines.keys()]);
  // Lineage knows no archived resources, and no one is to be notified of an incident on one.
  const above = await nearestAbove(ctx, [...impacts.keys()]);
  const near = [...[...impacts.values()].map(({ resourceIds }) => resourceIds), ...above.values()];
  const found = await read(ctx, [...new Set(near.flat())]);
  const pick = (ids: readonly string[]) => ids.flatMap((id) => found.get(id) ?? []);
  const around = [...lines].map(([targetId, { target, line }]) => {
    const { resourceIds = [], count = 0, isMore = false } = impacts.get(targetId) ?? {};
    const below = pick(resourceIds);
    const dashboards = below.filter(({ kind }) => kind === 'dashboard').slice(0, maxDashboards);
    return {
      ...{ target, below, dashboards, count, isMore, above: pick(above.get(targetId) ?? []) },
      near: line.filter(isNear),
      around: line.filter((resource, place) => !isNear(resource, place)),
    };
  });
  const owners = await ownersOf(
    ctx,
    around.map(({ target, dashboards, below }) => ({
      of: target.id,
      ids: [...dashboards, ...below].map(({ id }) => id),
    })),
  );
  return new Map(
    around.map((one) => [one.target.id, { ...one, owners: owners.get(one.target.id) ?? [] }]),
  );
}

const isNear = ({ kind }: Reached, place: number) =>
  place === 0 || (kind === 'table' && place === 1);

/** What messages name at most. */
const maxDashboards = 3;
const maxOwners = 5;
const maxLevels = 20;

/** Each target with what it lies within, from the inside out. */
async function linesOf(
  ctx: Context,
  targetIds: readonly string[],
): Promise<Map<string, { readonly target: Reached; readonly line: Reached[] }>> {
  const found = await rows<Reached & { of: string }>(
    ctx,
    Prisma.sql`with recursive line as (
        select r.*, r.id as of, 0 as depth from resource r
          where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...targetIds]}::uuid[])
        union all
        select p.*, l.of, l.depth + 1 from line l
          join resource p on p.workspace_id = l.workspace_id and p.id = l.parent_id
          where l.depth < ${maxLevels})
      select r.of, ${columns} from line r order by r.of, r.depth`,
  );
  const lines = new Map<string, { target: Reached; line: Reached[] }>();
  for (const { of, ...resource } of found) {
    const known = lines.get(of);
    if (known) known.line.push(resource);
    else lines.set(of, { target: resource, line: [resource] });
  }
  return lines;
}

/** Names of those who own the first of some resources, for each that asks. */
async function ownersOf(
  ctx: Context,
  asked: readonly { readonly of: string; readonly ids: readonly string[] }[],
): Promise<Map<string, string[]>> {
  const pairs = asked.flatMap(({ of, ids }) => ids.map((id) => ({ of, id })));
  if (pairs.length === 0) return new Map();
  const found = await rows<{ of: string; names: string[] }>(
    ctx,
    Prisma.sql`with owner as (
        select n.of, coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.email) as name,
          min(n.place) as place
        from unnest(${pairs.map(({ of }) => of)}::uuid[], ${pairs.map(({ id }) => id)}::uuid[])
          with ordinality n(of, id, place)
        join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
        cross join unnest(r.owner_ids) o(id)
        join user_account u on u.workspace_id = r.workspace_id and u.id = o.id and not u.archived
        group by n.of, u.id, u.first_name, u.last_name, u.email)
      select of, (array_agg(name order by place, name))[1:${maxOwners}] as names
        from owner group by of`,
  );
  return new Map(found.map(({ of, names }) => [of, names]));
}

async function read(ctx: Context, ids: readonly string[]): Promise<Map<string, Reached>> {
  if (ids.length === 0) return new Map();
  const found = await rows<Reached>(
    ctx,
    Prisma.sql`select ${columns} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((resource) => [resource.id, resource]));
}

const columns = Prisma.sql`r.id, r.kind, r.title_full as title, r.tag_ids as "tagIds",
  r.team_ids as "teamIds", r.published, r.verified`;
