// Which monitors the viewer may see, for all that hangs on a monitor.

import { visibleResources } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { notFound } from '../errors.ts';
import { type Monitor, Prisma } from '../generated/prisma/client.ts';
import { isUuid } from '../text/uuid.ts';

export const monitorColumns = columnsOf(Prisma.MonitorScalarFieldEnum, 'm');

/** The `from` clause of monitors `m` whose target `r` the viewer may see. */
export function monitorsSeen(ctx: Context): Prisma.Sql {
  return Prisma.sql`monitor m join resource r on r.workspace_id = m.workspace_id
    and r.id = m.target_id and not r.archived and ${visibleResources(ctx)}`;
}

/** Lock a monitor until the transaction ends: anyone who changes it or its incident comes by here. */
export async function lockMonitor(ctx: Context, id: string): Promise<Monitor> {
  const [monitor] = isUuid(id)
    ? await rows<Monitor>(
        ctx,
        Prisma.sql`select ${monitorColumns} from ${monitorsSeen(ctx)}
          where m.workspace_id = ${ctx.workspaceId}::uuid and m.id = ${id}::uuid for update of m`,
      )
    : [];
  if (!monitor) throw notFound('Monitor');
  return monitor;
}
