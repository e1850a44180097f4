// In charge of what an incident reaches: what is made from its target, and who owns that.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type Incident, Prisma } from '../generated/prisma/client.ts';
import { lineage } from '../lineage/graph.ts';
import { findResource } from '../resources/resource.ts';

/** What lies downstream of an incident's target. */
export interface IncidentImpact {
  /** How many resources, as far as they were counted. */
  readonly count: number;
  /** True when there are more than were counted. */
  readonly isMore: boolean;
  /** The nearest of them, 20 at most. */
  readonly resourceIds: readonly string[];
  /** Who owns the nearest of them. */
  readonly ownerIds: readonly string[];
}

const shown = 20;
const counted = 1_000;
const depth = 10;

const none: IncidentImpact = { count: 0, isMore: false, resourceIds: [], ownerIds: [] };

/** Walk downstream of an incident's target: a column's columns, a table's tables and what shows them. */
export async function incidentImpact(
  ctx: Context,
  { targetId }: Pick<Incident, 'targetId'>,
): Promise<IncidentImpact> {
  const target = await findResource(ctx, targetId);
  if (!target) return none;
  const level = target.kind === 'column' ? 'COLUMN' : 'TABLE';
  const graph = await lineage(ctx, {
    from: [targetId],
    direction: 'DOWNSTREAM',
    level,
    depth,
    maxNodes: counted,
  });
  const below = graph.nodes.filter(({ id }) => id !== targetId).map(({ id }) => id);
  const nearest = below.slice(0, shown);
  const owned = await rows<{ ownerId: string }>(
    ctx,
    Prisma.sql`select o as "ownerId" from unnest(${nearest}::uuid[]) with ordinality n(id, place)
      join resource r on r.id = n.id and r.workspace_id = ${ctx.workspaceId}::uuid
      cross join unnest(r.owner_ids) o group by o order by min(n.place), o`,
  );
  return {
    count: Math.max((graph.totalNodes ?? graph.nodes.length) - 1, 0),
    isMore: graph.truncated && graph.totalNodes === null,
    resourceIds: nearest,
    ownerIds: owned.map(({ ownerId }) => ownerId),
  };
}

/** What a message adds about an incident: where it is, and what depends on that. */
export async function incidentLines(ctx: Context, incidentId: string): Promise<string[]> {
  const [found] = await rows<{ targetId: string; kind: string; title: string }>(
    ctx,
    Prisma.sql`select i.target_id as "targetId", r.kind, r.title_full as title
      from incident i join resource r on r.workspace_id = i.workspace_id and r.id = i.target_id
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = ${incidentId}::uuid`,
  );
  if (!found) return [];
  const { count, isMore, resourceIds } = await incidentImpact(ctx, found);
  const place = `On the ${found.kind} ${found.title}.`;
  if (count === 0) return [place];
  const titles = await titlesOf(ctx, resourceIds.slice(0, 3));
  const others = count > titles.length ? ' and others' : '';
  const number = `${isMore ? 'at least ' : ''}${count}`;
  return [place, `Downstream: ${number}, such as ${titles.join(', ')}${others}.`];
}

async function titlesOf(ctx: Context, ids: readonly string[]): Promise<string[]> {
  const found = await rows<{ title: string }>(
    ctx,
    Prisma.sql`select r.title_full as title
      from unnest(${[...ids]}::uuid[]) with ordinality n(id, place)
      join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = n.id
      order by n.place`,
  );
  return found.map(({ title }) => title);
}
