// The delivery log of webhooks: what was sent, with which result, and sending it once more.

import { randomUUID } from 'node:crypto';
import { record } from '../../audit/audit.ts';
import { changeOf } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, notFound } from '../../errors.ts';
import { type Notification, Prisma, type WebhookAttempt } from '../../generated/prisma/client.ts';
import { newestFirst, type Page, type PageArgs } from '../../lists/page.ts';
import { loadPage, type OwnedListing } from '../../lists/page-of-each.ts';
import { isUuid } from '../../text/uuid.ts';
import { enqueueDelivery } from '../outbox/outbox.ts';
import { type Attempt, attempt } from './attempt.ts';
import { findWebhook, logAttempt } from './delivery.ts';
import { getWebhook, namedOnly } from './webhook.ts';

const columns = columnsOf(Prisma.NotificationScalarFieldEnum, 'n');

/** What was sent to a webhook, newest first; for many webhooks read together. Only admins may read it. */
export async function loadDeliveries(
  ctx: Context,
  webhookId: string,
  args: PageArgs,
): Promise<Page<Notification>> {
  mustBeAllowed(ctx, 'manage webhooks');
  return loadPage(ctx, deliveriesOf, { ownerId: webhookId, query: null, args });
}

function deliveriesOf(ctx: Context): OwnedListing {
  return {
    from: Prisma.sql`notification n`,
    columns,
    where: Prisma.sql`n.workspace_id = ${ctx.workspaceId}::uuid and n.channel = 'webhook'`,
    order: newestFirst(Prisma.sql`n`),
    belongs: Prisma.sql`n.address = owner.id::text`,
  };
}

/** Attempts of one delivery that are shown, the latest. */
const maxShown = 100;

/** The attempts of a delivery, in order; those of many are read together. */
export async function loadAttempts(ctx: Context, id: string): Promise<WebhookAttempt[]> {
  mustBeAllowed(ctx, 'manage webhooks');
  return (await loaderOf(ctx, attemptsByDelivery).load(id)) ?? [];
}

const attemptColumns = columnsOf(Prisma.WebhookAttemptScalarFieldEnum, 'a');

async function attemptsByDelivery(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, WebhookAttempt[]>> {
  const found = await rows<WebhookAttempt>(
    ctx,
    Prisma.sql`select a.* from unnest(${[...ids]}::uuid[]) d(id) cross join lateral (
        select ${attemptColumns} from webhook_attempt a
        where a.workspace_id = ${ctx.workspaceId}::uuid and a.notification_id = d.id
        order by a.started_at desc, a.id limit ${maxShown}) a`,
  );
  const attempts = new Map<string, WebhookAttempt[]>(ids.map((id) => [id, []]));
  for (const one of found) attempts.get(one.notificationId)?.unshift(one);
  return attempts;
}

/** Send something once more, under the id it had. Only admins may. */
export async function redeliver(ctx: Context, deliveryId: string): Promise<Notification> {
  mustBeAllowed(ctx, 'manage webhooks');
  return transaction(ctx, async (tx) => {
    const { workspaceId } = ctx;
    const before = await lockDelivery(tx, deliveryId);
    const webhook = await getWebhook(tx, before.address);
    if (!webhook.isEnabled) throw conflict('The webhook is disabled: enable it first.');
    if (before.state === 'pending') throw conflict('This delivery is already in progress.');
    // Who asks for it by hand wants to see what comes of it now.
    const well = { failures: 0, pausedUntil: null };
    await tx.db.webhook.updateMany({ where: { workspaceId, id: webhook.id }, data: well });
    const delivery = await tx.db.notification.update({
      where: { workspaceId_id: { workspaceId, id: before.id } },
      data: { state: 'pending', attempts: 0, deliveredAt: null, lastError: null },
    });
    await enqueueDelivery(tx, delivery, 0);
    await record(tx, {
      activity: 'webhook_redelivered',
      subject: namedOnly(webhook),
      related: { ids: [delivery.id], type: 'webhook_delivery' },
    });
    return delivery;
  });
}

async function lockDelivery(tx: Context, id: string): Promise<Notification> {
  const [delivery] = isUuid(id)
    ? await rows<Notification>(
        tx,
        Prisma.sql`select ${columns} from notification n
          where n.workspace_id = ${tx.workspaceId}::uuid and n.id = ${id}::uuid
            and n.channel = 'webhook' for update`,
      )
    : [];
  if (!delivery) throw notFound('Webhook delivery');
  return delivery;
}

/** Send a signed `ping` at once, whether the webhook is enabled or not. Only admins may. */
export async function testWebhook(ctx: ServerContext, id: string): Promise<Attempt> {
  mustBeAllowed(ctx, 'manage webhooks');
  const known = await getWebhook(ctx, id);
  const webhook = await findWebhook(ctx, known.id);
  if (!webhook) throw notFound('Webhook');
  const pingId = randomUUID();
  const content = { title: 'Ping', text: 'A test.' };
  const data = { webhook: { id: known.id, name: known.name } };
  const body = JSON.stringify({ type: 'ping', timestamp: ctx.now(), data });
  // No one waits for the other side within a transaction.
  const tried = await attempt(ctx, webhook, { id: pingId, body });
  await transaction(ctx, async (tx) => {
    const { workspaceId } = tx;
    const isTaken = tried.failure === null;
    await getWebhook(tx, known.id);
    await tx.db.notification.create({
      data: {
        ...{ workspaceId, id: pingId, dedupeKey: pingId, event: 'ping', content, body },
        ...{ channel: 'webhook', address: known.id, attempts: 1, createdAt: tried.startedAt },
        state: isTaken ? 'delivered' : 'failed',
        deliveredAt: isTaken ? tx.now() : null,
        lastError: tried.failure?.message ?? null,
      },
    });
    await logAttempt(tx, pingId, tried);
    await record(tx, {
      activity: 'webhook_tested',
      subject: namedOnly(known),
      related: { ids: [pingId], type: 'webhook_delivery' },
      changes: [changeOf('outcome', null, isTaken ? 'delivered' : 'failed')],
    });
  });
  return tried;
}
