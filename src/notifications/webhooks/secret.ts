// The signing secrets of webhooks: sealed before they are stored, opened only to sign.

import type { ServerContext } from '../../context.ts';
import type { Database } from '../../database/database.ts';
import type { Webhook } from '../../generated/prisma/client.ts';
import { type Rewrapped, rewrapColumn } from '../../integrations/rewrap.ts';
import { seal, unseal } from '../../secrets/envelope.ts';
import type { MasterKeys } from '../../secrets/master-key.ts';
import { permanent } from '../outbox/failure.ts';

/** Seal the secret of a webhook. Workspace and webhook are authenticated with it. */
export function sealSecret(ctx: ServerContext, webhookId: string, secret: string): string {
  const [current] = ctx.surroundings.masterKeys();
  return seal(current, ownerOf(ctx.workspaceId, webhookId), secret);
}

/** The secret of a webhook, to sign with; it must go nowhere else. Throws DeliveryFailure. */
function openSecret(ctx: ServerContext, { id, secret }: { id: string; secret: string }): string {
  const text = unseal(ctx.surroundings.masterKeys(), ownerOf(ctx.workspaceId, id), secret);
  if (text !== null) return text;
  throw permanent(
    'The secret was encrypted with another SECRETS_KEY: the operator starts the server with both keys (SECRETS_KEY=new,old), or rotate the secret.',
  );
}

/** The secrets to sign with: its own, and while it goes on the one before. Throws DeliveryFailure. */
export function openSecrets(
  ctx: ServerContext,
  webhook: Pick<Webhook, 'id' | 'secret' | 'previousSecret' | 'previousUntil'>,
): [string, ...string[]] {
  const { id, secret, previousSecret, previousUntil } = webhook;
  const own = openSecret(ctx, { id, secret });
  if (previousSecret === null || !previousUntil || previousUntil <= ctx.now()) return [own];
  const before = unseal(
    ctx.surroundings.masterKeys(),
    ownerOf(ctx.workspaceId, id),
    previousSecret,
  );
  return before === null ? [own] : [own, before];
}

/** Seal the secrets that an earlier master key sealed under the current one, those that roll off as well. */
export async function rewrapSecrets(
  database: Database,
  masterKeys: () => MasterKeys,
): Promise<Rewrapped> {
  const where = { table: 'webhook', says: 'the secrets of webhooks', ownerOf } as const;
  const own = await rewrapColumn(database, masterKeys, { ...where, column: 'secret' });
  await rewrapColumn(database, masterKeys, { ...where, column: 'previous_secret' });
  return own;
}

const ownerOf = (workspaceId: string, webhookId: string) => `${workspaceId}|${webhookId}|webhook`;
