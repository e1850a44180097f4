// The API keys of a workspace: making, listing and revoking them.

import { nameOf, record } from '../audit/audit.ts';
import { changesOf, changesOfNew } from '../audit/changes.ts';
import { checkAccounts } from '../auth/account.ts';
import { forgetViewers, storedHash } from '../auth/authentication.ts';
import { makeKey, prefixOf } from '../auth/key-form.ts';
import { apiKeyScopes, isApiKeyScope } from '../auth/key-scope.ts';
import { isAllowed, mustBeAllowed, mustMayImport } from '../auth/permission.ts';
import { isRole } from '../auth/viewer.ts';
import type { Context, ServerContext } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, invalidField, notFound } from '../errors.ts';
import { checkFields, type Field, type Noun, name } from '../fields.ts';
import { type ApiKey, Prisma } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { moment } from '../resources/moment-field.ts';
import { isUuid, notAnId, unknownIds } from '../text/uuid.ts';
import { keepingAdminAccess } from './admin-access.ts';

/** A key as people may see it: without its hash. */
export type KnownKey = Omit<ApiKey, 'hash'>;

/** What a key is made with. */
export interface NewApiKey {
  readonly name: string;
  /** What it may do of what its user may; READ where absent. */
  readonly scopes?: readonly string[] | null | undefined;
  /** The only integration that its scope IMPORT is for; any where absent. */
  readonly integrationId?: string | null | undefined;
  /** The user whose role it acts with; the viewer where absent. */
  readonly userId?: string | null | undefined;
  /** When it stops working; null for never, and after the days that the server has for it where absent. */
  readonly expiresAt?: Date | null | undefined;
}

const scopeNames = Object.keys(apiKeyScopes).join(', ');

/** Scopes of a key, each once and in their order. */
const scopes: Field<readonly string[], string[]> = {
  rest: 'scopes',
  holds: `one or several of ${scopeNames}`,
  check: (given) => {
    const wanted = new Set(given ?? ['READ']);
    const unknown = [...wanted].find((one) => !isApiKeyScope(one));
    if (wanted.size > 0 && unknown === undefined) {
      return Object.keys(apiKeyScopes).filter((one) => wanted.has(one));
    }
    throw invalidField('scopes', `Use one or several of ${scopeNames}.`);
  },
};

/** Its plain fields. That the time is in the future is seen when the key is made. */
export const apiKeyNoun: Noun<NewApiKey, Pick<ApiKey, 'name' | 'expiresAt' | 'scopes'>> = {
  by: 'make own API keys',
  fields: {
    name: name('name', { missing: 'A key needs a name.' }),
    scopes,
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
const dayMs = 86_400_000;

/**
 * Make a key. Everybody may for themselves, admins for others; the key may do no more than its user. Its text is in
 * the answer, and nowhere else ever.
 */
export async function createApiKey(ctx: ServerContext, input: NewApiKey): Promise<MadeApiKey> {
  const days = ctx.surroundings.apiKeyDays;
  const usual = days === 0 ? null : new Date(ctx.now().getTime() + days * dayMs);
  const { expiresAt = usual } = input;
  return makeApiKey(ctx, { ...input, expiresAt });
}

/** The same where no server runs, whose settings say for how long: for ever unless a time is given. */
export async function makeApiKey(ctx: Context, input: NewApiKey): Promise<MadeApiKey> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  const isOwn = !input.userId || input.userId.toLowerCase() === ctx.viewer.id;
  if (!isOwn) mustBeAllowed(ctx, 'manage API keys');
  const given = { ...input, scopes: input.scopes ?? null };
  const { name = '', scopes = [], expiresAt = null } = checkFields(apiKeyNoun, given);
  if (expiresAt && expiresAt <= ctx.now()) {
    throw invalidField('expires_at', 'This must be in the future.');
  }
  const key = makeKey(ctx.workspaceId);
  const hash = await storedHash(ctx.database, key);
  return transaction(ctx, async (tx) => {
    const [account = ctx.viewer] = isOwn
      ? []
      : await checkAccounts(tx, 'user_id', [input.userId ?? ''], { services: true });
    const integrationId = await checkIntegration(tx, input.integrationId ?? null, scopes, account);
    const data = { userId: account.id, name, scopes, integrationId, expiresAt };
    const apiKey = await storeKey(tx, { ...data, key, hash });
    await record(tx, {
      activity: 'api_key_created',
      subject: subject(apiKey),
      related: { ids: [account.id], type: 'user' },
      changes: changesOfNew(apiKey),
      says:
        `${nameOf(ctx.viewer)} created the API key ${name} for ${account.email}, who has the role ` +
        `${account.role}; it may ${scopes.join(', ')} and ${expiryOf(apiKey)}`,
    });
    return { key, apiKey };
  });
}

/** What is stored of a new key. */
type StoredKey = Pick<ApiKey, 'userId' | 'name' | 'scopes' | 'integrationId' | 'expiresAt'>;

async function storeKey(
  tx: Context,
  { key, ...data }: StoredKey & { readonly key: string; readonly hash: string },
): Promise<KnownKey> {
  const { hash: _, ...apiKey } = await tx.db.apiKey.create({
    data: { ...data, workspaceId: tx.workspaceId, prefix: prefixOf(key) },
  });
  return apiKey;
}

const expiryOf = ({ expiresAt }: KnownKey) =>
  expiresAt ? `expires at ${expiresAt.toISOString()}` : 'never expires';

/** The integration that a key is for. Throws where it is for none, or its user may not import at all. */
async function checkIntegration(
  tx: Context,
  id: string | null,
  scopes: readonly string[],
  { role }: { readonly role: string },
): Promise<string | null> {
  const isImport = scopes.includes('IMPORT');
  if (id !== null && !isImport) {
    throw invalidField('integration_id', 'Only a key with the scope IMPORT is for an integration.');
  }
  if (!isImport) return null;
  mustMayImport({ viewer: { ...tx.viewer, role: isRole(role) ? role : 'guest' } }, id ?? '');
  if (id === null) return null;
  const found = isUuid(id)
    ? await rows(
        tx,
        Prisma.sql`select i.id from integration i
          where i.workspace_id = ${tx.workspaceId}::uuid and i.id = ${id}::uuid`,
      )
    : [];
  if (found.length === 0) throw invalidField('integration_id', unknownIds('integration', [id]));
  return id.toLowerCase();
}

/** Hours that a key goes on next to the one that takes its place. */
const usualOverlap = 24;
const maxOverlap = 24 * 30;

/**
 * Make a key that takes the place of another one, which goes on for some hours: of the same user and scopes, for as
 * long as that one was made for. Everybody may of their own keys, admins of all. Throws CONFLICT for a key that has
 * ended.
 */
export async function rotateApiKey(
  ctx: Context,
  id: string,
  overlapHours: number | null = null,
): Promise<MadeApiKey> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  const hours = overlapHours ?? usualOverlap;
  if (!Number.isInteger(hours) || hours < 0 || hours > maxOverlap) {
    throw invalidField('overlap_hours', `Use a whole number from 0 to ${maxOverlap}.`);
  }
  const key = makeKey(ctx.workspaceId);
  const hash = await storedHash(ctx.database, key);
  const made = await transaction(ctx, async (tx) => {
    const { email, ...before } = await lockKey(tx, id);
    const now = ctx.now();
    if (before.revokedAt || (before.expiresAt && before.expiresAt <= now)) {
      throw conflict('The key has ended: make another one.');
    }
    const end = new Date(now.getTime() + hours * 3_600_000);
    const apiKey = await storeKey(tx, { ...sameAs(before, now), key, hash });
    const { hash: _, ...after } = await tx.db.apiKey.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { expiresAt: before.expiresAt && before.expiresAt < end ? before.expiresAt : end },
    });
    await record(tx, {
      activity: 'api_key_rotated',
      subject: subject(before),
      related: { ids: [before.userId], type: 'user' },
      changes: changesOf(before, after),
      says:
        `${nameOf(ctx.viewer)} replaced the API key ${before.name} of ${email}: it ${expiryOf(after)}, ` +
        `the new one begins with ${apiKey.prefix} and ${expiryOf(apiKey)}`,
    });
    return { key, apiKey };
  });
  await forgetViewers(ctx.database);
  return made;
}

