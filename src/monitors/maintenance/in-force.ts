// The maintenance windows that monitors are in.

import type { Context } from '../../context.ts';
import { columnsOf } from '../../database/columns.ts';
import { byOwner, loaderOf } from '../../database/loader.ts';
import { execute, rows } from '../../database/rows.ts';
import { type MaintenanceWindow, Prisma } from '../../generated/prisma/client.ts';
import { covers } from './covers.ts';

export const windowColumns = columnsOf(Prisma.MaintenanceWindowScalarFieldEnum, 'w');

/** Whether monitor `m` is one of window `w`. */
const isOfWindow = Prisma.sql`m.workspace_id = w.workspace_id
  and (w.integration_id is null or m.integration_id = w.integration_id)
  and (w.monitor_id is null or m.id = w.monitor_id)`;

/** The windows of monitors that are used, in force or not, by the monitors' ids. */
export async function windowsOf(
  ctx: Context,
  monitorIds: readonly string[],
): Promise<Map<string, MaintenanceWindow[]>> {
  const found = await rows<MaintenanceWindow & { readonly ownerId: string }>(
    ctx,
    Prisma.sql`select m.id as "ownerId", ${windowColumns} from maintenance_window w
      join monitor m on ${isOfWindow}
      where w.workspace_id = ${ctx.workspaceId}::uuid and w.is_enabled
        and m.id = any(${[...monitorIds]}::uuid[])
      order by w.measures, w.name, w.id`,
  );
  return byOwner(monitorIds, found);
}

/** The first window that covers a moment; of those in which monitors do not run, if there is one. */
export function inForceAt(
  windows: readonly MaintenanceWindow[] | undefined,
  at: Date,
): MaintenanceWindow | null {
  return windows?.find((window) => covers(window, at)) ?? null;
}

/** The window that a monitor is in now; those of many monitors are read together. */
export async function loadMaintenance(
  ctx: Context,
  monitorId: string,
): Promise<MaintenanceWindow | null> {
  return inForceAt(await loaderOf(ctx, windowsOf).load(monitorId), ctx.now());
}

/** Leave what was measured in a window that is once out of what is learned, also where it is over. */
export async function excludeMeasured(
  tx: Context,
  { id, isEnabled, startsAt }: MaintenanceWindow,
): Promise<void> {
  if (!isEnabled || startsAt === null || startsAt >= tx.now()) return;
  await execute(
    tx,
    Prisma.sql`with excluded as (
        update measurement x set maintenance = w.name, updated_at = ${tx.now()}
        from maintenance_window w join monitor m on ${isOfWindow}
        where w.workspace_id = ${tx.workspaceId}::uuid and w.id = ${id}::uuid
          and x.workspace_id = m.workspace_id and x.monitor_id = m.id
          and x.created_at >= w.starts_at and x.created_at < w.ends_at
          and x.maintenance is null and not x.marked_normal
        returning x.monitor_id)
      delete from learner_snapshot where workspace_id = ${tx.workspaceId}::uuid
        and monitor_id in (select monitor_id from excluded)`,
  );
}
