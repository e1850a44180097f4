// How people use a resource in the catalog: views, bookmarks and subscriptions.

import { type DeedSubject, record } from '../audit/audit.ts';
import { changeOf } from '../audit/changes.ts';
import { mustBeAllowed, visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnOf, columnsOf } from '../database/columns.ts';
import { loaderInFamily } from '../database/loader.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { invalidField, notFound } from '../errors.ts';
import { Prisma, type Resource, type UsageDay } from '../generated/prisma/client.ts';
import { listPage, type Page, type PageArgs } from '../lists/page.ts';
import { isUuid } from '../text/uuid.ts';
import { currentId } from './alias.ts';
import { listingOf } from './resource.ts';
import { resourceColumns, type Shown } from './shown.ts';

/** Record that the viewer opened a resource. A frontend says so; reading over the API counts nothing. */
export async function viewResource(ctx: Context, id: string): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  const me = ctx.viewer.id;
  return transaction(ctx, async (tx) => {
    const resource = await change(
      tx,
      id,
      Prisma.sql`internal_usage = r.internal_usage + 1,
        internal_user_ids = case when ${me}::uuid = any(r.internal_user_ids)
          then r.internal_user_ids else r.internal_user_ids || ${me}::uuid end,
        multiplayer_ids =
          (array[${me}::uuid] || array_remove(r.multiplayer_ids, ${me}::uuid))[1:20]`,
    );
    await execute(
      tx,
      Prisma.sql`insert into usage_day (workspace_id, resource_id, day, internal)
        values (${ctx.workspaceId}::uuid, ${resource.id}::uuid, ${ctx.now()}::timestamptz::date, 1)
        on conflict (workspace_id, resource_id, day)
          do update set internal = usage_day.internal + 1`,
    );
    await noteView(tx, resource.id);
    return resource;
  });
}

/** How many resources that a user opened are known at most. */
const maxRecent = 100;

async function noteView(tx: Context, id: string): Promise<void> {
  const mine = Prisma.sql`workspace_id = ${tx.workspaceId}::uuid and user_id = ${tx.viewer.id}::uuid`;
  await execute(
    tx,
    Prisma.sql`insert into recent_view (workspace_id, user_id, resource_id, viewed_at)
      values (${tx.workspaceId}::uuid, ${tx.viewer.id}::uuid, ${id}::uuid, ${tx.now()}::timestamptz)
      on conflict (workspace_id, user_id, resource_id) do update
        set viewed_at = greatest(recent_view.viewed_at, excluded.viewed_at)`,
  );
  await execute(
    tx,
    Prisma.sql`delete from recent_view where ${mine} and resource_id in (
      select resource_id from recent_view where ${mine}
        order by viewed_at desc, resource_id desc offset ${maxRecent} for update skip locked)`,
  );
}

/** What the viewer opened last and may see, the latest first. */
export function listRecent(ctx: Context, shown: Shown, args: PageArgs): Promise<Page<Resource>> {
  const { columns, where } = listingOf(ctx, { shown });
  return listPage<Resource>(
    ctx,
    {
      from: Prisma.sql`recent_view v join resource r
        on r.workspace_id = v.workspace_id and r.id = v.resource_id`,
      columns,
      where: Prisma.sql`${where} and v.workspace_id = ${ctx.workspaceId}::uuid
        and v.user_id = ${ctx.viewer.id}::uuid`,
      order: [
        { by: Prisma.sql`v.viewed_at`, type: 'timestamptz', descending: true },
        { by: Prisma.sql`r.id`, type: 'uuid', descending: true },
      ],
    },
    args,
  );
}

/** Bookmark a resource, or take the bookmark away. */
export async function bookmark(ctx: Context, id: string, on: boolean): Promise<Resource> {
  return join(ctx, id, 'bookmarkedByIds', on);
}

