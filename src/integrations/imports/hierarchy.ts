// Keeps the hierarchy whole where an import adds to it, whatever others move, rename or delete in the meantime.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { holdHierarchy, lockOrder } from '../../resources/editing/lock.ts';
import { hashedIfMany } from './planning/figures.ts';
import { checkMoves, maxLevels } from './planning/parents.ts';
import type { Stage } from './staging/stage.ts';

/**
 * Let no one else move what could make a circle with what the import moves, within a transaction, and look for one
 * again: others may have moved something since the plan was made. Throws BAD_REQUEST.
 */
export async function holdMoves(tx: Context, stage: Stage, file: string): Promise<void> {
  const [any] = await scratch(tx, `select 1 from ${stage.plan} p where p.is_nested limit 1`);
  if (!any) return;
  await holdHierarchy(tx);
  await checkMoves(tx, stage, file);
}

/**
 * Hold what new and moved resources come to lie in, within a transaction; whether any of it is deleted. Anyone who
 * deletes or renames it waits from here on, and finds them when the import has ended.
 */
export async function holdHolders(tx: Context, stage: Stage, settled: number): Promise<boolean> {
  const holders = `select distinct p.parent_id as id from ${stage.plan} p where p.settles`;
  const [held] = await hashedIfMany(tx, settled, () =>
    scratch<{ isAnyDeleted: boolean | null }>(
      tx,
      Prisma.sql`with holders as materialized (${Prisma.raw(holders)})
        select bool_or(archived) as "isAnyDeleted" from (
          select r.archived from resource r where r.workspace_id = ${tx.workspaceId}::uuid
            and r.id in (select h.id from holders h) order by ${lockOrder} for share) held`,
    ),
  );
  return held?.isAnyDeleted ?? false;
}

/**
 * Delete what was added to something deleted or moved into it, with all that lies within, at the time of that deletion:
 * so it is restored together with it. Nothing that is there lies in what is not.
 */
export async function deleteWithinDeleted(tx: Context, { plan }: Stage): Promise<void> {
  await scratch(
    tx,
    `with recursive within(id, archived_at) as (
        select r.id, h.archived_at from ${plan} p
          join resource h on h.workspace_id = $1::uuid and h.id = p.parent_id and h.archived
          join resource r on r.workspace_id = $1::uuid and r.id = p.id and r.parent_id = h.id
          where p.settles and not r.archived
        union select c.id, w.archived_at from within w
          join resource c on c.workspace_id = $1::uuid and c.parent_id = w.id and not c.archived)
      update resource r set archived = true, archived_at = w.archived_at, updated_at = $2
      from within w where r.workspace_id = $1::uuid and r.id = w.id`,
    [tx.workspaceId, tx.now()],
  );
}

/**
 * Bring what was written in line with what it lies in, as far as that is called otherwise, or lies elsewhere, than when
 * the plan was made; with all that lies below.
 */
export async function straighten(tx: Context, { plan }: Stage, settled: number): Promise<void> {
  const misplaced = `wanted as materialized (
      select p.id from ${plan} p where p.settles or p.is_placed),
    misplaced as (select ${placeBelow('h')} from wanted w
      join resource c on c.workspace_id = $1::uuid and c.id = w.id
      left join resource h on h.workspace_id = $1::uuid and h.id = c.parent_id
      where c.title_full is distinct from ${fullTitleBelow('h')})`;
  await hashedIfMany(tx, settled, async () => {
    const find = `with ${misplaced} select 1 from misplaced limit 1`;
    const [any] = await scratch(tx, find, [tx.workspaceId]);
    if (!any) return;
    await scratch(
      tx,
      `with recursive ${misplaced}, down as (
          select m.*, 0 as level from misplaced m
          union all
          select ${placeBelow('d')}, d.level + 1 from down d
            join resource c on c.workspace_id = $1::uuid and c.parent_id = d.id
            where d.level < ${maxLevels})
        update resource r set ${setPlace('d', '$2')}
        from (select distinct on (id) * from down order by id, level desc) d
        where r.workspace_id = $1::uuid and r.id = d.id`,
      [tx.workspaceId, tx.now()],
    );
  });
}

const fullTitleBelow = (parent: string) => `coalesce(${parent}.title_full || '.', '') || c.title`;

/** What `setPlace` needs to know of a resource, alias `c`, that lies in `parent`. */
export function placeBelow(parent: string): string {
  const name = (kind: string) =>
    `case ${parent}.kind when '${kind}' then ${parent}.title else ${parent}.${kind}_name end
      as ${kind}_name`;
  return `c.id, c.kind, c.title, ${fullTitleBelow(parent)} as title_full,
    ${name('database')}, ${name('schema')}, ${name('table')}`;
}

/** Gives a resource, alias `r`, the full title and the names that it has by its place, and says when. */
export function setPlace(place: string, now: string): string {
  const names = ['database_name', 'schema_name', 'table_name'];
  const set = names.map((name) => `${name} = coalesce(${place}.${name}, r.${name})`);
  return [`updated_at = ${now}`, `title_full = ${place}.title_full`, ...set].join(', ');
}
