// A key for the one who has the database: the way in where no key is left that works.

import { lockFirstUse } from '../auth/authentication.ts';
import { serverViewer } from '../auth/viewer.ts';
import { type Context, contextAcross, contextFor } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict } from '../errors.ts';
import { Prisma, type User } from '../generated/prisma/client.ts';
import { makeApiKey } from './api-key.ts';
import { makeFirstWorkspace } from './first-admin.ts';
import { folded, foldedAddress } from './mail-address.ts';
import { checkEmail, createUser, updateUser } from './user.ts';
import { chooseWorkspace, type NamedWorkspace, readWorkspaces } from './workspaces/workspaces.ts';

const columns = columnsOf(Prisma.UserScalarFieldEnum, 'u');

/** Whom a key is for. */
export interface AdminKeyOptions {
  /** Address of the account; one is made where there is none. */
  readonly email: string;
  /** Name or id of the workspace; needed only where there are several. */
  readonly workspace?: string | undefined;
  /** Whether an account that is no admin becomes one. Default false. */
  readonly promote?: boolean | undefined;
}

/** A key that was made just now. */
export interface AdminKey {
  /** The key itself, which no one can read again. */
  readonly key: string;
  readonly email: string;
  /** Name of the workspace. */
  readonly workspace: string;
  /** What became of the account. */
  readonly account: 'made' | 'promoted' | 'as it was';
}

/**
 * Make a key of an admin, on behalf of the server itself: the account, its role and the key are in the
 * audit log. In an empty database the workspace is made as well. Throws CONFLICT for an account that
 * was deactivated, or is no admin and not to be promoted, and BAD_REQUEST for a workspace that there
 * is not, or where none of several is named.
 */
export async function makeAdminKey(
  database: Database,
  { email, workspace, promote = false }: AdminKeyOptions,
): Promise<AdminKey> {
  const address = checkEmail(email);
  const anywhere = contextAcross(database, 'COMMAND');
  const { place, user, account } = await transaction(anywhere, async (any) => {
    // Of a start, which makes a workspace in an empty database as well, the one waits for the other.
    await lockFirstUse(any);
    const all = await readWorkspaces(any);
    const place =
      all.length === 0 ? await makeFirst(any, address) : chooseWorkspace(all, workspace);
    const tx: Context = { ...any, viewer: serverViewer(place.id), workspaceId: place.id };
    const before = await findUser(tx, address);
    const user = await adminOf(tx, before, address, promote);
    const isNew = before === undefined || all.length === 0;
    const account: AdminKey['account'] = isNew ? 'made' : becameOf(before);
    return { place, user, account };
  });
  const ctx = contextFor(database, serverViewer(place.id), { credential: 'COMMAND' });
  const given = { name: 'npm run key', userId: user.id, scopes: ['ADMIN'] as const };
  const { key } = await makeApiKey(ctx, { ...given, expiresAt: null });
  return { key, email: user.email, workspace: place.name, account };
}

function becameOf({ role }: User): AdminKey['account'] {
  return role === 'admin' ? 'as it was' : 'promoted';
}

async function makeFirst(tx: Context, email: string): Promise<NamedWorkspace> {
  const { workspaceId } = await makeFirstWorkspace(tx, { name: 'Headwater', email });
  return { id: workspaceId, name: 'Headwater' };
}

async function findUser(tx: Context, email: string): Promise<User | undefined> {
  const [user] = await rows<User>(
    tx,
    Prisma.sql`select ${columns} from user_account u
      where u.workspace_id = ${tx.workspaceId}::uuid and not u.is_service and ${folded(Prisma.sql`u.email`)} = ${foldedAddress(email)}`,
  );
  return user;
}

/** The account as an admin. */
async function adminOf(
  tx: Context,
  user: User | undefined,
  email: string,
  promote: boolean,
): Promise<User> {
  if (!user) return createUser(tx, { email, role: 'admin' });
  if (user.archived) {
    throw conflict(`${user.email} was deactivated: give another address.`);
  }
  if (user.role === 'admin') return user;
  if (promote) return updateUser(tx, user.id, { role: 'admin' });
  throw conflict(
    `${user.email} has the role ${user.role}: make it an admin with --promote, or give another address.`,
  );
}
