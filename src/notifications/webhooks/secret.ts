// The signing secrets of webhooks: sealed before they are stored, opened only to sign.

import type { ServerContext } from '../../context.ts';
import { type Connection, execute, rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { Rewrapped } from '../../integrations/credentials.ts';
import { rewrap, seal, unseal } from '../../secrets/envelope.ts';
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

/** Seal all secrets that an earlier master key sealed under the current one. */
export async function rewrapSecrets(
  db: Connection,
  masterKeys: () => MasterKeys,
): Promise<Rewrapped> {
  const sealed = await rows<{ workspaceId: string; id: string; name: string; secret: string }>(
    db,
    Prisma.sql`select workspace_id as "workspaceId", id, name, secret from webhook order by name, id`,
  );
  let rewrapped = 0;
  const unknown: string[] = [];
  for (const { workspaceId, id, name, secret } of sealed) {
    const known = rewrap(masterKeys(), ownerOf(workspaceId, id), secret);
    if (known === null) unknown.push(name);
    if (known === null || known === secret) continue;
    rewrapped += await execute(
      db,
      Prisma.sql`update webhook set secret = ${known}
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid and secret = ${secret}`,
    );
  }
  return { rewrapped, unknown };
}

const ownerOf = (workspaceId: string, webhookId: string) => `${workspaceId}|${webhookId}|webhook`;
