// The signing secrets of webhooks: sealed before they are stored, opened only to sign.

import type { ServerContext } from '../../context.ts';
import type { Database } from '../../database/database.ts';
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
export function openSecret(
  ctx: ServerContext,
  { id, secret }: { id: string; secret: string },
): string {
  const text = unseal(ctx.surroundings.masterKeys(), ownerOf(ctx.workspaceId, id), secret);
  if (text !== null) return text;
  throw permanent(
    'The secret was encrypted with another SECRETS_KEY: the operator starts the server with both keys (SECRETS_KEY=new,old), or rotate the secret.',
  );
}

/** Seal the secrets that an earlier master key sealed under the current one. */
export function rewrapSecrets(
  database: Database,
  masterKeys: () => MasterKeys,
): Promise<Rewrapped> {
  const says = 'the secrets of webhooks';
  const where = { table: 'webhook', column: 'secret', says, ownerOf } as const;
  return rewrapColumn(database, masterKeys, where);
}

const ownerOf = (workspaceId: string, webhookId: string) => `${workspaceId}|${webhookId}|webhook`;
