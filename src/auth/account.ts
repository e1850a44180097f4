// Reads user accounts: those that requests and jobs act for, and those they name.

import type { Context } from '../context.ts';
import { type Connection, rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { isUuid, unknownIds } from '../text/uuid.ts';
import { isApiKeyScope } from './key-scope.ts';
import type { KeyLapse } from './lapsed-key.ts';
import { isRole, type Viewer, type WorkspaceLimits } from './viewer.ts';

/** Users that one request names at most. */
const maxUserIds = 10_000;

/** What the database knows of a key, and of the user it acts for. */
export interface KeyAccount {
  readonly keyId: string;
  /** Why it doesn't work, whatever the time; null where it does until it expires. */
  readonly lapse: Exclude<KeyLapse, 'expired'> | null;
  readonly expiresAt: Date | null;
  readonly lastUsedAt: Date | null;
  /** True for a first use that ends the time of keys which starts made and no one has used. */
  readonly endsStartKeys: boolean;
  readonly viewer: Viewer;
}

/** What the database knows of a session that was not ended, and of who is signed in. */
export interface SessionAccount {
  readonly createdAt: Date;
  readonly lastUsedAt: Date;
  readonly viewer: Viewer & { readonly sessionId: string };
}

interface AccountRow {
  id: string;
  workspaceId: string;
  role: string;
  email: string;
  firstName: string;
  lastName: string;
  teamIds: string[];
  limits: WorkspaceLimits;
}

interface KeyRow extends Omit<KeyAccount, 'viewer'>, AccountRow {
  readonly scopes: string[];
  readonly importsInto: string | null;
}

const account = Prisma.sql`u.id, u.workspace_id as "workspaceId", u.role, u.email,
  u.first_name as "firstName", u.last_name as "lastName",
  array(select t.id from team t where t.workspace_id = u.workspace_id and not t.archived
    and t.member_ids @> array[u.id] order by t.id) as "teamIds",
  (select jsonb_build_object('resourceLimit', w.resource_limit, 'monitorLimit', w.monitor_limit,
    'writeLimit', w.write_limit, 'storageLimitMb', w.storage_limit_mb)
    from workspace w where w.id = u.workspace_id) as limits`;

/** The key with this hash and its user, whether it works or not; null where it is unknown. */
export async function keyAccount(db: Connection, hash: string): Promise<KeyAccount | null> {
  const [row] = await rows<KeyRow>(
    db,
    Prisma.sql`select k.id as "keyId", k.expires_at as "expiresAt", k.scopes,
        k.integration_id as "importsInto", k.last_used_at as "lastUsedAt",
        case when k.revoked_at is not null then 'revoked'
          when u.archived then 'deactivated' end as lapse,
        k.last_used_at is null and exists (
          select from api_key o where o.workspace_id = k.workspace_id and o.made_at_start
            and o.last_used_at is null and o.revoked_at is null) as "endsStartKeys", ${account}
      from api_key k
      join user_account u on u.workspace_id = k.workspace_id and u.id = k.user_id
      where k.hash = ${hash}`,
  );
  if (!row) return null;
  const { keyId, lapse, expiresAt, lastUsedAt, endsStartKeys, importsInto } = row;
  // A scope of a later version that this one does not know must not open anything.
  const scopes = row.scopes.filter(isApiKeyScope);
  const limits = { scopes, ...(importsInto === null ? {} : { importsInto }) };
  const viewer = { ...viewerOf(row, 'API'), keyId, ...limits };
  return { keyId, lapse, expiresAt, lastUsedAt, endsStartKeys, viewer };
}

/** The session with this hash and its user; null where either is unknown, ended or deactivated. */
export async function sessionAccount(db: Connection, hash: string): Promise<SessionAccount | null> {
  const [row] = await rows<Omit<SessionAccount, 'viewer'> & AccountRow & { sessionId: string }>(
    db,
    Prisma.sql`select s.id as "sessionId", s.created_at as "createdAt",
        s.last_used_at as "lastUsedAt", ${account}
      from web_session s
      join user_account u on u.workspace_id = s.workspace_id and u.id = s.user_id
      where s.hash = ${hash} and s.ended_at is null and not u.archived`,
  );
  if (!row) return null;
  const { createdAt, lastUsedAt, sessionId } = row;
  return { createdAt, lastUsedAt, viewer: { ...viewerOf(row, 'USER'), sessionId } };
}

/** The viewer of a user for whom the server acts, with the role of today; null when deactivated. */
export async function viewerOfUser(
  db: Connection,
  workspaceId: string,
  userId: string,
): Promise<Viewer | null> {
  const [row] = await rows<AccountRow>(
    db,
    Prisma.sql`select ${account} from user_account u
      where u.workspace_id = ${workspaceId}::uuid and u.id = ${userId}::uuid and not u.archived`,
  );
  return row ? viewerOf(row, 'SYSTEM') : null;
}

/** Whether the workspace has a user of this id, also one that was deactivated. */
export async function isUser(ctx: Context, id: string): Promise<boolean> {
  if (!isUuid(id)) return false;
  const found = await rows(
    ctx,
    Prisma.sql`select u.id from user_account u
      where u.workspace_id = ${ctx.workspaceId}::uuid and u.id = ${id}::uuid`,
  );
  return found.length > 0;
}

function viewerOf(row: AccountRow, performer: Viewer['performer']): Viewer {
  const { id, workspaceId, role, email, firstName, lastName, teamIds, limits } = row;
  // A role of a later version that this one does not know must not open anything.
  const known = isRole(role) ? role : 'guest';
  return { id, workspaceId, role: known, email, firstName, lastName, teamIds, performer, limits };
}

/** A user as far as the naming of one says. */
export type NamedAccount = Pick<Viewer, 'id' | 'email' | 'role'>;

/** Whether service accounts may be named as well. */
interface Named {
  readonly services?: boolean;
}

/** Users that somebody named, without repeats, with `services` also service accounts. Throws as `checkUserIds`. */
export async function checkAccounts(
  ctx: Context,
  field: string,
  ids: readonly string[],
  { services = false }: Named = {},
): Promise<NamedAccount[]> {
  const wanted = [...new Set(ids.map((id) => id.toLowerCase()))];
  if (wanted.length > maxUserIds) {
    throw invalidField(field, `Use at most ${maxUserIds} users at once.`);
  }
  if (wanted.length === 0) return [];
  const found = await rows<NamedAccount>(
    ctx,
    Prisma.sql`select u.id, u.email, u.role from user_account u
      where u.workspace_id = ${ctx.workspaceId}::uuid and not u.archived
        and (not u.is_service or ${services}) and u.id = any(${wanted.filter(isUuid)}::uuid[])`,
  );
  const known = new Map(found.map((user) => [user.id, user]));
  const unknown = wanted.filter((id) => !known.has(id));
  if (unknown.length === 0) return wanted.flatMap((id) => known.get(id) ?? []);
  throw invalidField(field, unknownIds('active user', unknown));
}

/**
 * Ids of users that somebody named, without repeats. Throws BAD_REQUEST that names the field and
 * the ids of whom the workspace does not have, or has deactivated.
 */
export async function checkUserIds(
  ctx: Context,
  field: string,
  ids: readonly string[],
  named: Named = {},
): Promise<string[]> {
  return (await checkAccounts(ctx, field, ids, named)).map(({ id }) => id);
}

/** A change of who belongs to something: all of them, or who joins and who leaves. */
export interface MemberChanges {
  /** All members; replaces those there were. */
  readonly memberIds?: readonly string[] | null | undefined;
  readonly addMemberIds?: readonly string[] | null | undefined;
  readonly removeMemberIds?: readonly string[] | null | undefined;
}

/**
 * The members after a change, in their order, those who join at the end; nothing where none is given.
 * Throws BAD_REQUEST as `checkUserIds` does, of who is to belong to it and did not: who was deactivated
 * in the meantime may stay, so that a list can be sent back as it was read.
 */
export async function changedMembers(
  ctx: Context,
  before: readonly string[],
  { memberIds, addMemberIds, removeMemberIds }: MemberChanges,
  named: Named = {},
): Promise<{ memberIds?: string[] }> {
  const inPart = addMemberIds !== undefined || removeMemberIds !== undefined;
  if (memberIds === undefined && !inPart) return {};
  if (memberIds !== undefined && inPart) {
    throw invalidField('members', 'Give all of them, or add_members and remove_members, not both.');
  }
  const known = new Set(before);
  const joining = (field: string, ids: readonly string[]) =>
    checkUserIds(
      ctx,
      field,
      ids.filter((id) => !known.has(id)),
      named,
    );
  if (memberIds !== undefined) {
    const all = [...new Set((memberIds ?? []).map((id) => id.toLowerCase()))];
    if (all.length > maxUserIds) throw tooMany('members', all.length);
    await joining('members', all);
    return { memberIds: all };
  }
  const gone = new Set((removeMemberIds ?? []).map((id) => id.toLowerCase()));
  const added = (addMemberIds ?? []).map((id) => id.toLowerCase());
  await joining('add_members', added);
  const both = added.find((id) => gone.has(id));
  if (both) throw invalidField('add_members', `This is also in the list to remove: ${both}.`);
  const after = [...new Set([...before, ...added])].filter((id) => !gone.has(id));
  if (after.length > maxUserIds) throw tooMany('add_members', after.length);
  return { memberIds: after };
}

function tooMany(field: string, count: number): Error {
  return invalidField(field, `Use at most ${maxUserIds} members, not ${count}.`);
}
