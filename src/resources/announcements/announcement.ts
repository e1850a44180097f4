// Announcements: what editors say on a resource and what lies in it, and admins to the whole workspace, for a time.

import { record } from '../../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { isAllowed, mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { CatalogError, invalidField, notFound } from '../../errors.ts';
import { checkFields } from '../../fields.ts';
import { type Announcement, Prisma, type Resource } from '../../generated/prisma/client.ts';
import { isUuid } from '../../text/uuid.ts';
import { noteChanges, shortened } from '../editing/change.ts';
import { lockResource } from '../editing/lock.ts';
import { announcementColumns as columns } from './announced.ts';
import { type AnnouncementInput, announcementNoun } from './fields.ts';

type New = AnnouncementInput & {
  readonly text: string;
  /** The resource that it is about; null for the whole workspace. */
  readonly resourceId?: string | null | undefined;
};

/**
 * Announce something on a resource, which editors may, or to the whole workspace, which admins may. Those who watch the
 * resource are notified. Throws BAD_REQUEST for an end that is not after the beginning.
 */
export async function createAnnouncement(
  ctx: Context,
  { resourceId, ...input }: New,
): Promise<Announcement> {
  mustMayAnnounce(ctx, resourceId ?? null);
  return transaction(ctx, async (tx) => {
    const resource = resourceId == null ? null : (await lockResource(tx, resourceId)).resource;
    const {
      text = '',
      startsAt = tx.now(),
      endsAt = null,
      ...data
    } = checkFields(announcementNoun, input);
    mustEndAfter(startsAt, endsAt);
    const { workspaceId, viewer } = tx;
    const announcement = await tx.db.announcement.create({
      data: {
        ...{ workspaceId, authorId: viewer.id, resourceId: resource?.id ?? null },
        ...{ ...data, text, startsAt, endsAt, createdAt: tx.now(), updatedAt: tx.now() },
      },
    });
    const changes = changesOfNew(said(announcement));
    await record(tx, {
      activity: 'announcement_created',
      ...deed(announcement, resource),
      changes,
    });
    await noteText(tx, announcement);
    return announcement;
  });
}

/** Change an announcement. Who may announce it may. Those who watch the resource are notified of another text. */
export async function updateAnnouncement(
  ctx: Context,
  id: string,
  input: AnnouncementInput,
  expectedVersion?: ExpectedVersion,
): Promise<Announcement> {
  mustBeAllowed(ctx, announcementNoun.by);
  return transaction(ctx, async (tx) => {
    const { announcement: before, resource } = await lockAnnouncement(tx, id);
    mustMayAnnounce(tx, before.resourceId);
    const data = checkFields(announcementNoun, input);
    await mustBeAtVersion(tx, before, expectedVersion);
    const { startsAt, endsAt } = { ...before, ...data };
    mustEndAfter(startsAt, endsAt);
    const changes = changesOf(said(before), said({ ...before, ...data }));
    if (changes.length === 0) return before;
    const after = await tx.db.announcement.update({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: before.id } },
      data: { ...data, updatedAt: tx.now() },
    });
    await record(tx, { activity: 'announcement_updated', ...deed(after, resource), changes });
    if (after.text !== before.text) await noteText(tx, after);
    return after;
  });
}

/** Delete an announcement; returns what it was. Who may announce it may. */
export async function deleteAnnouncement(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Announcement> {
  mustBeAllowed(ctx, announcementNoun.by);
  return transaction(ctx, async (tx) => {
    const { announcement, resource } = await lockAnnouncement(tx, id);
    mustMayAnnounce(tx, announcement.resourceId);
    await mustBeAtVersion(tx, announcement, expectedVersion);
    await tx.db.announcement.delete({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: announcement.id } },
    });
    const changes = changesOfGone(said(announcement));
    await record(tx, {
      activity: 'announcement_deleted',
      ...deed(announcement, resource),
      changes,
    });
    return announcement;
  });
}

/** Whether the viewer may change and delete an announcement on a resource, or with null for the whole workspace. */
export function mayAnnounce(ctx: Pick<Context, 'viewer'>, resourceId: string | null): boolean {
  return isAllowed(ctx, resourceId === null ? 'announce to everyone' : announcementNoun.by);
}

function mustMayAnnounce(ctx: Context, resourceId: string | null): void {
  mustBeAllowed(ctx, resourceId === null ? 'announce to everyone' : announcementNoun.by);
}

function mustEndAfter(startsAt: Date, endsAt: Date | null): void {
  if (endsAt === null || endsAt > startsAt) return;
  throw invalidField('ends_at', 'Use a time after starts_at, or null.');
}

interface LockedAnnouncement {
  readonly announcement: Announcement;
  readonly resource: Resource | null;
}

/** An announcement and, before it, the resource that it is about, both locked. Throws NOT_FOUND. */
async function lockAnnouncement(tx: Context, id: string): Promise<LockedAnnouncement> {
  const missing = () => notFound('Announcement');
  const mine = Prisma.sql`a.workspace_id = ${tx.workspaceId}::uuid and a.id = ${id}::uuid`;
  const read = (lock: Prisma.Sql) =>
    rows<Announcement>(tx, Prisma.sql`select ${columns} from announcement a where ${mine} ${lock}`);
  const [found] = isUuid(id) ? await read(Prisma.empty) : [];
  if (!found) throw missing();
  const about = found.resourceId;
  const resource =
    about === null
      ? null
      : await lockResource(tx, about).then(
          (locked) => locked.resource,
          (error: unknown) => {
            throw error instanceof CatalogError && error.code === 'NOT_FOUND' ? missing() : error;
          },
        );
  const [announcement] = await read(Prisma.sql`for update`);
  if (!announcement) throw missing();
  return { announcement, resource };
}

async function noteText(tx: Context, { resourceId, text }: Announcement): Promise<void> {
  if (resourceId === null) return;
  const line = shortened(text.replaceAll(/\s+/g, ' ').trim());
  await noteChanges(tx, [{ resourceId, what: 'announced', after: line }]);
}

/** What people say of it. */
function said({ text, severity, startsAt, endsAt }: Announcement) {
  return { text, severity, startsAt, endsAt };
}

function deed({ id, version }: Announcement, resource: Resource | null) {
  const title = resource === null ? 'to everyone' : `on ${resource.title}`;
  const subject = { id, kind: 'announcement', title, version };
  return resource === null
    ? { subject }
    : { subject, related: { ids: [resource.id], type: resource.kind } };
}
