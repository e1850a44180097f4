// What an incident concerns: what it is on, what that lies within, is made from and feeds.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { type Incident, Prisma } from '../../generated/prisma/client.ts';
import type { Concerned } from '../../notifications/rule-destinations.ts';
import { incidentImpact, nearestAbove } from './impact.ts';

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
  incident: Pick<Incident, 'targetId'>,
): Promise<IncidentReach | null> {
  const line = await lineOf(ctx, incident.targetId);
  const [target] = line;
  if (!target) return null;
  const impact = await incidentImpact(ctx, incident);
  // Lineage knows no archived resources, and no one is to be notified of an incident on one.
  const above = impact.isKnown ? await nearestAbove(ctx, { ...incident, kind: target.kind }) : [];
  const found = await read(ctx, [...impact.resourceIds, ...above]);
  const pick = (ids: readonly string[]) => ids.flatMap((id) => found.get(id) ?? []);
  const isNear = ({ kind }: Reached, place: number) =>
    place === 0 || (kind === 'table' && place === 1);
  const below = pick(impact.resourceIds);
  const dashboards = below.filter(({ kind }) => kind === 'dashboard').slice(0, maxDashboards);
  const owned = [...dashboards, ...below].map(({ id }) => id);
  return {
    target,
    near: line.filter(isNear),
    around: line.filter((resource, place) => !isNear(resource, place)),
    below,
    dashboards,
    owners: await ownersOf(ctx, owned),
    count: impact.count,
    isMore: impact.isMore,
    above: pick(above),
  };
}

/** What messages name at most. */
const maxDashboards = 3;
const maxOwners = 5;
const maxLevels = 20;

/** The target and what it lies within, from the inside out. */
async function lineOf(ctx: Context, targetId: string): Promise<Reached[]> {
  return rows<Reached>(
    ctx,
    Prisma.sql`with recursive line as (
        select r.*, 0 as depth from resource r
          where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = ${targetId}::uuid
        union all
        select p.*, l.depth + 1 from line l
          join resource p on p.workspace_id = l.workspace_id and p.id = l.parent_id
          where l.depth < ${maxLevels})
      select ${columns} from line r order by r.depth`,
  );
}

async function ownersOf(ctx: Context, ids: readonly string[]): Promise<string[]> {
  if (ids.length === 0) return [];
  const found = await rows<{ name: string }>(
    ctx,
    Prisma.sql`select coalesce(nullif(btrim(u.first_name || ' ' || u.last_name), ''), u.email) as name
      from unnest(${[...ids]}::uuid[]) with ordinality n(id, place)
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      cross join unnest(r.owner_ids) o(id)
      join user_account u on u.workspace_id = r.workspace_id and u.id = o.id and not u.archived
      group by u.id, u.first_name, u.last_name, u.email order by min(n.place), name
      limit ${maxOwners}`,
  );
  return found.map(({ name }) => name);
}

async function read(ctx: Context, ids: readonly string[]): Promise<Map<string, Reached>> {
  const found = await rows<Reached>(
    ctx,
    Prisma.sql`select ${columns} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((resource) => [resource.id, resource]));
}

const columns = Prisma.sql`r.id, r.kind, r.title_full as title, r.tag_ids as "tagIds",
  r.team_ids as "teamIds", r.published, r.verified`;
