// Incidents: reading them.

import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { invalidField, notFound } from '../../errors.ts';
import { type Incident, type IncidentAction, Prisma } from '../../generated/prisma/client.ts';
import type { Listing } from '../../lists/listing.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';
import { compileWhere, inOrder, type OrderTerm } from '../../lists/where.ts';
import { checkWord } from '../../text/text.ts';
import { isUuid, notAnId } from '../../text/uuid.ts';
import { monitorsSeen } from '../seen.ts';
import { incidentMembers, incidentOrder, orderedByIndex, targetsOf } from '../where.ts';
import { incidentColumns } from './record.ts';

/** How an incident stands. */
export const incidentStatuses = ['active', 'acknowledged', 'resolved'] as const;

/** One incident of a target that the viewer may see. */
export async function getIncident(ctx: Context, id: string): Promise<Incident> {
  const incident = isUuid(id) ? (await incidentsById(ctx, [id])).get(id.toLowerCase()) : undefined;
  if (!incident) throw notFound('Incident');
  return incident;
}

/** Incidents by their ids, those whose targets the viewer may see, for a loader. */
export async function incidentsById(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Incident>> {
  const found = await rows<Incident>(
    ctx,
    Prisma.sql`select ${incidentColumns} from ${incidentsSeen(ctx)}
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = any(${[...ids]}::uuid[])`,
  );
  return new Map(found.map((incident) => [incident.id, incident]));
}

function incidentsSeen(ctx: Context): Prisma.Sql {
  return Prisma.sql`incident i join ${monitorsSeen(ctx)}
    on m.workspace_id = i.workspace_id and m.id = i.monitor_id`;
}

/** Which incidents to list. */
export interface IncidentQuery {
  readonly monitorId?: string | null | undefined;
  readonly targetId?: string | null | undefined;
  readonly status?: string | null | undefined;
  /** Whether it goes on, acknowledged or not. */
  readonly isOpen?: boolean | null | undefined;
  /** A typed filter. */
  readonly where?: unknown;
  /** A typed order; newest first where absent. */
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
}

/** The incidents of targets that the viewer may see. */
export async function listIncidents(
  ctx: Context,
  { monitorId, targetId, status, isOpen = null, where: asked, orderBy }: IncidentQuery,
  args: PageArgs,
): Promise<Page<Incident>> {
  for (const [field, id] of Object.entries({ monitorId, targetId })) {
    if (id && !isUuid(id)) throw invalidField(field, notAnId);
  }
  checkWord('status', status, incidentStatuses);
  const listing = incidentListing(ctx);
  const where = Prisma.sql`${listing.where}
    and (${monitorId ?? null}::uuid is null or i.monitor_id = ${monitorId ?? null}::uuid)
    and (${targetId ?? null}::uuid is null or i.target_id = any(${targetsOf(ctx, targetId)}))
    and (${status ?? null}::text is null or i.status = ${status ?? null})
    and (${isOpen}::boolean is null or (i.status <> 'resolved') = ${isOpen})
    and ${compileWhere(asked, incidentMembers(ctx)).where}`;
  return listPage<Incident>(
    ctx,
    { ...inOrder(listing, orderBy, incidentOrder, orderedByIndex.incidents), where },
    args,
  );
}

/** The incidents of one monitor, newest first; those of many monitors are read together. */
export async function loadIncidents(
  ctx: Context,
  monitorId: string,
  args: PageArgs,
): Promise<Page<Incident>> {
  return loadPage(ctx, incidentsOf, { ownerId: monitorId, query: null, args });
}

function incidentsOf(ctx: Context): OwnedListing {
  return { ...incidentListing(ctx), belongs: Prisma.sql`i.monitor_id = owner.id` };
}

/** All incidents of targets that the viewer may see, newest first. */
function incidentListing(ctx: Context): Listing {
  return {
    from: incidentsSeen(ctx),
    columns: incidentColumns,
    where: Prisma.sql`i.workspace_id = ${ctx.workspaceId}::uuid`,
    order: newestFirst(Prisma.sql`i`),
  };
}

/** Which incidents are asked for by what changed: those of these ids, or since a time. */
export interface Changed {
  readonly ids: readonly string[] | null;
  readonly since: Date;
  readonly monitorId?: string | null | undefined;
  /** A typed filter. */
  readonly where?: unknown;
}

/** What changed of one answer to a subscriber is bounded; the lists show all. */
const maxChanged = 500;

/** Incidents that changed, of targets that the viewer may see, in the order of their changes. */
export async function changedIncidents(
  ctx: Context,
  { ids, since, monitorId = null, where }: Changed,
): Promise<Incident[]> {
  const changed = ids
    ? Prisma.sql`i.id = any(${[...ids]}::uuid[])`
    : Prisma.sql`i.updated_at >= ${since}`;
  return rows<Incident>(
    ctx,
    Prisma.sql`select ${incidentColumns} from ${incidentsSeen(ctx)}
      where i.workspace_id = ${ctx.workspaceId}::uuid and ${changed}
        and (${monitorId}::uuid is null or i.monitor_id = ${monitorId}::uuid)
        and ${compileWhere(where, incidentMembers(ctx)).where}
      order by i.updated_at, i.id limit ${maxChanged}`,
  );
}

/** What was done about an incident, in order; those of many incidents are read together. */
export async function loadActions(ctx: Context, id: string): Promise<IncidentAction[]> {
  return (await loaderOf(ctx, actionsByIncident).load(id)) ?? [];
}

const actionColumns = columnsOf(Prisma.IncidentActionScalarFieldEnum, 'a');

async function actionsByIncident(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, IncidentAction[]>> {
  const found = await rows<IncidentAction>(
    ctx,
    Prisma.sql`select ${actionColumns} from incident_action a
      where a.workspace_id = ${ctx.workspaceId}::uuid and a.incident_id = any(${[...ids]}::uuid[])
      order by a.created_at, a.id`,
  );
  const actions = new Map<string, IncidentAction[]>(ids.map((id) => [id, []]));
  for (const action of found) actions.get(action.incidentId)?.push(action);
  return actions;
}

/** Incidents of one cause that are shown. */
const maxThread = 100;

/** All incidents of the cause of one, the first first; none where it is alone. Those of many are read together. */
export async function loadThread(ctx: Context, { id, rootId }: Incident): Promise<Incident[]> {
  const thread = (await loaderOf(ctx, threadsByRoot).load(rootId ?? id)) ?? [];
  return thread.length > 1 ? thread : [];
}

async function threadsByRoot(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Incident[]>> {
  const found = await rows<Incident & { readonly root: string }>(
    ctx,
    Prisma.sql`select t.id as root, x.* from unnest(${[...ids]}::uuid[]) t(id) cross join lateral (
        select ${incidentColumns} from ${incidentsSeen(ctx)}
          where i.workspace_id = ${ctx.workspaceId}::uuid and (i.id = t.id or i.root_id = t.id)
          order by i.root_id nulls first, i.created_at, i.id limit ${maxThread}) x`,
  );
  const threads = new Map<string, Incident[]>();
  for (const { root, ...incident } of found) {
    threads.set(root, [...(threads.get(root) ?? []), incident]);
  }
  return threads;
}
