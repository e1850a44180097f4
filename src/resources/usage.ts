// In charge of how people use a resource in the catalog: views, bookmarks and subscriptions.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField } from '../errors.ts';
import { Prisma, type Resource, type UsageDay } from '../generated/prisma/client.ts';
import { getResource } from './resource.ts';

/** Count that the viewer opened a resource. A frontend says so; reading over the API counts nothing. */
export async function viewResource(ctx: Context, id: string): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  return transaction(ctx, async (tx) => {
    const { id: resourceId } = await getResource(tx, id);
    const me = ctx.viewer.id;
    await execute(
      tx,
      Prisma.sql`update resource set internal_usage = internal_usage + 1,
          internal_user_ids = case when ${me}::uuid = any(internal_user_ids) then internal_user_ids
            else internal_user_ids || ${me}::uuid end,
          multiplayer_ids = (array[${me}::uuid] || array_remove(multiplayer_ids, ${me}::uuid))[1:20]
        where workspace_id = ${ctx.workspaceId}::uuid and id = ${resourceId}::uuid`,
    );
    await execute(
      tx,
      Prisma.sql`insert into usage_day (workspace_id, resource_id, day, internal)
        values (${ctx.workspaceId}::uuid, ${resourceId}::uuid, ${ctx.now()}::timestamptz::date, 1)
        on conflict (workspace_id, resource_id, day)
          do update set internal = usage_day.internal + 1`,
    );
    return getResource(tx, id);
  });
}

/** Bookmark a resource, or take the bookmark away. */
export async function bookmark(ctx: Context, id: string, on: boolean): Promise<Resource> {
  return join(ctx, id, Prisma.raw('bookmarked_by_ids'), on);
}

/** Subscribe to the changes of a resource, or end the subscription. */
export async function subscribe(ctx: Context, id: string, on: boolean): Promise<Resource> {
  return join(ctx, id, Prisma.raw('subscriber_ids'), on);
}

async function join(ctx: Context, id: string, set: Prisma.Sql, on: boolean): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  return transaction(ctx, async (tx) => {
    const resource = await getResource(tx, id);
    const me = ctx.viewer.id;
    const without = Prisma.sql`array_remove(${set}, ${me}::uuid)`;
    await execute(
      tx,
      Prisma.sql`update resource
        set ${set} = ${on ? Prisma.sql`${without} || ${me}::uuid` : without}
        where workspace_id = ${ctx.workspaceId}::uuid and id = ${resource.id}::uuid`,
    );
    return getResource(tx, id);
  });
}

const columns = columnsOf(Prisma.UsageDayScalarFieldEnum, 'u');

/** How a resource was used on each of the last days that it was used on, newest first. */
export async function usageDays(ctx: Context, id: string, days: number): Promise<UsageDay[]> {
  if (!Number.isInteger(days) || days < 1 || days > 366) {
    throw invalidField('days', 'It is an integer from 1 to 366.');
  }
  return rows<UsageDay>(
    ctx,
    Prisma.sql`select ${columns} from usage_day u
      where u.workspace_id = ${ctx.workspaceId}::uuid and u.resource_id = ${id}::uuid
      order by u.day desc limit ${days}`,
  );
}
