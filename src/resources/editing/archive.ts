// Deletes resources and restores them: they are archived with all that lies within them.

import { randomUUID } from 'node:crypto';
import { record } from '../../audit/audit.ts';
import { changesOf } from '../../audit/changes.ts';
import { mustBeAtVersion } from '../../audit/version.ts';
import { isAllowed, mustBeAllowed } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { execute } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { conflict } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { mustFit } from '../../limits/workspace-limits.ts';
import { getResource } from '../resource.ts';
import { withdrawAnswer } from './accepted-reply.ts';
import { mustMayEdit } from './asked-changes.ts';
import { actorOf, hasWatchers, noteChanges } from './change.ts';
import type { EditOptions } from './edit.ts';
import { lockResource, lockWithin } from './lock.ts';

/** What an archiving or restoring is given besides the id. */
export type ArchiveOptions = Pick<EditOptions, 'kinds' | 'expectedVersion'>;

/**
 * Delete a resource, and all that lies within it: they are archived and can be restored. A question whose
 * accepted reply is deleted has no answer any more, also when the reply is restored.
 */
export async function archiveResource(
  ctx: Context,
  id: string,
  { kinds, expectedVersion }: ArchiveOptions = {},
): Promise<Resource> {
  if (!isAllowed(ctx, 'edit resources')) mustBeAllowed(ctx, 'ask questions');
  return transaction(ctx, async (tx) => {
    const held = await lockResource(tx, id, { kinds, withQuestion: true });
    const before = held.resource;
    mustMayEdit(ctx, before);
    await mustBeAtVersion(tx, before, expectedVersion);
    await lockWithin(tx, before.id);
    const entry = randomUUID();
    await withdrawAnswer(tx, before, held.parent, entry);
    await setArchived(tx, before, Prisma.sql`not r.archived`, ctx.now());
    const resource = await getResource(tx, id, { archived: true });
    await noteChanges(tx, [{ resourceId: before.id, what: 'archived' }]);
    const changes = changesOf(before, resource);
    const activity = `${before.kind}_deleted` as const;
    await record(tx, { id: entry, activity, subject: resource, changes });
    return resource;
  });
}

/**
 * Take back a deletion, of the resource and of all that was deleted with it. CONFLICT where it lies in
 * something that stays deleted.
 */
export async function restoreResource(
  ctx: Context,
  id: string,
  { expectedVersion }: Pick<ArchiveOptions, 'expectedVersion'> = {},
): Promise<Resource> {
  mustBeAllowed(ctx, 'edit resources');
  return transaction(ctx, async (tx) => {
    const found = await lockResource(tx, id, { archived: true, withParent: true });
    const { resource: before, parent } = found;
    await mustBeAtVersion(tx, before, expectedVersion);
    if (!before.archived) return before;
    if (parent?.archived) {
      throw conflict(`Restore ${parent.titleFull} first: its contents were deleted with it.`);
    }
    await lockWithin(tx, before.id);
    const together = Prisma.sql`r.archived and r.archived_at = ${before.archivedAt}::timestamptz`;
    await setArchived(tx, before, together, null);
    await mustFit(tx, 'resources', 0);
    const resource = await getResource(tx, id);
    await noteChanges(tx, [{ resourceId: before.id, what: 'restored' }]);
    const changes = changesOf(before, resource);
    await record(tx, { activity: `${before.kind}_restored`, subject: resource, changes });
    return resource;
  });
}

/**
 * Those within that somebody watches are noted one by one; that of the resource itself its deed. What is
 * deleted by itself is no answer any more; replies that go with their question stay what they are.
 */
async function setArchived(
  ctx: Context,
  resource: Resource,
  which: Prisma.Sql,
  archivedAt: Date | null,
): Promise<void> {
  const what = archivedAt === null ? 'restored' : 'archived';
  await execute(
    ctx,
    Prisma.sql`with recursive down(id) as (
        select ${resource.id}::uuid
        union select r.id from resource r join down on r.parent_id = down.id
          where r.workspace_id = ${ctx.workspaceId}::uuid),
      noted as (
        insert into resource_change (workspace_id, resource_id, what, actor_id)
        select r.workspace_id, r.id, ${what}, ${actorOf(ctx)}::uuid
        from down join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = down.id
        where r.id <> ${resource.id}::uuid and ${Prisma.raw(hasWatchers('r'))} and ${which})
      update resource r set archived = ${archivedAt !== null},
        archived_at = ${archivedAt}::timestamptz, updated_at = ${ctx.now()}::timestamptz,
        accepted_answer = r.accepted_answer and r.id <> ${resource.id}::uuid
      from down where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = down.id and ${which}`,
  );
}
