// Holds resources still while a transaction changes them or what hangs on them.
//
// What is read to be changed is locked by the statement that reads it. All transactions take their locks
// in one order, so that no two wait for each other:
//
// 1. names, by advisory locks (a tag's name, a place in the hierarchy, the admins' way in)
// 2. what resources name: teams, users, groups, tags, custom properties
// 3. integrations
// 4. resources: what is only referred to before what is changed; parents before what they hold, which
//    kinds and levels say; else by id
// 5. monitors and their incidents
// 6. edges
//
// A transaction that cannot keep to it, such as a long import, may be ended by a deadlock; `transaction`
// then runs it again. docs/decisions/locks-come-first.md says more.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { holdName } from '../../database/held-name.ts';
import { execute, rows } from '../../database/rows.ts';
import { conflict, notFound } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { isUuid } from '../../text/uuid.ts';
import { currentId, idsOfNow } from '../alias.ts';
import { isKind, type Kind, kindNames, kinds } from '../kind.ts';
import type { ResourceOptions } from '../resource.ts';
import { resourceColumns } from '../shown.ts';

/** The order of locks among resources, alias `r`; kinds are listed before those that they hold. */
export const lockOrder = Prisma.sql`array_position(${[...kindNames]}::text[], r.kind), r.id`;

/**
 * Read resources by id and lock them until the transaction ends, in the order of all locks. Repeated
 * ids count once, and ids that were merged into others as these. Throws NOT_FOUND that names the first id that is no resource the viewer may see.
 */
export async function lockResources(ctx: Context, ids: readonly string[]): Promise<Resource[]> {
  const found = await rows<Resource>(
    ctx,
    Prisma.sql`select ${resourceColumns} from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and r.id = any(${ids.filter(isUuid)}::uuid[])
        and not r.archived and ${visibleResources(ctx)}
      order by ${lockOrder} for no key update`,
  );
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id.toLowerCase()));
  if (unknown === undefined) return found;
  // It may have been merged into another one, perhaps just now.
  const now = await idsOfNow(ctx, ids.filter(isUuid));
  if (ids.every(isUuid) && now.some((id, at) => id !== ids[at])) return lockResources(ctx, now);
  throw notFound('Resource', unknown);
}

/** A resource that is to be changed, and what it lies in, both locked. */
export interface LockedResource {
  readonly resource: Resource;
  /** Null where it lies in nothing, and where its parent was not asked for. */
  readonly parent: Resource | null;
}

/**
 * Read one resource and lock it until the transaction ends, as `getResource` reads it; with
 * `withParent` what it lies in as well, and before it, with `withQuestion` that of a reply. Throws NOT_FOUND.
 */
export async function lockResource(
  ctx: Context,
  id: string,
  { kinds: only, archived = false, withParent = false, withQuestion = false }: LockOptions = {},
): Promise<LockedResource> {
  const missing = () => notFound(only?.[0] ? kinds[only[0]].type : 'Resource');
  if (!isUuid(id)) throw missing();
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    const found = await rows<Resource & { isSeen: boolean }>(
      ctx,
      Prisma.sql`select ${resourceColumns}, ${visibleResources(ctx)} as "isSeen" from resource r
        where r.workspace_id = ${ctx.workspaceId}::uuid and ${
          withParent || withQuestion
            ? Prisma.sql`r.id in (${id}::uuid, (select x.parent_id from resource x
                where x.workspace_id = ${ctx.workspaceId}::uuid and x.id = ${id}::uuid
                  and (${withParent} or x.kind = 'question_reply')))`
            : Prisma.sql`r.id = ${id}::uuid`
        }
        order by ${lockOrder} for no key update`,
    );
    const seen = found.find((one) => one.id === id.toLowerCase());
    if (!seen) {
      // It was merged into another one, perhaps just now.
      const kept = await currentId(ctx, id);
      if (kept) return lockResource(ctx, kept, { kinds: only, archived, withParent, withQuestion });
    }
    if (!seen?.isSeen || (seen.archived && !archived)) throw missing();
    const { isSeen: _, ...resource } = seen;
    if (only && !only.some((kind) => kind === resource.kind)) throw missing();
    const parent = found.find((one) => one.id === resource.parentId) ?? null;
    // Somebody moved it just before: it lies in another one than that which was locked.
    const needsParent = withParent || (withQuestion && resource.kind === 'question_reply');
    if (needsParent && resource.parentId !== null && !parent) continue;
    return { resource, parent };
  }
  throw conflict('Someone else is moving this resource. Try again.');
}

const maxAttempts = 10;

/** Which resource to lock; see `ReadOptions`. */
export interface LockOptions extends Pick<ResourceOptions, 'kinds' | 'archived'> {
  /** True to lock what it lies in, too. */
  readonly withParent?: boolean | undefined;
  /** True to lock the question of a reply, too: it may be what the reply says. */
  readonly withQuestion?: boolean | undefined;
}

/**
 * Lock all that lies within a resource that is locked already, level by level. What is put there
 * in the meantime is waited for and locked, too: anyone who puts it there holds a share of its parent.
 */
export async function lockWithin(ctx: Context, id: string): Promise<void> {
  for (let known = -1, locked = 0; ; known = locked) {
    locked = await execute(
      ctx,
      Prisma.sql`with recursive down(id, level) as (
          select r.id, 1 from resource r
            where r.workspace_id = ${ctx.workspaceId}::uuid and r.parent_id = ${id}::uuid
          union select r.id, d.level + 1 from resource r join down d on r.parent_id = d.id
            where r.workspace_id = ${ctx.workspaceId}::uuid and d.level < ${maxLevels})
        select r.id from resource r join down d on d.id = r.id
          where r.workspace_id = ${ctx.workspaceId}::uuid
          order by array_position(${[...kindNames]}::text[], r.kind), d.level, r.id
          for no key update of r`,
    );
    if (locked === known || locked === 0) return;
  }
}

/** Nothing lies deeper; a circle, which there should be none of, ends here. */
const maxLevels = 1_000;

/** Lock all resources that a condition on the alias `r` holds for. */
export async function lockWhere(ctx: Context, condition: Prisma.Sql): Promise<void> {
  await rows(
    ctx,
    Prisma.sql`select count(*) from (select 1 from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and ${condition}
      order by ${lockOrder} for no key update) held`,
  );
}

/**
 * Let no one else move a resource until the transaction ends. Two moves that each see no circle could
 * make one together, of resources that neither of them locks.
 */
export async function holdHierarchy(ctx: Context): Promise<void> {
  await holdName(ctx, `hierarchy ${ctx.workspaceId}`);
}

/** Whether a resource of the kind may come to lie within itself, by whatever lies between. */
export function mayLieInItself(kind: Kind): boolean {
  const above = new Set<string>();
  for (let next: readonly string[] = [kind]; next.length > 0; ) {
    next = kindNames.filter((name) => !above.has(name) && next.some((one) => isParent(name, one)));
    for (const name of next) above.add(name);
  }
  return above.has(kind);
}

function isParent(name: Kind, of: string): boolean {
  return isKind(of) && kinds[of].parents.some((parent) => parent === name);
}
