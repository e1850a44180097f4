// Maintenance windows: times in which monitors are not judged, or do not run.

import { record } from '../../audit/audit.ts';
import { changesOf, changesOfGone, changesOfNew } from '../../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../../audit/version.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField, notFound } from '../../errors.ts';
import { checkFields } from '../../fields.ts';
import { type MaintenanceWindow, Prisma } from '../../generated/prisma/client.ts';
import { byName, listPage, type Page, type PageArgs } from '../../lists/page.ts';
import { workspaceSettings } from '../../people/workspace-settings.ts';
import { isUuid, unknownIds } from '../../text/uuid.ts';
import { monitorsSeen } from '../seen.ts';
import { type WindowInput, windowNoun } from './fields.ts';
import { excludeMeasured, windowColumns } from './in-force.ts';

/** Most windows that a workspace may have. */
const maxWindows = 200;
const DAY = 86_400_000;
/** A window that is once lasts so long at most, and begins so long ago at most. */
const longestDays = 366;

/**
 * Make a window. Editors may. What was measured since it began is left out of what is learned. Throws BAD_REQUEST for a
 * window that is neither once nor weekly.
 */
export async function createWindow(ctx: Context, input: WindowInput): Promise<MaintenanceWindow> {
  mustBeAllowed(ctx, windowNoun.by);
  const { name, timeZone = null, ...data } = checkFields(windowNoun, input);
  if (name === undefined) throw invalidField('name', 'A window needs a name.');
  mustHaveTimes(ctx, data);
  return transaction(ctx, async (tx) => {
    const { workspaceId } = tx;
    await holdNumber(tx);
    if ((await tx.db.maintenanceWindow.count({ where: { workspaceId } })) >= maxWindows) {
      throw invalidField('name', `A workspace has ${maxWindows} maintenance windows at most.`);
    }
    await lockNamed(tx, data);
    const zone = timeZone ?? (await workspaceSettings(tx)).timeZone ?? 'UTC';
    const window = await tx.db.maintenanceWindow.create({
      data: { ...data, name, timeZone: zone, workspaceId },
    });
    await excludeMeasured(tx, window);
    const changes = changesOfNew(window);
    await record(tx, {
      activity: 'maintenance_window_created',
      subject: subjectOf(window),
      changes,
    });
    return window;
  });
}

/** Change a window. Editors may. What was measured in it before stays as it was marked. */
export async function updateWindow(
  ctx: Context,
  id: string,
  input: WindowInput,
  expectedVersion?: ExpectedVersion,
): Promise<MaintenanceWindow> {
  mustBeAllowed(ctx, windowNoun.by);
  const { timeZone, ...data } = checkFields(windowNoun, input);
  return transaction(ctx, async (tx) => {
    await lockNamed(tx, data);
    const before = await lockWindow(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    mustHaveTimes(tx, { ...before, ...data });
    const window = await tx.db.maintenanceWindow.update({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: before.id } },
      data: {
        ...data,
        ...(timeZone === undefined ? {} : { timeZone: timeZone ?? 'UTC' }),
        updatedAt: tx.now(),
      },
    });
    await excludeMeasured(tx, window);
    const changes = changesOf(before, window);
    await record(tx, {
      activity: 'maintenance_window_updated',
      subject: subjectOf(window),
      changes,
    });
    return window;
  });
}

/** Delete a window; returns what it was. Editors may. What was measured in it stays left out of what is learned. */
export async function deleteWindow(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<MaintenanceWindow> {
  mustBeAllowed(ctx, windowNoun.by);
  return transaction(ctx, async (tx) => {
    const window = await lockWindow(tx, id);
    await mustBeAtVersion(tx, window, expectedVersion);
    await tx.db.maintenanceWindow.delete({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: window.id } },
    });
    const changes = changesOfGone(window);
    await record(tx, {
      activity: 'maintenance_window_deleted',
      subject: subjectOf(window),
      changes,
    });
    return window;
  });
}

