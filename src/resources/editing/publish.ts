// The parts of what is published or unpublished: columns, replies and the like go with it.

import type { Context } from '../../context.ts';
import { execute } from '../../database/rows.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { hasParts, partKinds } from '../kind.ts';
import { actorOf, hasWatchers } from './change.ts';
import { lockWithin } from './lock.ts';

/**
 * Publish or unpublish the parts of a locked resource with it, deleted ones included: who may not see a table sees none
 * of its columns. Those that somebody watches are noted one by one; that of the resource itself its deed.
 */
export async function publishParts(
  tx: Context,
  before: Pick<Resource, 'published'>,
  { id, kind, published }: Resource,
): Promise<void> {
  if (before.published === published || !hasParts(kind)) return;
  await lockWithin(tx, id);
  const isPart = Prisma.sql`r.id <> ${id}::uuid and r.published <> ${published}`;
  await execute(
    tx,
    Prisma.sql`with recursive down(id) as (
        select ${id}::uuid
        union select r.id from resource r join down on r.parent_id = down.id
          where r.workspace_id = ${tx.workspaceId}::uuid and r.kind = any(${[...partKinds]}::text[])),
      noted as (
        insert into resource_change (workspace_id, resource_id, what, after, actor_id)
        select r.workspace_id, r.id, 'published', ${published ? 'yes' : 'no'}, ${actorOf(tx)}::uuid
        from down join resource r on r.workspace_id = ${tx.workspaceId}::uuid and r.id = down.id
        where ${isPart} and not r.archived and ${Prisma.raw(hasWatchers('r'))})
      update resource r set published = ${published}, updated_at = ${tx.now()}::timestamptz
      from down where r.workspace_id = ${tx.workspaceId}::uuid and r.id = down.id and ${isPart}`,
  );
}
