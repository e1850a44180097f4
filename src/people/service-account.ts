// Service accounts: programs with a role and keys of their own, which are no people.

import { randomUUID } from 'node:crypto';
import { nameOf, record } from '../audit/audit.ts';
import { changesOf, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { forgetViewers } from '../auth/authentication.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import { roles } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { notFound } from '../errors.ts';
import { checkFields, choice, flag, type Noun, name } from '../fields.ts';
import { Prisma, type User } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { isUuid } from '../text/uuid.ts';

/** What a service account is made of. Absent takes the default, or leaves alone. */
export interface ServiceAccountInput {
  name?: string | null | undefined;
  role?: string | null | undefined;
  /** True deactivates: its keys no longer work. False takes it back. */
  archived?: boolean | null | undefined;
}

/** A service account: its name is the `firstName` of its row, and its address leads nowhere. */
export type ServiceAccount = User;

const serviceAccountNoun: Noun<
  ServiceAccountInput,
  { name: string; role: string; archived: boolean }
> = {
  by: 'manage people',
  fields: {
    name: name('name', { missing: 'A service account needs a name.' }),
    role: choice('role', roles),
    archived: flag('archived'),
  },
};

const columns = columnsOf(Prisma.UserScalarFieldEnum, 'u');

/** Make a service account, a viewer unless another role is given. Only admins may; its keys are made for its id. */
export async function createServiceAccount(
  ctx: Context,
  input: ServiceAccountInput,
): Promise<ServiceAccount> {
  mustBeAllowed(ctx, serviceAccountNoun.by);
  const given = { ...input, name: input.name ?? null };
  const { name: firstName = '', ...data } = checkFields(serviceAccountNoun, given);
  return transaction(ctx, async (tx) => {
    const id = randomUUID();
    const service = { isService: true, emailNotifications: false, email: addressOf(id) };
    const account = await tx.db.user.create({
      data: { ...data, ...service, id, firstName, workspaceId: ctx.workspaceId },
    });
    await record(tx, {
      activity: 'user_created',
      subject: subject(account),
      changes: changesOfNew(account),
      says: `${nameOf(ctx.viewer)} made the service account ${firstName} with the role ${account.role}`,
    });
    return account;
  });
}

/** Change a service account, or deactivate it. Only admins may. */
export async function updateServiceAccount(
  ctx: Context,
  id: string,
  input: ServiceAccountInput,
  expectedVersion?: ExpectedVersion,
): Promise<ServiceAccount> {
  mustBeAllowed(ctx, serviceAccountNoun.by);
  const updated = await transaction(ctx, async (tx) => {
    const before = await lockServiceAccount(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    const { name: firstName = before.firstName, ...data } = checkFields(serviceAccountNoun, input);
    const after = await tx.db.user.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { ...data, firstName, updatedAt: ctx.now() },
    });
    const isEnd = after.archived && !before.archived;
    await record(tx, {
      activity: isEnd ? 'user_deactivated' : 'user_updated',
      subject: subject(after),
      changes: changesOf(before, after),
    });
    return after;
  });
  await forgetViewers(ctx.database);
  return updated;
}

/** Service accounts, newest first; with `archived` the deactivated ones, too. Only admins may list them. */
export async function listServiceAccounts(
  ctx: Context,
  { archived }: { readonly archived?: boolean | null | undefined },
  args: PageArgs,
): Promise<Page<ServiceAccount>> {
  mustBeAllowed(ctx, serviceAccountNoun.by);
  return listPage<ServiceAccount>(
    ctx,
    {
      from: Prisma.sql`user_account u`,
      columns,
      where: Prisma.sql`u.workspace_id = ${ctx.workspaceId}::uuid and u.is_service
        and (not u.archived or ${archived ?? false})`,
      order: newestFirst(Prisma.sql`u`),
    },
    args,
  );
}

async function lockServiceAccount(tx: Context, id: string): Promise<ServiceAccount> {
  const [account] = isUuid(id)
    ? await rows<ServiceAccount>(
        tx,
        Prisma.sql`select ${columns} from user_account u
          where u.workspace_id = ${tx.workspaceId}::uuid and u.is_service and u.id = ${id}::uuid
          for no key update`,
      )
    : [];
  if (!account) throw notFound('ServiceAccount');
  return account;
}

/** An address that no mail goes to and no one signs in with: `.invalid` is reserved for that. */
function addressOf(id: string): string {
  return `${id}@service.invalid`;
}

function subject({ id, firstName, version }: ServiceAccount) {
  return { id, kind: 'user', title: firstName, version };
}
