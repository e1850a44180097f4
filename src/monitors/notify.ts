// In charge of the outbox: what is to be told is written with what happened, and delivered after.

import { serverViewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { type Incident, type Monitor, Prisma } from '../generated/prisma/client.ts';
import { enqueueJob } from '../jobs/job.ts';

/** What can be told of an incident. */
export type IncidentTelling = 'opened' | 'resolved';

/** The ways to people. */
export type Channel = 'chat' | 'email';

/** Something to tell, and where to. */
export interface NewNotification {
  /** The same thing is told once on each way. */
  readonly dedupeKey: string;
  readonly event: string;
  readonly incidentId: string | null;
  readonly channel: Channel;
  readonly address: string;
  readonly content: NotificationContent;
}

/** What a notification says; JSON. */
export interface NotificationContent {
  readonly title: string;
  readonly text: string;
  readonly incident?: string;
  readonly monitor?: string;
  readonly target?: string;
  /** False where nobody on this way wants to hear of the incident's end. */
  readonly withEnd?: boolean;
}

/** The kind of job that delivers a notification. */
export const deliverJob = 'notifications.deliver';

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

/** A way to somebody. */
export type Way = Pick<NewNotification, 'channel' | 'address'>;

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

/** Write notifications and the jobs that deliver them; those that are there already are left out. */
export async function post(tx: Context, notifications: readonly NewNotification[]): Promise<void> {
  for (const { dedupeKey, event, incidentId, channel, address, content } of notifications) {
    const [made] = await rows<{ id: string }>(
      tx,
      Prisma.sql`insert into notification (workspace_id, dedupe_key, event, incident_id, channel,
          address, content, created_at)
        values (${tx.workspaceId}::uuid, ${dedupeKey}, ${event}, ${incidentId}::uuid, ${channel},
          ${address}, ${JSON.stringify(content)}::jsonb, ${tx.now()})
        on conflict (workspace_id, dedupe_key) do nothing returning id`,
    );
    if (made) await enqueueDelivery(tx, made.id, 0);
  }
}

/** Deliver a notification after so many seconds. */
export async function enqueueDelivery(
  tx: Context,
  id: string,
  delaySeconds: number,
): Promise<void> {
  // The server delivers, whoever's deed it tells of: their role may change until then.
  await enqueueJob(
    { ...tx, viewer: serverViewer(tx.workspaceId) },
    {
      kind: deliverJob,
      title: 'Deliver a notification',
      payload: { notification: id },
      delaySeconds,
      priority: 80,
    },
  );
}
