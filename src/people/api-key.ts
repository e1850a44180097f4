// The API keys of a workspace: making, listing and revoking them.

import { nameOf, record } from '../audit/audit.ts';
import { changesOf, changesOfNew } from '../audit/changes.ts';
import { checkAccounts } from '../auth/account.ts';
import { forgetViewers, storedHash } from '../auth/authentication.ts';
import { makeKey, prefixOf } from '../auth/key-form.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, notFound } from '../errors.ts';
import { checkFields, type Noun, name } from '../fields.ts';
import { type ApiKey, Prisma } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { moment } from '../resources/moment-field.ts';
import { isUuid } from '../text/uuid.ts';
import { keepingAdminAccess } from './admin-access.ts';

/** A key as people may see it: without its hash. */
export type KnownKey = Omit<ApiKey, 'hash'>;

/** What a key is made with. */
export interface NewApiKey {
  readonly name: string;
  /** The user whose role it acts with; the viewer where absent. */
  readonly userId?: string | null | undefined;
  /** When it stops working; never where absent. */
  readonly expiresAt?: Date | null | undefined;
}

/** Its plain fields. That the time is in the future is seen when the key is made. */
export const apiKeyNoun: Noun<NewApiKey, Pick<ApiKey, 'name' | 'expiresAt'>> = {
  by: 'manage API keys',
  fields: {
    name: name('name', { missing: 'A key needs a name.' }),
    expiresAt: { ...moment('expires_at'), holds: 'a date-time in the future, up to 9999' },
  },
};

/** A key that was made just now. */
export interface MadeApiKey {
  /** The key itself, which no one can read again. */
  readonly key: string;
  readonly apiKey: KnownKey;
}

const { hash: _hash, ...known } = Prisma.ApiKeyScalarFieldEnum;
const columns = columnsOf(known, 'k');

/** Make a key. Only admins may. Its text is in the answer, and nowhere else ever. */
export async function createApiKey(ctx: Context, input: NewApiKey): Promise<MadeApiKey> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  const { name = '', expiresAt = null } = checkFields(apiKeyNoun, input);
  if (expiresAt && expiresAt <= ctx.now()) {
    throw invalidField('expires_at', 'This must be in the future.');
  }
  const key = makeKey();
  const hash = await storedHash(ctx.database, key);
  return transaction(ctx, async (tx) => {
    const [account = ctx.viewer] = input.userId
      ? await checkAccounts(tx, 'user_id', [input.userId])
      : [];
    const userId = account.id;
    const { hash: _, ...apiKey } = await tx.db.apiKey.create({
      data: {
        workspaceId: ctx.workspaceId,
        userId,
        name,
        prefix: prefixOf(key),
        hash,
        expiresAt,
      },
    });
    const expiry = apiKey.expiresAt?.toISOString();
    await record(tx, {
      activity: 'api_key_created',
      subject: subject(apiKey),
      related: { ids: [userId], type: 'user' },
      changes: changesOfNew(apiKey),
      says:
        `${nameOf(ctx.viewer)} created the API key ${name} for ${account.email}, who has the role ` +
        `${account.role}; it ${expiry ? `expires at ${expiry}` : 'never expires'}`,
    });
    return { key, apiKey };
  });
}

/**
 * Revoke a key for good; revoking it again changes nothing. Only admins may. This process refuses
 * the key from now on, every other one within five seconds. The last way in for admins stays (CONFLICT).
 */
export async function revokeApiKey(ctx: Context, id: string): Promise<KnownKey> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  const revoked = await keepingAdminAccess(ctx, async (tx) => {
    const [found] = isUuid(id)
      ? await rows<KnownKey & { email: string }>(
          tx,
          Prisma.sql`select ${columns}, u.email from api_key k
            join user_account u on u.workspace_id = k.workspace_id and u.id = k.user_id
            where k.workspace_id = ${ctx.workspaceId}::uuid and k.id = ${id}::uuid
            for update of k`,
        )
      : [];
    if (!found) throw notFound('ApiKey');
    const { email, ...before } = found;
    if (before.revokedAt) return before;
    const { hash: _, ...apiKey } = await tx.db.apiKey.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { revokedAt: ctx.now() },
    });
    await record(tx, {
      activity: 'api_key_revoked',
      subject: subject(apiKey),
      related: { ids: [apiKey.userId], type: 'user' },
      changes: changesOf(before, apiKey),
      says: `${nameOf(ctx.viewer)} revoked the API key ${apiKey.name} of ${email}`,
    });
    return apiKey;
  });
  await forgetViewers(ctx.database);
  return revoked;
}

/** All keys, newest first, revoked ones too. Only admins may list them. */
export async function listApiKeys(ctx: Context, args: PageArgs): Promise<Page<KnownKey>> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  return listPage<KnownKey>(
    ctx,
    {
      from: Prisma.sql`api_key k`,
      columns,
      where: Prisma.sql`k.workspace_id = ${ctx.workspaceId}::uuid`,
      order: newestFirst(Prisma.sql`k`),
    },
    args,
  );
}

function subject({ id, name }: KnownKey) {
  return { id, kind: 'api_key', title: name };
}
