// The credentials of integrations: sealed before they are stored, opened only to connect.

import type { ServerContext } from '../context.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { conflict, notFound } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { rewrap, seal, unseal } from '../secrets/envelope.ts';
import type { MasterKeys } from '../secrets/master-key.ts';

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
  if (!integration.credentials) return {};
  const owner = ownerOf(ctx.workspaceId, integrationId);
  const text = unseal(ctx.surroundings.masterKeys(), owner, integration.credentials);
  if (text === null) {
    throw conflict(
      'The credentials were encrypted with another SECRETS_KEY: the operator starts the server with both keys (SECRETS_KEY=new,old), or enter the credentials again.',
    );
  }
  const credentials: unknown = JSON.parse(text);
  return isCredentials(credentials) ? credentials : {};
}

/** How many secrets were sealed again, and whose could not be. */
export interface Rewrapped {
  readonly rewrapped: number;
  /** Names of those whose secrets no key of this process opens. */
  readonly unknown: readonly string[];
}

/**
 * Seal all credentials that an earlier master key sealed under the current one, so that the earlier one
 * can be taken away.
 */
export async function rewrapCredentials(
  db: Connection,
  masterKeys: () => MasterKeys,
): Promise<Rewrapped> {
  const sealed = await rows<{ workspaceId: string; id: string; name: string; credentials: string }>(
    db,
    Prisma.sql`select workspace_id as "workspaceId", id, name, credentials from integration
      where credentials is not null order by name, id`,
  );
  if (sealed.length === 0) return { rewrapped: 0, unknown: [] };
  const keys = masterKeys();
  let rewrapped = 0;
  const unknown: string[] = [];
  for (const { workspaceId, id, name, credentials } of sealed) {
    const known = rewrap(keys, ownerOf(workspaceId, id), credentials);
    if (known === null) unknown.push(name);
    if (known === null || known === credentials) continue;
    rewrapped += await execute(
      db,
      Prisma.sql`update integration set credentials = ${known}
        where workspace_id = ${workspaceId}::uuid and id = ${id}::uuid
          and credentials = ${credentials}`,
    );
  }
  return { rewrapped, unknown };
}

const ownerOf = (workspaceId: string, integrationId: string) =>
  `${workspaceId}|${integrationId}|credentials`;

function isCredentials(value: unknown): value is Credentials {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
