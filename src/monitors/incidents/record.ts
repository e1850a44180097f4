// The rows of incidents: what the rules see of them, and what is written of a decision.

import type { Context } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { columnsOf } from '../../database/columns.ts';
import { type Incident, type Monitor, Prisma } from '../../generated/prisma/client.ts';
import { checkName } from '../../text/text.ts';
import { dropFailingRows } from './failing-rows.ts';
import {
  type IncidentActionType as ActionType,
  RESOLVE_REASONS,
  type ResolveReason,
  type WatchedMonitor,
} from './rules.ts';

export const incidentColumns = columnsOf(Prisma.IncidentScalarFieldEnum, 'i');

/** An incident as the rules see it. */
export function ruleView(incident: Incident): NonNullable<WatchedMonitor['incident']> {
  const { status, resolveReason } = incident;
  return {
    status: status === 'resolved' || status === 'acknowledged' ? status : 'active',
    firstSeenAt: incident.firstSeenAt.getTime(),
    lastSeenAt: incident.lastSeenAt.getTime(),
    value: incident.value,
    goodRuns: incident.goodRuns,
    acknowledgedAt: incident.acknowledgedAt?.getTime() ?? null,
    resolvedAt: incident.resolvedAt?.getTime() ?? null,
    resolveReason: reasons.find((known) => known === resolveReason) ?? null,
  };
}

const reasons: readonly ResolveReason[] = [
  ...RESOLVE_REASONS,
  'recovered',
  'new_level',
  'monitor_disabled',
  'monitor_deleted',
];

/** Write what the rules decided of an incident, and what is so now at a new level. */
export async function writeIncident(
  ctx: Context,
  id: string,
  after: NonNullable<WatchedMonitor['incident']>,
  standing: string | null = null,
): Promise<void> {
  const time = (at: number | null) => (at === null ? null : new Date(at));
  await ctx.db.incident.update({
    where: { workspaceId_id: { workspaceId: ctx.workspaceId, id } },
    data: {
      status: after.status,
      lastSeenAt: new Date(after.lastSeenAt),
      value: after.value,
      goodRuns: after.goodRuns,
      acknowledgedAt: time(after.acknowledgedAt),
      resolvedAt: time(after.resolvedAt),
      resolveReason: after.resolveReason,
      standing,
      updatedAt: ctx.now(),
    },
  });
  if (after.status === 'resolved') await dropFailingRows(ctx, id);
  await announce(ctx, 'incident', [id]);
}

/** Put entries in an incident's list of actions, in the viewer's name, in this order. */
export async function noteAllOnIncident(
  ctx: Context,
  incidentId: string,
  types: readonly ActionType[],
  comment: string | null = null,
): Promise<void> {
  for (const [place, type] of types.entries()) {
    await noteOnIncident(ctx, incidentId, type, comment, place);
  }
}

/**
 * Put an entry in an incident's list of actions, in the viewer's name. Those of one moment are a
 * millisecond apart by their place, for their times are what they are listed by.
 */
export async function noteOnIncident(
  ctx: Context,
  incidentId: string,
  type: ActionType,
  comment: string | null = null,
  place = 0,
): Promise<void> {
  const { viewer } = ctx;
  const isServer = viewer.performer === 'SYSTEM';
  const name = `${viewer.firstName} ${viewer.lastName}`.trim() || viewer.email;
  await ctx.db.incidentAction.create({
    data: {
      workspaceId: ctx.workspaceId,
      incidentId,
      type,
      userId: isServer ? null : viewer.id,
      userName: isServer ? '' : checkName('user_name', name),
      comment: worded.has(type) ? comment : null,
      createdAt: new Date(ctx.now().getTime() + place),
    },
  });
  await announce(ctx, 'incident', [incidentId]);
}

/** Actions that say something in words of their own. */
const worded: ReadonlySet<ActionType> = new Set(['comment', 'notification_failed']);

/** Write an incident that the rules opened. */
export async function openIncident(
  ctx: Context,
  monitor: Pick<Monitor, 'id' | 'targetId' | 'name'>,
  opened: NonNullable<WatchedMonitor['incident']>,
  summary: string,
): Promise<Incident> {
  const incident = await ctx.db.incident.create({
    data: {
      workspaceId: ctx.workspaceId,
      monitorId: monitor.id,
      targetId: monitor.targetId,
      name: monitor.name,
      summary,
      value: opened.value,
      createdAt: ctx.now(),
      updatedAt: ctx.now(),
      firstSeenAt: new Date(opened.firstSeenAt),
      lastSeenAt: new Date(opened.lastSeenAt),
    },
  });
  await announce(ctx, 'incident', [incident.id]);
  return incident;
}
