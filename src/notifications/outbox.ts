// In charge of the outbox: what is to be told is written with what happened, and delivered after.

import { serverViewer } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { enqueueJob } from '../jobs/job.ts';

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

/** A way to somebody. */
export type Way = Pick<NewNotification, 'channel' | 'address'>;

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
