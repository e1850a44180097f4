// What people do about incidents: comment, acknowledge, resolve, reopen, assign, rate.

import { nameOf, record } from '../../audit/audit.ts';
import { changeOf, changesOf } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isUser } from '../../auth/account.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { execute } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, invalidField } from '../../errors.ts';
import { type Incident, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { noteHappening } from '../../jobs/happening.ts';
import { checkText } from '../../text/text.ts';
import { unknownIds } from '../../text/uuid.ts';
import { lockMonitor } from '../seen.ts';
import { getIncident, incidentStatuses } from './incident.ts';
import { notifyOfIncident, notifyOfLastEnd } from './notify.ts';
import { noteAllOnIncident, ruleView, writeIncident } from './record.ts';
import { checkExpectedUntil, learnFrom } from './resolve-reason.ts';
import { decide, type IncidentEvent, RESOLVE_REASONS } from './rules.ts';
import { severities } from './severity.ts';

/** What a person changes about an incident: absent leaves alone, null clears. */
export interface IncidentInput {
  /** active reopens, or takes back that it is acknowledged; acknowledged acknowledges, resolved resolves. */
  status?: string | null | undefined;
  resolveReason?: string | null | undefined;
  comment?: string | null | undefined;
  assigneeId?: string | null | undefined;
  severity?: string | null | undefined;
  /** Of a given range and what is expected: until then it opens no incident. */
  expectedUntil?: Date | null | undefined;
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
    const reason = event?.type === 'resolved' ? event.reason : null;
    if (input.expectedUntil) {
      const given = { reason, until: input.expectedUntil };
      const expectedUntil = checkExpectedUntil(monitor, given, ctx.now());
      const where = { workspaceId_id: { workspaceId: ctx.workspaceId, id: monitor.id } };
      await tx.db.monitor.update({ where, data: { expectedUntil } });
    }
    if (event) await apply(tx, monitor, id, event);
    if (reason !== null) await learnFrom(tx, monitor, before, reason);
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
  if (after) await writeIncident(ctx, incident.id, after, incident.standing);
  await noteAllOnIncident(ctx, incident.id, decision.actions, comment);
  if (after && event.type === 'acknowledged') {
    const { name, summary, severity } = incident;
    await noteHappening(ctx, 'incident_acknowledged', {
      ...{
        incident: { id, name, summary, severity, monitorId: monitor.id },
        by: nameOf(ctx.viewer),
      },
    });
  }
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