function sameAs(
  { userId, name, scopes, integrationId, createdAt, expiresAt }: KnownKey,
  now: Date,
) {
  const lasts = expiresAt && expiresAt.getTime() - createdAt.getTime();
  const until = lasts === null ? null : new Date(now.getTime() + lasts);
  return { userId, name, scopes, integrationId, expiresAt: until };
}

/** A key that the viewer may end, locked. Of others than their own only admins know. */
async function lockKey(tx: Context, id: string): Promise<KnownKey & { readonly email: string }> {
  const [found] = isUuid(id)
    ? await rows<KnownKey & { email: string }>(
        tx,
        Prisma.sql`select ${columns}, u.email from api_key k
          join user_account u on u.workspace_id = k.workspace_id and u.id = k.user_id
          where ${keysSeen(tx)} and k.id = ${id}::uuid
          for update of k`,
      )
    : [];
  if (!found) throw notFound('ApiKey');
  return found;
}

/** Which keys `k` the viewer may know of: all, or their own. */
function keysSeen(ctx: Context): Prisma.Sql {
  const seen = isAllowed(ctx, 'manage API keys')
    ? Prisma.sql`true`
    : Prisma.sql`k.user_id = ${ctx.viewer.id}::uuid`;
  return Prisma.sql`k.workspace_id = ${ctx.workspaceId}::uuid and ${seen}`;
}

/**
 * Revoke a key for good; revoking it again changes nothing. Everybody may of their own
 * keys, admins of all. This process refuses
 * the key from now on, every other one within five seconds. The last way in for admins stays (CONFLICT).
 */
export async function revokeApiKey(ctx: Context, id: string): Promise<KnownKey> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  const revoked = await keepingAdminAccess(ctx, async (tx) => {
    const { email, ...before } = await lockKey(tx, id);
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

/** Keys, newest first, revoked ones too: admins see all, or those of one user; others their own. */
export async function listApiKeys(
  ctx: Context,
  { userId = null }: { readonly userId?: string | null | undefined },
  args: PageArgs,
): Promise<Page<KnownKey>> {
  mustBeAllowed(ctx, apiKeyNoun.by);
  if (userId !== null && !isUuid(userId)) throw invalidField('user_id', notAnId);
  return listPage<KnownKey>(
    ctx,
    {
      from: Prisma.sql`api_key k`,
      columns,
      where: Prisma.sql`${keysSeen(ctx)} and k.user_id = coalesce(${userId}::uuid, k.user_id)`,
      order: newestFirst(Prisma.sql`k`),
    },
    args,
  );
}

function subject({ id, name }: KnownKey) {
  return { id, kind: 'api_key', title: name };
}
