// Incidents: reading them, and what people do about them.

import { record } from '../../audit/audit.ts';
import { changeOf, changesOf } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isUser } from '../../auth/account.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { columnsOf } from '../../database/columns.ts';
import { loaderOf } from '../../database/loader.ts';
import { execute, rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import {
  type Incident,
  type IncidentAction,
  type Monitor,
  Prisma,
} from '../../generated/prisma/client.ts';
import type { Listing } from '../../lists/listing.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';
import { compileWhere, inOrder, type OrderTerm } from '../../lists/where.ts';
import { checkText, checkWord } from '../../text/text.ts';
import { isUuid, notAnId, unknownIds } from '../../text/uuid.ts';
import { lockMonitor, monitorsSeen } from '../seen.ts';
import { incidentMembers, incidentOrder, orderedByIndex, targetsOf } from '../where.ts';
import { notifyOfIncident, notifyOfLastEnd } from './notify.ts';
import { incidentColumns, noteAllOnIncident, ruleView, writeIncident } from './record.ts';
import { decide, type IncidentEvent, RESOLVE_REASONS } from './rules.ts';

/** How an incident stands. */
const incidentStatuses = ['active', 'acknowledged', 'resolved'] as const;
/** How bad an incident can be. */
const severities = ['low', 'medium', 'high', 'critical'] as const;

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
  /** A typed filter. */
  readonly where?: unknown;
  /** A typed order; newest first where absent. */
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
}

/** The incidents of targets that the viewer may see. */
export async function listIncidents(
  ctx: Context,
  { monitorId, targetId, status, where: asked, orderBy }: IncidentQuery,
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

/** What a person changes about an incident: absent leaves alone, null clears. */
export interface IncidentInput {
  /** active reopens, acknowledged acknowledges, resolved resolves. */
  status?: string | null | undefined;
  resolveReason?: string | null | undefined;
  comment?: string | null | undefined;
  assigneeId?: string | null | undefined;
  severity?: string | null | undefined;
}

/** Change an incident: comment, acknowledge, resolve with a reason, reopen, assign, rate. Editors may. */
export async function updateIncident(
  ctx: ServerContext,
  id: string,
  input: IncidentInput,
  expectedVersion?: ExpectedVersion,
): Promise<Incident> {
  mustBeAllowed(ctx, 'edit monitors');
  return transaction(ctx, async (tx) => {
    const { monitorId } = await getIncident(tx, id);
    const monitor = await lockMonitor(tx, monitorId);
    const before = await getIncident(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    const data = await checkDetails(tx, input);
    if (Object.keys(data).length > 0) {
      await tx.db.incident.update({
        where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
        data: { ...data, updatedAt: ctx.now() },
      });
      await announce(tx, 'incident', [before.id]);
    }
    if (input.comment) {
      const comment = checkText('comment', input.comment);
      await apply(tx, monitor, id, { type: 'commented', at: ctx.now().getTime() }, comment);
    }
    const event = eventOf(input, ctx.now().getTime());
    if (event) await apply(tx, monitor, id, event);
    const after = await getIncident(tx, id);
    const { name: title, version } = after;
    const subject = { id: after.id, kind: 'incident', title, version };
    const changes = changesOf(before, after);
    if (input.comment) changes.push(changeOf('comment', null, input.comment));
    await record(tx, { activity: 'incident_updated', subject, changes });
    return after;
  });
}

async function checkDetails(ctx: Context, { assigneeId, severity }: IncidentInput) {
  if (severity != null && !severities.some((known) => known === severity)) {
    throw invalidField('severity', `Use one of ${severities.join(', ')}.`);
  }
  if (assigneeId) {
    const isKnown = await isUser(ctx, assigneeId);
    if (!isKnown) throw invalidField('assignee', unknownIds('user', [assigneeId]));
  }
  return {
    ...(severity == null ? {} : { severity }),
    ...(assigneeId === undefined ? {} : { assigneeId: assigneeId || null }),
  };
}

function eventOf({ status, resolveReason }: IncidentInput, at: number): IncidentEvent | null {
  const reason = RESOLVE_REASONS.find((known) => known === (resolveReason ?? 'other'));
  if (!reason) throw invalidField('resolve_reason', `Use one of ${RESOLVE_REASONS.join(', ')}.`);
  switch (status) {
    case undefined:
    case null:
      return null;
    case 'active':
      return { type: 'reopened', at };
    case 'acknowledged':
      return { type: 'acknowledged', at };
    case 'resolved':
      return { type: 'resolved', at, reason };
    default:
      throw invalidField('status', `Use one of ${incidentStatuses.join(', ')}.`);
  }
}

/** Let the rules decide what an event makes of an incident, and write that. */
async function apply(
  ctx: ServerContext,
  monitor: Monitor,
  id: string,
  event: IncidentEvent,
  comment: string | null = null,
): Promise<void> {
  const incident = await getIncident(ctx, id);
  const decision = decide({ isEnabled: monitor.isEnabled, incident: ruleView(incident) }, event);
  if (decision.refused !== null) throw conflict(decision.refused);
  const after = decision.watch.incident;
  if (after) await writeIncident(ctx, incident.id, after);
  await noteAllOnIncident(ctx, incident.id, decision.actions, comment);
  if (after && decision.notify) {
    const isLast = event.type === 'monitor_deleted';
    await (isLast
      ? notifyOfLastEnd(ctx, incident)
      : notifyOfIncident(ctx, incident, decision.notify));
  }
  await refreshStatus(ctx, monitor.id);
}

/** Resolve what is open when a monitor is disabled or deleted, with that as the reason. */
export async function closeIncidents(
  ctx: ServerContext,
  monitor: Monitor,
  reason: 'monitor_disabled' | 'monitor_deleted',
): Promise<void> {
  const open = await ctx.db.incident.findMany({
    where: { workspaceId: ctx.workspaceId, monitorId: monitor.id, status: { not: 'resolved' } },
  });
  for (const incident of open) {
    await apply(ctx, monitor, incident.id, { type: reason, at: ctx.now().getTime() });
  }
}

/** A monitor says `incident` while one is open, and goes back to normal when none is. */
async function refreshStatus(ctx: Context, monitorId: string): Promise<void> {
  await execute(
    ctx,
    Prisma.sql`update monitor m set status = case
        when not m.is_enabled then 'disabled'
        when exists (select from incident i where i.workspace_id = m.workspace_id
          and i.monitor_id = m.id and i.status <> 'resolved') then 'incident'
        when m.status = 'incident' then 'normal' else m.status end
      where m.workspace_id = ${ctx.workspaceId}::uuid and m.id = ${monitorId}::uuid`,
  );
}