/** Subscribe to the changes of a resource, or end the subscription. */
export async function subscribe(ctx: Context, id: string, on: boolean): Promise<Resource> {
  return join(ctx, id, 'subscriberIds', on);
}

const activities = {
  bookmarkedByIds: { true: 'bookmark_added', false: 'bookmark_removed' },
  subscriberIds: { true: 'subscription_started', false: 'subscription_ended' },
} as const;

async function join(
  ctx: Context,
  id: string,
  set: keyof typeof activities,
  on: boolean,
): Promise<Resource> {
  mustBeAllowed(ctx, 'take part');
  const me = ctx.viewer.id;
  const column = Prisma.raw(columnOf(set));
  const without = Prisma.sql`array_remove(r.${column}, ${me}::uuid)`;
  const after = on ? Prisma.sql`${without} || ${me}::uuid` : without;
  return transaction(ctx, async (tx) => {
    const was = Prisma.sql`${me}::uuid = any(x.${column})`;
    const { was: before, ...resource } = await change(
      tx,
      id,
      Prisma.sql`${column} = ${after}`,
      was,
    );
    if (before !== on) {
      const [gone, come] = on ? [[], [me]] : [[me], []];
      await record(tx, {
        activity: activities[set][`${on}`],
        subject: set === 'bookmarkedByIds' ? unversioned(resource) : resource,
        changes: [changeOf(set, gone, come)],
      });
    }
    return resource;
  });
}

/** A resource as the subject of something that people do with it without making a version of it. */
export function unversioned({ version: _, ...resource }: Resource): DeedSubject {
  return resource;
}

/**
 * Change a resource that the viewer may see, in one statement that waits for who changes it, too. Answers
 * as well whether something was so before, of the row `x`.
 */
async function change(
  ctx: Context,
  id: string,
  set: Prisma.Sql,
  was: Prisma.Sql = Prisma.sql`false`,
): Promise<Resource & { was: boolean }> {
  const [resource] = isUuid(id)
    ? await rows<Resource & { was: boolean }>(
        ctx,
        Prisma.sql`with x as materialized (select r.* from resource r
            where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = ${id}::uuid
              and not r.archived and ${visibleResources(ctx)} for no key update)
          update resource r set ${set} from x
          where r.workspace_id = x.workspace_id and r.id = x.id
          returning ${resourceColumns}, ${was} as was`,
      )
    : [];
  if (resource) return resource;
  const kept = isUuid(id) ? await currentId(ctx, id) : null;
  if (kept === null) throw notFound('Resource');
  return change(ctx, kept, set, was);
}

const columns = columnsOf(Prisma.UsageDayScalarFieldEnum, 'u');

/**
 * How a resource was used on each of the last days that it was used on, newest first; those of many
 * resources are read together. Throws BAD_REQUEST for a number of days that is not from 1 to 366.
 */
export async function loadUsageDays(ctx: Context, id: string, days: number): Promise<UsageDay[]> {
  if (!Number.isInteger(days) || days < 1 || days > 366) {
    throw invalidField('days', 'Use an integer from 1 to 366.');
  }
  const loader = loaderInFamily<string, UsageDay[]>(
    ctx,
    readUsageDays,
    String(days),
    () => (within, ids) => readUsageDays(within, ids, days),
  );
  return (await loader.load(id)) ?? [];
}

async function readUsageDays(
  ctx: Context,
  ids: readonly string[],
  days: number,
): Promise<Map<string, UsageDay[]>> {
  const found = await rows<UsageDay>(
    ctx,
    Prisma.sql`select u.* from unnest(${[...ids]}::uuid[]) r(id) cross join lateral (
        select ${columns} from usage_day u
          where u.workspace_id = ${ctx.workspaceId}::uuid and u.resource_id = r.id
          order by u.day desc limit ${days}) u`,
  );
  const used = new Map<string, UsageDay[]>(ids.map((id) => [id, []]));
  for (const day of found) used.get(day.resourceId)?.push(day);
  return used;
}
