// Delivers what the outbox holds: at least once, and again after what may pass.

import type { Context, ServerContext } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { type Notification, Prisma } from '../../generated/prisma/client.ts';
import { payloadOf } from '../../jobs/job.ts';
import type { JobHandler, Run } from '../../jobs/run.ts';
import { isMailOn } from '../../surroundings.ts';
import { noteDelivery } from '../figures.ts';
import { linkedEvent } from '../linked-sign-in.ts';
import { isMailWanted } from '../person.ts';
import { deliverToWebhook, pauseOf } from '../webhooks/delivery.ts';
import type { DeliveryOutcome } from './delivery-result.ts';
import { DeliveryFailure } from './failure.ts';
import { enqueueDelivery } from './outbox.ts';
import { say } from './say.ts';

/** After this many attempts, about a day, the news is too old to be worth sending. */
const maxAttempts = 300;
const longestBackoff = 300;
/** A thread can't be answered before its first message is there. */
const threadWait = 2;

/** What a delivery leaves on the incident that it is about: monitors hand it in. */
export interface IncidentDeliveries {
  /** Somebody was notified. */
  delivered(tx: Context, incidentId: string): Promise<void>;
  /** Somebody can't be notified, and why. */
  failed(tx: Context, incidentId: string, why: string): Promise<void>;
}

/** The handler of deliveries. */
export function deliveryHandler(incidents: IncidentDeliveries): JobHandler {
  return (run) => deliver(run, incidents);
}

/** Deliver the notification of a job. Its end and what it leaves are one transaction. */
async function deliver(run: Run, incidents: IncidentDeliveries): Promise<unknown> {
  const { ctx, log } = run;
  const notification = await notificationOf(run);
  if (notification?.state !== 'pending') return { delivered: false };
  const thread = await threadOf(ctx, notification);
  const wait = await waitOf(ctx, notification, thread);
  if (wait > 0) {
    return finish(run, { waited: true }, (tx) => enqueueDelivery(tx, notification, wait));
  }
  const why = notification.channel === 'email' ? await whySkipped(ctx, notification) : null;
  if (why !== null) {
    noteDelivery(ctx.database, notification.channel, 'skipped');
    return finish(run, { skipped: true }, (tx) => skip(tx, notification, why));
  }
  const outcome = await send(ctx, notification, thread?.reference ?? null);
  const { failure } = outcome;
  const isLast = failure?.isPermanent || notification.attempts + 1 >= maxAttempts;
  const end = isLast ? 'failed' : 'again';
  noteDelivery(ctx.database, notification.channel, failure ? end : 'delivered');
  if (!failure) {
    return finish(run, { delivered: true }, async (tx) => {
      await outcome.note?.(tx);
      await noteSuccess(tx, incidents, notification, outcome);
    });
  }
  log(failure.message);
  return finish(run, { delivered: false, reason: failure.message }, async (tx) => {
    await outcome.note?.(tx);
    if (isLast) await noteDefeat(tx, incidents, notification, outcome);
    else await tryAgain(tx, notification, failure);
  });
}

async function finish(
  { ctx, complete }: Run,
  result: object,
  work: (tx: Context) => Promise<void>,
): Promise<object> {
  await transaction(ctx, async (tx) => {
    await work(tx);
    await complete(tx, result);
  });
  return result;
}

const columns = columnsOf(Prisma.NotificationScalarFieldEnum, 'n');

async function notificationOf({ ctx, job }: Run): Promise<Notification | undefined> {
  const { notification: id } = payloadOf(job);
  if (typeof id !== 'string') return undefined;
  const [notification] = await rows<Notification>(
    ctx,
    Prisma.sql`select ${columns} from notification n
      where n.workspace_id = ${ctx.workspaceId}::uuid and n.id = ${id}::uuid`,
  );
  return notification;
}

type Thread = Pick<Notification, 'state' | 'reference' | 'heldUntil'>;

/** Events that are said in the thread of an incident's opening. */
const answering: ReadonlySet<string> = new Set(['incident_reopened', 'incident_resolved']);

/**
 * The message that a notification answers to: that of the cause, where an incident has joined one, else that of its own
 * opening; null where there is none to answer to.
 */
