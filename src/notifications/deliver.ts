// In charge of delivering what the outbox holds: at least once, and again after what may pass.

import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { type Notification, Prisma } from '../generated/prisma/client.ts';
import type { JobHandler, Run } from '../jobs/run.ts';
import { postMessage } from './chat.ts';
import { DeliveryFailure } from './delivery-failure.ts';
import { sendMail } from './email.ts';
import { enqueueDelivery } from './outbox.ts';

/** After so many attempts, about a day, nobody wants to hear of it any more. */
const maxAttempts = 300;
const longestBackoff = 300;
/** A thread can't be answered before its first message is there. */
const threadWait = 2;

/** What a delivery has to know of incidents, and to leave on them: monitors hand it in. */
export interface IncidentDesk {
  /** What a message of an incident's beginning adds. */
  lines(ctx: Context, incidentId: string): Promise<string[]>;
  /** Somebody was told. */
  told(tx: Context, incidentId: string): Promise<void>;
  /** Somebody can't be told, and why. */
  untold(tx: Context, incidentId: string, why: string): Promise<void>;
}

/** The handler of deliveries. */
export function deliveryHandler(incidents: IncidentDesk): JobHandler {
  return (run) => deliver(run, incidents);
}

/** Deliver the notification of a job. Its end and what it leaves are one transaction. */
async function deliver(run: Run, incidents: IncidentDesk): Promise<unknown> {
  const { ctx, log } = run;
  const notification = await notificationOf(run);
  if (notification?.state !== 'pending') return { delivered: false };
  const thread = await threadOf(ctx, notification);
  if (thread === 'waiting') {
    return finish(run, { waited: true }, (tx) => enqueueDelivery(tx, notification.id, threadWait));
  }
  try {
    const reference = await send(ctx, incidents, notification, thread);
    return await finish(run, { delivered: true }, (tx) =>
      noteSuccess(tx, incidents, notification, reference),
    );
  } catch (error) {
    if (!(error instanceof DeliveryFailure)) throw error;
    log(error.message);
    const isLast = error.isPermanent || notification.attempts + 1 >= maxAttempts;
    return finish(run, { delivered: false, reason: error.message }, (tx) =>
      isLast ? noteDefeat(tx, incidents, notification, error) : tryAgain(tx, notification, error),
    );
  }
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

async function notificationOf({ ctx, job }: Run): Promise<Notification | null> {
  const { payload } = job;
  const id =
    typeof payload === 'object' && payload !== null && !Array.isArray(payload)
      ? payload.notification
      : null;
  if (typeof id !== 'string') return null;
  return ctx.db.notification.findFirst({ where: { workspaceId: ctx.workspaceId, id } });
}

/** The message that an incident's end answers to; null where there is none to answer to. */
async function threadOf(
  ctx: Context,
  { channel, event, incidentId, address }: Notification,
): Promise<'waiting' | string | null> {
  if (event !== 'incident_resolved' || incidentId === null) return null;
  const [first] = await rows<{ state: string; reference: string | null }>(
    ctx,
    Prisma.sql`select state, reference from notification
      where workspace_id = ${ctx.workspaceId}::uuid and incident_id = ${incidentId}::uuid
        and event = 'incident_opened' and channel = ${channel} and address = ${address}`,
  );
  return first?.state === 'pending' ? 'waiting' : (first?.reference ?? null);
}

/** Send a notification; what the other side calls it. */
async function send(
  ctx: Context,
  incidents: IncidentDesk,
  { id, channel, address, event, incidentId, content }: Notification,
  threadTs: string | null,
): Promise<string> {
  const { title, text } = wordsOf(content);
  const isOpening = event === 'incident_opened' && incidentId !== null;
  const lines = isOpening ? await incidents.lines(ctx, incidentId) : [];
  if (channel === 'email') {
    const subject = event === 'incident_resolved' ? `Resolved: ${title}` : `Incident: ${title}`;
    const body = `${[text, ...lines].join('\n')}\n`;
    return sendMail(ctx.database, { to: address, subject, text: body, id, answers: threadTs });
  }
  const message = [`*${forChat(title)}*`, forChat(text), ...lines.map(forChat)].join('\n');
  return postMessage(ctx, { channel: address, text: message, threadTs });
}

function wordsOf(content: Prisma.JsonValue): { title: string; text: string } {
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    return { title: '', text: '' };
  }
  return { title: String(content.title ?? ''), text: String(content.text ?? '') };
}

/** The three characters that mean something in a chat's text. */
function forChat(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

async function noteSuccess(
  tx: Context,
  incidents: IncidentDesk,
  { id, incidentId }: Notification,
  reference: string | null,
): Promise<void> {
  const { workspaceId } = tx;
  await tx.db.notification.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: {
      state: 'delivered',
      reference,
      deliveredAt: tx.now(),
      lastError: null,
      attempts: { increment: 1 },
    },
  });
  if (incidentId !== null) await incidents.told(tx, incidentId);
}

async function tryAgain(
  tx: Context,
  { id, attempts }: Notification,
  { message, retryAfter }: DeliveryFailure,
): Promise<void> {
  await tx.db.notification.update({
    where: { workspaceId_id: { workspaceId: tx.workspaceId, id } },
    data: { attempts: { increment: 1 }, lastError: message },
  });
  const backoff = Math.min(2 ** attempts, longestBackoff);
  await enqueueDelivery(tx, id, Math.max(retryAfter ?? backoff, 1));
}

/** What can't be delivered is said where somebody will look for it: on the incident. */
async function noteDefeat(
  tx: Context,
  incidents: IncidentDesk,
  { id, incidentId, channel, address }: Notification,
  { message }: DeliveryFailure,
): Promise<void> {
  const { workspaceId } = tx;
  await tx.db.notification.update({
    where: { workspaceId_id: { workspaceId, id } },
    data: { attempts: { increment: 1 }, lastError: message, state: 'failed' },
  });
  if (incidentId !== null)
    await incidents.untold(tx, incidentId, `${channel} ${address}: ${message}`);
}