/** All windows, by name. Editors may read them. */
export async function listWindows(ctx: Context, args: PageArgs): Promise<Page<MaintenanceWindow>> {
  mustBeAllowed(ctx, windowNoun.by);
  return listPage<MaintenanceWindow>(
    ctx,
    {
      from: Prisma.sql`maintenance_window w`,
      columns: windowColumns,
      where: Prisma.sql`w.workspace_id = ${ctx.workspaceId}::uuid`,
      order: byName(Prisma.sql`w`),
    },
    args,
  );
}

/** Let no one else make a window until the transaction ends, so that they can be counted. */
async function holdNumber(tx: Context): Promise<void> {
  const name = `maintenance window ${tx.workspaceId}`;
  await rows(tx, Prisma.sql`select pg_advisory_xact_lock(hashtext(${name}))::text`);
}

async function lockWindow(tx: Context, id: string): Promise<MaintenanceWindow> {
  const [window] = isUuid(id)
    ? await rows<MaintenanceWindow>(
        tx,
        Prisma.sql`select ${windowColumns} from maintenance_window w
          where w.workspace_id = ${tx.workspaceId}::uuid and w.id = ${id}::uuid for update`,
      )
    : [];
  if (!window) throw notFound('Maintenance window');
  return window;
}

/** Throws BAD_REQUEST for a window that is both once and weekly, or neither, or too long. */
function mustHaveTimes(ctx: Context, times: Partial<MaintenanceWindow>): void {
  const { startsAt = null, endsAt = null, fromTime = null, untilTime = null, days = [] } = times;
  const isOnce = startsAt !== null || endsAt !== null;
  if (isOnce && (fromTime !== null || untilTime !== null || days.length > 0)) {
    const message = 'A window is once, from starts_at to ends_at, or weekly; leave this out.';
    throw invalidField(days.length > 0 ? 'days' : 'from_time', message);
  }
  if (!isOnce) {
    if (fromTime !== null && untilTime !== null) return;
    const message = 'Give starts_at and ends_at, or from_time and until_time of every week.';
    throw invalidField(fromTime === null ? 'from_time' : 'until_time', message);
  }
  if (startsAt === null || endsAt === null) {
    throw invalidField(startsAt === null ? 'starts_at' : 'ends_at', 'Give both, or neither.');
  }
  const lasts = (endsAt.getTime() - startsAt.getTime()) / DAY;
  if (!(lasts > 0 && lasts <= longestDays)) {
    throw invalidField('ends_at', `Use a time within ${longestDays} days after starts_at.`);
  }
  if (ctx.now().getTime() - startsAt.getTime() > longestDays * DAY) {
    throw invalidField('starts_at', `Use a time within the last ${longestDays} days, or later.`);
  }
}

/** Locks what a window names and may be deleted, so that none is before the window is there. */
async function lockNamed(
  tx: Context,
  { integrationId, monitorId }: Partial<MaintenanceWindow>,
): Promise<void> {
  if (integrationId != null) {
    const found = await rows(
      tx,
      Prisma.sql`select i.id from integration i where i.workspace_id = ${tx.workspaceId}::uuid
        and i.id = ${integrationId}::uuid for share`,
    );
    if (found.length === 0) {
      throw invalidField('integration_id', unknownIds('integration', [integrationId]));
    }
  }
  if (monitorId == null) return;
  const found = await rows(
    tx,
    Prisma.sql`select m.id from ${monitorsSeen(tx)} where m.workspace_id = ${tx.workspaceId}::uuid
      and m.id = ${monitorId}::uuid for share of m`,
  );
  if (found.length === 0) throw invalidField('monitor_id', unknownIds('monitor', [monitorId]));
}

function subjectOf({ id, name, version }: MaintenanceWindow) {
  return { id, kind: 'maintenance_window', title: name, version };
}
