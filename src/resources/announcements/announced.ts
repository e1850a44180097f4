// Announcements that are read: a list of all, and those that a resource's page shows.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { byOwner, loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { type Announcement, Prisma } from '../../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../../lists/page.ts';
import { getResource } from '../resource.ts';

export const announcementColumns = columnsOf(Prisma.AnnouncementScalarFieldEnum, 'a');

/** Announcements that one resource shows at most. */
const mostShown = 20;
/** Levels that lie above a resource at most. */
const maxLevels = 20;

/** Which announcements to list; absent for all. */
export interface AnnouncementFilter {
  /** Only those on this resource itself. */
  readonly resourceId?: string | null | undefined;
  /** Only those to the whole workspace, or with false only those on resources. */
  readonly toEveryone?: boolean | null | undefined;
  /** Only those that began and have not ended, or with false only the others. */
  readonly current?: boolean | null | undefined;
}

/** Announcements that the viewer may see, the newest first. Throws NOT_FOUND for a resource that they may not see. */
export async function listAnnouncements(
  ctx: Context,
  { resourceId, toEveryone, current }: AnnouncementFilter,
  args: PageArgs,
): Promise<Page<Announcement>> {
  const conditions = [Prisma.sql`a.workspace_id = ${ctx.workspaceId}::uuid`, isSeen(ctx)];
  if (resourceId != null) {
    const { id } = await getResource(ctx, resourceId);
    conditions.push(Prisma.sql`a.resource_id = ${id}::uuid`);
  }
  if (toEveryone != null) conditions.push(Prisma.sql`(a.resource_id is null) = ${toEveryone}`);
  if (current != null) conditions.push(Prisma.sql`(${isCurrent(ctx)}) = ${current}`);
  return listPage<Announcement>(
    ctx,
    {
      from: Prisma.sql`announcement a`,
      columns: announcementColumns,
      where: Prisma.join(conditions, ' and '),
      order: newestFirst(Prisma.sql`a`),
    },
    args,
  );
}

/**
 * The current announcements on a resource and on what it lies in, warnings first, of them the latest first; 20 at most.
 * Those of many resources are read together.
 */
export async function loadAnnouncements(ctx: Context, resourceId: string): Promise<Announcement[]> {
  return (await loaderOf(ctx, announcementsOf).load(resourceId)) ?? [];
}

/** What the viewer may not see announces nothing to them, also where it holds what they see. */
async function announcementsOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, Announcement[]>> {
  const here = Prisma.sql`${ctx.workspaceId}::uuid`;
  const order = Prisma.sql`a.severity = 'WARNING' desc, a.starts_at desc, a.id`;
  const found = await rows<Announcement & { readonly ownerId: string }>(
    ctx,
    Prisma.sql`with recursive up(id, at, level) as (
        select i.id, i.id, 0 from unnest(${[...ids]}::uuid[]) i(id)
        union all
        select u.id, r.parent_id, u.level + 1 from up u
          join resource r on r.workspace_id = ${here} and r.id = u.at
          where r.parent_id is not null and u.level < ${maxLevels}),
      placed as (
        select u.id as owner_id, a.id, row_number() over (partition by u.id order by ${order}) as place
        from up u join announcement a on a.workspace_id = ${here} and a.resource_id = u.at
        where ${isCurrent(ctx)} and ${isSeen(ctx)})
      select p.owner_id as "ownerId", ${announcementColumns}
      from placed p join announcement a on a.workspace_id = ${here} and a.id = p.id
      where p.place <= ${mostShown} order by p.owner_id, p.place`,
  );
  return byOwner(ids, found);
}

/** Whether announcement `a` is shown now. */
function isCurrent(ctx: Context): Prisma.Sql {
  const now = Prisma.sql`${ctx.now()}::timestamptz`;
  return Prisma.sql`a.starts_at <= ${now} and (a.ends_at is null or a.ends_at > ${now})`;
}

/** Whether the viewer may see what announcement `a` is about: everyone is part of the workspace. */
function isSeen(ctx: Context): Prisma.Sql {
  return Prisma.sql`(a.resource_id is null or exists (select from resource r
    where r.workspace_id = a.workspace_id and r.id = a.resource_id and not r.archived
      and ${visibleResources(ctx)}))`;
}