async function threadOf(
  ctx: Context,
  { id, channel, event, incidentId, address, content }: Notification,
): Promise<Thread | null> {
  const cause = textIn(content, 'thread');
  const begun = [cause, answering.has(event) ? incidentId : null].filter((one) => one !== null);
  if (begun.length === 0) return null;
  const [first] = await rows<Thread>(
    ctx,
    Prisma.sql`select state, reference, held_until as "heldUntil" from notification
      where workspace_id = ${ctx.workspaceId}::uuid and incident_id = any(${begun}::uuid[])
        and event = 'incident_opened' and channel = ${channel} and address = ${address}
        and id <> ${id}::uuid
      order by (incident_id = ${cause}::uuid) desc nulls last limit 1`,
  );
  return first ?? null;
}

function secondsUntil(ctx: Context, at: Date | null): number {
  return at === null ? 0 : Math.ceil((at.getTime() - ctx.now().getTime()) / 1_000);
}

/** Seconds for which a notification has to wait for something else; 0 for none. */
async function waitOf(
  ctx: Context,
  { channel, address, heldUntil }: Notification,
  thread: Thread | null,
): Promise<number> {
  const held = secondsUntil(ctx, heldUntil);
  if (held > 0) return held;
  if (thread?.state === 'pending') {
    return Math.max(threadWait, secondsUntil(ctx, thread.heldUntil));
  }
  return channel === 'webhook' ? pauseOf(ctx, address) : 0;
}

/** Why mail that waited is not sent any more; null where it is. */
async function whySkipped(
  ctx: ServerContext,
  { address, content, event }: Notification,
): Promise<string | null> {
  if (!isMailOn(ctx.surroundings)) return 'No mail is sent: SMTP_URL is not set.';
  if (event === linkedEvent) return null;
  const isWanted = await isMailWanted(ctx, { address, userId: textIn(content, 'userId') });
  return isWanted ? null : 'Whom it was for was deactivated, or wants no email.';
}

function textIn(content: Prisma.JsonValue, name: 'thread' | 'userId'): string | null {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) return null;
  const text = content[name];
  return typeof text === 'string' ? text : null;
}

/** Send a notification on its way. */
async function send(
  ctx: ServerContext,
  notification: Notification,
  threadTs: string | null,
): Promise<DeliveryOutcome> {
  if (notification.channel === 'webhook') return deliverToWebhook(ctx, notification);
  const who = `${notification.channel} ${notification.address}`;
  try {
    return { who, reference: await say(ctx, notification, threadTs), failure: null };
  } catch (error) {
    if (error instanceof DeliveryFailure) return { who, reference: null, failure: error };
    throw error;
  }
}

async function noteSuccess(
  tx: Context,
  incidents: IncidentDeliveries,
  { id, incidentId }: Notification,
  { reference }: DeliveryOutcome,
): Promise<void> {
  const deliveredAt = tx.now();
  const data = { state: 'delivered', reference, deliveredAt, lastError: null };
  await update(tx, id, { ...data, attempts: { increment: 1 } });
  if (incidentId !== null) await incidents.delivered(tx, incidentId);
}

async function tryAgain(
  tx: Context,
  notification: Notification,
  { message, retryAfter }: DeliveryFailure,
): Promise<void> {
  await update(tx, notification.id, { attempts: { increment: 1 }, lastError: message });
  const backoff = Math.min(2 ** notification.attempts, longestBackoff);
  await enqueueDelivery(tx, notification, Math.max(retryAfter ?? backoff, 1));
}

/** What can't be delivered is said where somebody will look for it: on the incident. */
async function noteDefeat(
  tx: Context,
  incidents: IncidentDeliveries,
  { id, incidentId }: Notification,
  { who, failure }: DeliveryOutcome,
): Promise<void> {
  const lastError = failure?.message ?? null;
  await update(tx, id, { attempts: { increment: 1 }, lastError, state: 'failed' });
  if (incidentId !== null) await incidents.failed(tx, incidentId, `${who}: ${lastError}`);
}

/** Mail that can't be sent any more, or that no one wants, is skipped, not failed. */
async function skip(tx: Context, { id }: Notification, lastError: string): Promise<void> {
  await update(tx, id, { state: 'skipped', lastError });
}

/** One that was deleted in the meantime, with its webhook, is left alone. */
async function update(
  tx: Context,
  id: string,
  data: Prisma.NotificationUpdateManyMutationInput,
): Promise<void> {
  await tx.db.notification.updateMany({ where: { workspaceId: tx.workspaceId, id }, data });
}
