// In charge of the credentials of integrations: sealed before they are stored, opened only to connect.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import type { Context } from '../context.ts';
import type { Database } from '../database/open.ts';
import { type Connection, execute, rows } from '../database/rows.ts';
import { notFound } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';

/** What a source is connected to with: names and values, as the type of integration needs them. */
export type Credentials = Readonly<Record<string, unknown>>;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;
const keyBytes = 32;
/** Says how a text was sealed, should that ever change. */
const version = 'v1';

const secrets = new WeakMap<Database, string>();

/**
 * Seal with a secret from outside of the database, so that a copy of the database alone opens nothing.
 * To be called at start, when the operator has set one; without it a secret is kept in the database.
 */
export function setCredentialsSecret(database: Database, secret: string): void {
  secrets.set(database, secret);
}

/**
 * Seal credentials for an integration: AES-256-GCM under a key of the workspace. The integration's id
 * is authenticated, so that no row's text opens for another integration.
 */
export async function sealCredentials(
  ctx: Context,
  integrationId: string,
  credentials: Credentials,
): Promise<string> {
  const key = await keyOf(ctx);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  cipher.setAAD(Buffer.from(integrationId));
  const text = Buffer.from(JSON.stringify(credentials));
  const sealed = Buffer.concat([nonce, cipher.update(text), cipher.final(), cipher.getAuthTag()]);
  return `${version}:${sealed.toString('base64')}`;
}

/**
 * The credentials of an integration, to connect to its source with; they must go nowhere else. Empty
 * where there are none. The caller has checked that the viewer may cause the connection.
 */
export async function openCredentials(ctx: Context, integrationId: string): Promise<Credentials> {
  const integration = await ctx.db.integration.findFirst({
    where: { workspaceId: ctx.workspaceId, id: integrationId },
    select: { credentials: true },
  });
  if (!integration) throw notFound('Integration');
  if (!integration.credentials) return {};
  const [, text = ''] = integration.credentials.split(':');
  const sealed = Buffer.from(text, 'base64');
  const key = await keyOf(ctx);
  const nonce = sealed.subarray(0, nonceBytes);
  const opener = createDecipheriv(algorithm, key, nonce, { authTagLength: tagBytes });
  opener.setAAD(Buffer.from(integrationId));
  opener.setAuthTag(sealed.subarray(-tagBytes));
  const opened = Buffer.concat([
    opener.update(sealed.subarray(nonceBytes, -tagBytes)),
    opener.final(),
  ]);
  const credentials: unknown = JSON.parse(opened.toString());
  return isCredentials(credentials) ? credentials : {};
}

function isCredentials(value: unknown): value is Credentials {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}

async function keyOf(ctx: Context): Promise<Buffer> {
  const secret = secrets.get(ctx.database) ?? (await storedSecret(ctx));
  return Buffer.from(hkdfSync('sha256', secret, ctx.workspaceId, 'credentials', keyBytes));
}

const settingName = 'credentials_secret';

async function storedSecret(ctx: Connection): Promise<string> {
  const made = randomBytes(keyBytes).toString('base64');
  await execute(
    ctx,
    Prisma.sql`insert into setting (name, value) values (${settingName}, ${made})
      on conflict (name) do nothing`,
  );
  const [found] = await rows<{ value: string }>(
    ctx,
    Prisma.sql`select value from setting where name = ${settingName}`,
  );
  if (!found) throw new Error('The secret of the credentials could not be kept.');
  return found.value;
}
