// A user's inbox: what they were notified of, here in the product, with or without email.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context, ServerContext } from '../context.ts';
import { announce } from '../database/announce.ts';
import { columnsOf } from '../database/columns.ts';
import { execute, rows } from '../database/rows.ts';
import { invalidField } from '../errors.ts';
import { type Notification, Prisma } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { isMailOn } from '../surroundings.ts';
import { isUuid } from '../text/uuid.ts';
import { isChatConnected } from './chat.ts';

const columns = columnsOf(Prisma.NotificationScalarFieldEnum, 'n');

/** Which of the viewer's notifications to list. */
export interface InboxQuery {
  readonly unreadOnly?: boolean | null | undefined;
}

/** What the viewer was notified of, newest first. */
export async function listInbox(
  ctx: Context,
  { unreadOnly }: InboxQuery,
  args: PageArgs,
): Promise<Page<Notification>> {
  return listPage<Notification>(
    ctx,
    {
      from: Prisma.sql`notification n`,
      columns,
      where: Prisma.sql`${isMine(ctx)} and (n.read_at is null or ${!unreadOnly})`,
      order: newestFirst(Prisma.sql`n`),
    },
    args,
  );
}

/** Ids that one request names at most. */
const maxIds = 1_000;

/**
 * Note that the viewer read these of their notifications, or all of them; answers how many were not
 * read before. It is no deed that others need to know of, so it is not audited.
 */
export async function markRead(
  ctx: ServerContext,
  ids: readonly string[] | null | undefined,
): Promise<number> {
  mustBeAllowed(ctx, 'take part');
  if (ids && ids.length > maxIds) throw invalidField('ids', `Use at most ${maxIds} ids.`);
  const named = ids
    ? Prisma.sql`n.id = any(${ids.filter(isUuid)}::uuid[])`
    : Prisma.sql`n.created_at <= ${ctx.now()}`;
  const read = await execute(
    ctx,
    Prisma.sql`update notification n set read_at = ${ctx.now()}
      where ${isMine(ctx)} and n.read_at is null and ${named}`,
  );
  if (read > 0) await announce(ctx, 'inbox', [ctx.viewer.id]);
  return read;
}

/** What one answer to a subscriber holds at most; the list shows all. */
const maxChanged = 500;

/** Notifications of the viewer that arrived or were read since a time, in the order of their arrival. */
export async function changedInbox(ctx: Context, since: Date): Promise<Notification[]> {
  return rows<Notification>(
    ctx,
    Prisma.sql`select ${columns} from notification n
      where ${isMine(ctx)} and (n.created_at >= ${since} or n.read_at >= ${since})
      order by n.created_at, n.id limit ${maxChanged}`,
  );
}

function isMine({ workspaceId, viewer }: Context): Prisma.Sql {
  return Prisma.sql`n.workspace_id = ${workspaceId}::uuid and n.channel = 'inbox'
    and n.address = ${viewer.id}`;
}

/** Which channels are set up. */
export interface NotificationSettings {
  readonly emailEnabled: boolean;
  readonly chatConnected: boolean;
}

/** Which channels are set up. Everyone may know. */
export async function notificationSettings(ctx: ServerContext): Promise<NotificationSettings> {
  return { emailEnabled: isMailOn(ctx.surroundings), chatConnected: await isChatConnected(ctx) };
}
