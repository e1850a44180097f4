// Delivers to webhooks from the outbox, and keeps what each attempt leaves behind.

import type { Context, ServerContext } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { rows } from '../../database/rows.ts';
import { type Notification, Prisma, type Webhook } from '../../generated/prisma/client.ts';
import type { DeliveryOutcome } from '../outbox/delivery-result.ts';
import { permanent } from '../outbox/failure.ts';
import { type Attempt, attempt } from './attempt.ts';
import { giveUpWebhook } from './webhook.ts';

const longestPause = 300;
/** The receiver says that it is gone for good. */
const gone = 410;

/** Send a notification to its webhook. */
export async function deliverToWebhook(
  ctx: ServerContext,
  { id, address, body }: Notification,
): Promise<DeliveryOutcome> {
  const webhook = await findWebhook(ctx, address);
  const who = `webhook ${webhook?.name ?? address}`;
  if (!webhook?.isEnabled) {
    return { who, reference: null, failure: permanent('The webhook is disabled.') };
  }
  const tried = await attempt(ctx, webhook, { id, body: body ?? '{}' });
  return {
    who,
    reference: null,
    failure: tried.failure,
    async note(tx) {
      await logAttempt(tx, id, tried);
      await noteHealth(tx, webhook, tried);
    },
  };
}

/**
 * Seconds for which a webhook is left alone because it failed just now. So one that does not answer
 * is asked by one delivery at a time, and doesn't keep workers from other work.
 */
export async function pauseOf(ctx: Context, webhookId: string): Promise<number> {
  const [paused] = await rows<{ seconds: number }>(
    ctx,
    Prisma.sql`select extract(epoch from w.paused_until - now())::float8 as seconds from webhook w
      where w.workspace_id = ${ctx.workspaceId}::uuid and w.id = ${webhookId}::uuid
        and w.is_enabled and w.paused_until > now()`,
  );
  return paused?.seconds ?? 0;
}

const columns = columnsOf(Prisma.WebhookScalarFieldEnum, 'w');

/** A webhook with its sealed secret, for the server's own use. */
export async function findWebhook(ctx: Context, id: string): Promise<Webhook | undefined> {
  const [webhook] = await rows<Webhook>(
    ctx,
    Prisma.sql`select ${columns} from webhook w
      where w.workspace_id = ${ctx.workspaceId}::uuid and w.id = ${id}::uuid`,
  );
  return webhook;
}

/** Put an attempt in the log. One that was deleted in the meantime, with its webhook, has none any more. */
export async function logAttempt(
  tx: Context,
  notificationId: string,
  { startedAt, durationMs, status, answer, failure }: Attempt,
): Promise<void> {
  const { workspaceId } = tx;
  const [kept] = await rows<{ id: string }>(
    tx,
    Prisma.sql`select n.id from notification n where n.workspace_id = ${workspaceId}::uuid
      and n.id = ${notificationId}::uuid for key share`,
  );
  if (!kept) return;
  const error = failure?.message ?? null;
  await tx.db.webhookAttempt.create({
    data: { workspaceId, notificationId, startedAt, durationMs, status, answer, error },
  });
}

/** What an attempt says of a webhook, as it was asked: of one that was changed since it says nothing. */
async function noteHealth(
  tx: Context,
  { id, version, failures, pausedUntil }: Webhook,
  { status, failure }: Attempt,
): Promise<void> {
  const { workspaceId } = tx;
  if (status === gone) {
    return giveUpWebhook(tx, { id, version }, 'The webhook answered that it is gone (410).');
  }
  const mayPass = failure !== null && !failure.isPermanent;
  if (!mayPass) {
    if (failures === 0 && pausedUntil === null) return;
    const well = { failures: 0, pausedUntil: null };
    await tx.db.webhook.updateMany({ where: { workspaceId, id, version }, data: well });
    return;
  }
  const pause = failure.retryAfter ?? Math.min(2 ** failures, longestPause);
  await rows(
    tx,
    Prisma.sql`update webhook set failures = failures + 1,
        paused_until = now() + make_interval(secs => ${pause}::float8)
      where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and version = ${version}`,
  );
}
