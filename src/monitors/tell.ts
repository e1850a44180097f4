// In charge of telling of incidents: to whom, worked out in the background, and in which words.

import { serverViewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import {
  type Incident,
  type Monitor,
  type NotificationRule,
  Prisma,
} from '../generated/prisma/client.ts';
import { enqueueJob } from '../jobs/job.ts';
import type { Run } from '../jobs/run.ts';
import {
  type NewNotification,
  type NotificationContent,
  post,
  type Way,
} from '../notifications/outbox.ts';
import { listRules } from '../notifications/rule.ts';
import { incidentImpact } from './impact.ts';

/** What can be told of an incident. */
export type IncidentTelling = 'opened' | 'resolved';

/**
 * Tell of an incident, in the transaction that opens or ends it: once when it opens, and where that
 * was told, once when it ends.
 */
export async function tellOfIncident(
  tx: Context,
  monitor: Monitor,
  incident: Pick<Incident, 'id' | 'summary' | 'targetId'>,
  telling: IncidentTelling,
): Promise<void> {
  const content = contentOf(monitor, incident, telling);
  const event = `incident_${telling}`;
  const ways = telling === 'opened' ? await waysOf(monitor) : await waysTold(tx, incident.id);
  await post(
    tx,
    ways.map((way) => ({
      ...way,
      event,
      content,
      incidentId: incident.id,
      dedupeKey: `${incident.id}:${event}:${way.channel}:${way.address}`,
    })),
  );
  await enqueueSpread(tx, incident.id, event);
}

/** The kind of job that finds out whom the rules tell. */
export const spreadJob = 'notifications.spread';

/** Let the rules tell of it, where any does. */
async function enqueueSpread(tx: Context, incidentId: string, event: string): Promise<void> {
  const [any] = await rows<{ id: string }>(
    tx,
    Prisma.sql`select id from notification_rule where workspace_id = ${tx.workspaceId}::uuid
      and is_enabled and ${event} = any(events) limit 1`,
  );
  if (!any) return;
  await enqueueJob(
    { ...tx, viewer: serverViewer(tx.workspaceId) },
    {
      kind: spreadJob,
      title: 'Tell of an incident',
      payload: { incident: incidentId },
      priority: 80,
    },
  );
}

async function waysOf({ notifyChatChannel }: Monitor): Promise<Way[]> {
  return notifyChatChannel ? [{ channel: 'chat', address: notifyChatChannel }] : [];
}

/** Who heard of an incident's beginning shall hear of its end. */
async function waysTold(tx: Context, incidentId: string): Promise<Way[]> {
  return rows<Way>(
    tx,
    Prisma.sql`select channel, address from notification
      where workspace_id = ${tx.workspaceId}::uuid and incident_id = ${incidentId}::uuid
        and event = 'incident_opened' and state <> 'failed'
        and content ->> 'withEnd' is distinct from 'false'`,
  );
}

/** What is said of an incident. */
export function contentOf(
  { id, name }: Pick<Monitor, 'id' | 'name'>,
  incident: Pick<Incident, 'id' | 'summary' | 'targetId'>,
  telling: IncidentTelling,
): NotificationContent {
  const about = { incident: incident.id, monitor: id, target: incident.targetId };
  if (telling === 'opened') return { title: name, text: incident.summary, ...about };
  return { title: name, text: 'This is over: the incident is resolved.', ...about };
}

/** What a rule needs to know of a resource. */
export interface Concerned {
  readonly id: string;
  readonly tagIds: readonly string[];
  readonly teamIds: readonly string[];
  readonly ownerIds: readonly string[];
  readonly subscriberIds: readonly string[];
}

/** What an incident concerns. */
export interface Reach {
  /** The target, and the table of a column. */
  readonly near: readonly Concerned[];
  /** What the target lies within. */
  readonly aroundIds: readonly string[];
  /** The nearest resources downstream. */
  readonly below: readonly Concerned[];
}

/** Write the notifications of the rules that an opened incident meets. */
export async function runSpread(run: Run): Promise<unknown> {
  const { ctx, job } = run;
  const { payload } = job;
  const id =
    typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? payload.incident
      : null;
  if (typeof id !== 'string') return { told: 0 };
  const { workspaceId } = ctx;
  const incident = await ctx.db.incident.findFirst({
    where: { workspaceId, id },
    include: { monitor: true },
  });
  if (!incident) return { told: 0 };
  const event = incident.status === 'resolved' ? 'incident_resolved' : 'incident_opened';
  const rules = (await listRules(ctx)).filter((rule) => rule.isEnabled);
  const reach = await reachOf(ctx, incident.targetId);
  const emails = await emailsOf(ctx, reach);
  const told = new Map<string, NewNotification>();
  for (const rule of rules) {
    if (!rule.events.includes(event)) continue;
    for (const way of waysOfRule(rule, reach, emails)) {
      const dedupeKey = `${incident.id}:${event}:${way.channel}:${way.address}`;
      const withEnd = rule.events.includes('incident_resolved');
      const before = told.get(dedupeKey)?.content.withEnd ?? false;
      const telling = event === 'incident_opened' ? 'opened' : 'resolved';
      const content = {
        ...contentOf(incident.monitor, incident, telling),
        withEnd: before || withEnd,
      };
      told.set(dedupeKey, { ...way, dedupeKey, event, incidentId: incident.id, content });
    }
  }
  await transaction(ctx, async (tx) => {
    await post(tx, [...told.values()]);
    await run.complete(tx, { told: told.size });
  });
  return { told: told.size };
}

/** Whom a rule tells of an incident that reaches so far; nobody where it is about something else. */
export function waysOfRule(
  rule: NotificationRule,
  { near, aroundIds, below }: Reach,
  emails: ReadonlyMap<string, string>,
): Way[] {
  const { resourceIds, tagIds, teamIds } = rule;
  const isAny = resourceIds.length + tagIds.length + teamIds.length === 0;
  const meets = (resource: Concerned) =>
    isAny ||
    resourceIds.includes(resource.id) ||
    resource.tagIds.some((id) => tagIds.includes(id)) ||
    resource.teamIds.some((id) => teamIds.includes(id));
  const isNear = near.some(meets) || aroundIds.some((id) => resourceIds.includes(id));
  const far = rule.upstream ? below.filter(meets) : [];
  if (!isNear && far.length === 0) return [];
  const concerned = [...(isNear ? near : []), ...far];
  const people = new Set([
    ...(rule.tellOwners ? concerned.flatMap(({ ownerIds }) => ownerIds) : []),
    ...(rule.tellSubscribers ? concerned.flatMap(({ subscriberIds }) => subscriberIds) : []),
  ]);
  const addresses = [...people].flatMap((id) => emails.get(id) ?? []);
  return [
    ...rule.chatChannels.map((address) => ({ channel: 'chat', address }) as const),
    ...[...new Set([...rule.emails, ...addresses])].map(
      (address) => ({ channel: 'email', address }) as const,
    ),
  ];
}

async function reachOf(ctx: Context, targetId: string): Promise<Reach> {
  const lines = await rows<Concerned & { kind: string; depth: number }>(
    ctx,
    Prisma.sql`with recursive line as (
        select r.*, 0 as depth from resource r
          where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = ${targetId}::uuid
        union all
        select p.*, l.depth + 1 from line l
          join resource p on p.workspace_id = l.workspace_id and p.id = l.parent_id
          where l.depth < 20)
      select ${concernedColumns}, r.kind, r.depth from line r order by r.depth`,
  );
  const isNear = ({ kind, depth }: { kind: string; depth: number }) =>
    depth === 0 || (kind === 'table' && depth === 1);
  const { resourceIds } = await incidentImpact(ctx, { targetId });
  const below = await rows<Concerned>(
    ctx,
    Prisma.sql`select ${concernedColumns} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${[...resourceIds]}::uuid[])`,
  );
  return {
    near: lines.filter(isNear),
    aroundIds: lines.filter((line) => !isNear(line)).map(({ id }) => id),
    below,
  };
}

const concernedColumns = Prisma.sql`r.id, r.tag_ids as "tagIds", r.team_ids as "teamIds",
  r.owner_ids as "ownerIds", r.subscriber_ids as "subscriberIds"`;

/** The addresses of all who could be told, active users only. */
async function emailsOf(ctx: Context, { near, below }: Reach): Promise<Map<string, string>> {
  const ids = [...near, ...below].flatMap(({ ownerIds, subscriberIds }) => [
    ...ownerIds,
    ...subscriberIds,
  ]);
  const users = await ctx.db.user.findMany({
    where: { workspaceId: ctx.workspaceId, id: { in: [...new Set(ids)] }, archived: false },
    select: { id: true, email: true },
  });
  return new Map(users.map(({ id, email }) => [id, email]));
}
