// Muting: for a while new incidents of a monitor are opened and shown, but notify no one.

import { record } from '../../audit/audit.ts';
import { changesOf } from '../../audit/changes.ts';
import { mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { transaction } from '../../database/transaction.ts';
import { invalidField } from '../../errors.ts';
import type { Monitor } from '../../generated/prisma/client.ts';
import { lockMonitor } from '../seen.ts';

/** A monitor that is muted for longer is one that no one wants: it can be paused. */
const longestMs = 90 * 86_400_000;

/** Tell no one of new incidents of a monitor until a time; null tells again. Editors may. */
export async function muteMonitor(ctx: Context, id: string, until: Date | null): Promise<Monitor> {
  mustBeAllowed(ctx, 'edit monitors');
  return transaction(ctx, async (tx) => {
    const before = await lockMonitor(tx, id);
    checkUntil(until, tx.now());
    const monitor = await tx.db.monitor.update({
      where: { workspaceId_id: { workspaceId: tx.workspaceId, id: before.id } },
      data: { mutedUntil: until, updatedAt: tx.now() },
    });
    const { name, integrationId, version } = monitor;
    const subject = { id: monitor.id, kind: 'monitor', title: name, integrationId, version };
    const changes = changesOf(before, monitor);
    await record(tx, { activity: 'monitor_updated', subject, changes });
    return monitor;
  });
}

/** Whether no one is told of a monitor's incidents at a moment. */
export function isMuted({ mutedUntil }: Pick<Monitor, 'mutedUntil'>, now: Date): boolean {
  return mutedUntil !== null && mutedUntil > now;
}

function checkUntil(until: Date | null, now: Date): void {
  const ms = until === null ? 1 : until.getTime() - now.getTime();
  if (ms > 0 && ms <= longestMs) return;
  throw invalidField('until', 'Use a time within the next 90 days, or null to unmute.');
}
