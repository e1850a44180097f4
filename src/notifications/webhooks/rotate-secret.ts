// Rolls the secret of a webhook: the one before goes on for some hours.

import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context, ServerContext } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict, invalidField, notFound } from '../../errors.ts';
import { Prisma, type Webhook } from '../../generated/prisma/client.ts';
import { makeSecret } from '../../network/signature.ts';
import { sealSecret } from './secret.ts';
import { changeWebhook, getWebhook, type WebhookWithSecret, webhookNoun } from './webhook.ts';

/** Hours that requests are signed with the secret before as well. */
const usualOverlap = 24;
const maxOverlap = 24 * 30;

/**
 * Give a webhook another secret. Everything is signed with that from now on, and for some hours with the one before as
 * well, so that its receiver has time to learn of it; with 0 hours a secret that leaked ends at once. Only admins may.
 */
export async function rotateWebhookSecret(
  ctx: ServerContext,
  id: string,
  overlapHours: number | null = null,
): Promise<WebhookWithSecret> {
  mustBeAllowed(ctx, webhookNoun.by);
  const hours = overlapHours ?? usualOverlap;
  if (!Number.isInteger(hours) || hours < 0 || hours > maxOverlap) {
    throw invalidField('overlap_hours', `Use a whole number from 0 to ${maxOverlap}.`);
  }
  const secret = makeSecret();
  const known = await getWebhook(ctx, id);
  if (known.format !== 'headwater') {
    throw conflict(
      `A webhook of ${known.format} is not signed: make another one with the new key.`,
    );
  }
  const sealed = sealSecret(ctx, known.id, secret);
  const webhook = await transaction(ctx, async (tx) => {
    const { secret: before } = await lockSecret(tx, known.id);
    return changeWebhook(tx, id, 'webhook_secret_rotated', {
      secret: sealed,
      previousSecret: hours === 0 ? null : before,
      previousUntil: hours === 0 ? null : new Date(ctx.now().getTime() + hours * 3_600_000),
    });
  });
  return { webhook, secret };
}

async function lockSecret(tx: Context, id: string): Promise<Pick<Webhook, 'secret'>> {
  const [found] = await rows<Pick<Webhook, 'secret'>>(
    tx,
    Prisma.sql`select w.secret from webhook w
      where w.workspace_id = ${tx.workspaceId}::uuid and w.id = ${id}::uuid for update`,
  );
  if (!found) throw notFound('Webhook');
  return found;
}
