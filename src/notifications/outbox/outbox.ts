// The outbox: what is to be sent is written with what happened, and delivered after.

import { serverViewer } from '../../auth/viewer.ts';
import type { Context, ServerContext } from '../../context.ts';
import { announce } from '../../database/announce.ts';
import { insertMany } from '../../database/bulk.ts';
import { enqueueJob, enqueueOwnWork } from '../../jobs/job.ts';
import type { JobKind } from '../../jobs/job-kind.ts';
import { isMailOn } from '../../surroundings.ts';
import { type Held, heldInWords } from '../business-hours.ts';
import type { ChartPoint } from '../pictures/chart.ts';

/** How people and programs are reached. */
export type Channel = 'inbox' | 'email' | 'chat' | 'webhook';

/** Where something is delivered: the id of a user, an email address, a chat channel, or the id of a webhook. */
export interface Destination {
  readonly channel: Channel;
  readonly address: string;
}

/** Something to send, and where to. */
export interface NewNotification extends Destination {
  /** The same thing is delivered once to each destination. */
  readonly dedupeKey: string;
  readonly event: string;
  readonly incidentId: string | null;
  readonly content: NotificationContent;
  /** What a webhook is sent. */
  readonly body?: string;
  /** It is not sent before; null and absent for at once. */
  readonly held?: Held | null;
}

/** What a notification says; JSON. */
export interface NotificationContent {
  readonly title: string;
  readonly text: string;
  /** What else there is to say, line by line. */
  readonly lines?: readonly string[];
  readonly incident?: string;
  readonly monitor?: string;
  readonly target?: string;
  /** The page to act on; absent where that can't be reached, or is not for those who read it. */
  readonly link?: string;
  /** The latest values, as mail draws them. */
  readonly chart?: readonly ChartPoint[];
  /** The resources it names. */
  readonly resources?: readonly string[];
  /** The incident in whose thread it is said; absent where that is its own. */
  readonly thread?: string;
  /** The user whom it is for; absent where it is for the one who reads a channel or an address. */
  readonly userId?: string;
  /** The rules with business hours by which alone it goes there: its end is held as well. */
  readonly byRules?: readonly string[];
  /** False where no one at this destination is notified of the incident's end. */
  readonly withEnd?: boolean;
}

/** The kind of job that delivers a notification. */
export const deliverJob = 'notifications.deliver' satisfies JobKind;

/** Before what people did not ask for, and before monitors run. */
const priority = 80;
/** A program that takes its time must not keep people waiting. */
const webhookPriority = 110;

const target = {
  table: 'notification',
  columns: {
    workspace_id: 'uuid',
    dedupe_key: 'text',
    event: 'text',
    incident_id: 'uuid',
    channel: 'text',
    address: 'text',
    content: 'jsonb',
    body: 'text',
    state: 'text',
    created_at: 'timestamptz',
    delivered_at: 'timestamptz',
    held_until: 'timestamptz',
  },
} as const;

/**
 * Write notifications and the jobs that deliver them; those that are there already are left out, and
 * mail where none is sent. What goes to an inbox has arrived with that.
 */
export async function post(
  tx: ServerContext,
  notifications: readonly NewNotification[],
): Promise<void> {
  const now = tx.now();
  const withMail = isMailOn(tx.surroundings);
  const written = await insertMany<{ id: string; channel: string; address: string }>(
    tx,
    target,
    notifications
      .filter(({ channel }) => channel !== 'email' || withMail)
      .map((notification) => {
        const isHere = notification.channel === 'inbox';
        const held = isHere ? null : (notification.held ?? null);
        return {
          workspace_id: tx.workspaceId,
          dedupe_key: notification.dedupeKey,
          event: notification.event,
          incident_id: notification.incidentId,
          channel: notification.channel,
          address: notification.address,
          content: held ? withHeld(notification.content, held, now) : notification.content,
          body: notification.body,
          state: isHere ? 'delivered' : 'pending',
          created_at: now,
          delivered_at: isHere ? now : null,
          held_until: held?.until ?? null,
        };
      }),
    { unlessIn: '(workspace_id, dedupe_key)', returning: ['id', 'channel', 'address'] },
  );
  const reached = new Set(
    written.flatMap(({ channel, address }) => (channel === 'inbox' ? [address] : [])),
  );
  if (reached.size > 0) await announce(tx, 'inbox', [...reached]);
  const away = written.filter(({ channel }) => channel !== 'inbox');
  await enqueueOwnWork(
    tx,
    away.map(({ id, channel }) => deliveryOf(id, channel)),
  );
}

/** Who reads it in the morning is told since when it was known. */
function withHeld(content: NotificationContent, held: Held, now: Date): NotificationContent {
  return { ...content, lines: [...(content.lines ?? []), heldInWords(held, now)] };
}

/** Deliver a notification after so many seconds. */
export async function enqueueDelivery(
  tx: Context,
  { id, channel }: { readonly id: string; readonly channel: string },
  delaySeconds: number,
): Promise<void> {
  // The server delivers, no matter whose deed it is about: their role may change until then.
  const server = { ...tx, viewer: serverViewer(tx.workspaceId) };
  await enqueueJob(server, { ...deliveryOf(id, channel), delaySeconds });
}

function deliveryOf(id: string, channel: string) {
  return {
    kind: deliverJob,
    title: 'Deliver a notification',
    payload: { notification: id },
    priority: channel === 'webhook' ? webhookPriority : priority,
  };
}
