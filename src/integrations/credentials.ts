// The credentials of integrations: sealed before they are stored, opened only to connect.

import type { ServerContext } from '../context.ts';
import type { Database } from '../database/database.ts';
import { rows } from '../database/rows.ts';
import { conflict, notFound } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { seal, unseal } from '../secrets/envelope.ts';
import type { MasterKeys } from '../secrets/master-key.ts';
import { type Rewrapped, rewrapColumn } from './rewrap.ts';

/** What a source is connected to with: names and values, as the type of integration needs them. */
export type Credentials = Readonly<Record<string, unknown>>;

/** Seal credentials for an integration. Workspace and integration are authenticated with them. */
export async function sealCredentials(
  ctx: ServerContext,
  integrationId: string,
  credentials: Credentials,
): Promise<string> {
  const [current] = ctx.surroundings.masterKeys();
  return seal(current, ownerOf(ctx.workspaceId, integrationId), JSON.stringify(credentials));
}

/**
 * The credentials of an integration, to connect to its source with; they must go nowhere else. Empty
 * where there are none. The caller has checked that the viewer may cause the connection. Throws
 * CONFLICT where they were sealed under a key that this process doesn't have.
 */
export async function openCredentials(
  ctx: ServerContext,
  integrationId: string,
): Promise<Credentials> {
  const [integration] = await rows<{ credentials: string | null }>(
    ctx,
    Prisma.sql`select credentials from integration
      where workspace_id = ${ctx.workspaceId}::uuid and id = ${integrationId}::uuid`,
  );
  if (!integration) throw notFound('Integration');
  return unsealCredentials(ctx, integrationId, integration.credentials);
}

/** The same of a row that was read already. */
export function unsealCredentials(
  ctx: ServerContext,
  integrationId: string,
  sealed: string | null,
): Credentials {
  if (!sealed) return {};
  const owner = ownerOf(ctx.workspaceId, integrationId);
  const text = unseal(ctx.surroundings.masterKeys(), owner, sealed);
  if (text === null) {
    throw conflict(
      'The credentials were encrypted with another SECRETS_KEY: the operator starts the server with both keys (SECRETS_KEY=new,old), or enter the credentials again.',
    );
  }
  const credentials: unknown = JSON.parse(text);
  return isCredentials(credentials) ? credentials : {};
}

/** Seal the credentials that an earlier master key sealed under the current one. */
export function rewrapCredentials(
  database: Database,
  masterKeys: () => MasterKeys,
): Promise<Rewrapped> {
  const says = 'the credentials of integrations';
  const where = { table: 'integration', column: 'credentials', says, ownerOf } as const;
  return rewrapColumn(database, masterKeys, where);
}

const ownerOf = (workspaceId: string, integrationId: string) =>
  `${workspaceId}|${integrationId}|credentials`;

function isCredentials(value: unknown): value is Credentials {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
