// The edges between tables that follow from edges between their columns.

import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { climbFrom, columnsBelow } from '../resources/lists/nesting.ts';

/**
 * Bring the implied edges in line that leave the tables in which these resources lie. The tables
 * are locked until the transaction ends.
 */
export async function settleTables(tx: Context, sourceIds: readonly string[]): Promise<void> {
  if (sourceIds.length === 0) return;
  // Two transactions that change edges of the same columns must see what the other did.
  const tables = await rows<{ id: string }>(
    tx,
    Prisma.sql`select r.id from resource r
      where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (
        with recursive ${climbFrom(tx, Prisma.sql`select unnest(${[...new Set(sourceIds)]}::uuid[])`)}
        select c.id from climb c where c.kind <> 'column')
      order by r.id for no key update`,
  );
  const ids = tables.map(({ id }) => id);
  if (ids.length > 0) await settle(tx, ids);
}

// An implied edge has the origin and integration of those it follows from: it comes and goes with
// them; where somebody named the edge between the tables, too, that one stands for both.
//
// Both ends of an edge climb together, and what was reached is compared through NOT IN, which is
// hashed: two sets of unknown size are never joined, for that may be a loop in a loop.
async function settle(tx: Context, tableIds: readonly string[]): Promise<void> {
  const now = Prisma.sql`${tx.now()}::timestamptz`;
  const tables = Prisma.sql`${[...tableIds]}::uuid[]`;
  await execute(
    tx,
    Prisma.sql`with recursive ${columnsBelow(tx, Prisma.sql`select unnest(${tables})`)},
      climb as (
        select s.id as source_id, s.kind as source_kind, s.parent_id as source_parent,
            t.id as target_id, t.kind as target_kind, t.parent_id as target_parent,
            e.origin, e.integration_id
          from lineage_edge e
          join resource s on s.workspace_id = e.workspace_id and s.id = e.source_id
          join resource t on t.workspace_id = e.workspace_id and t.id = e.target_id
          where e.workspace_id = ${tx.workspaceId}::uuid and e.level = 'COLUMN'
            and e.valid_to is null and e.source_id in (select id from below)
        union
        select s.id, s.kind, s.parent_id, t.id, t.kind, t.parent_id, c.origin, c.integration_id
          from climb c
          join resource s on s.workspace_id = ${tx.workspaceId}::uuid
            and s.id = case c.source_kind when 'column' then c.source_parent else c.source_id end
          join resource t on t.workspace_id = ${tx.workspaceId}::uuid
            and t.id = case c.target_kind when 'column' then c.target_parent else c.target_id end
          where 'column' in (c.source_kind, c.target_kind)),
      needed as materialized (
        select distinct source_id, target_id, origin, integration_id from climb
          where 'column' not in (source_kind, target_kind) and source_id <> target_id),
      ended as (
        update lineage_edge e set valid_to = ${now}, updated_at = ${now}
          where e.workspace_id = ${tx.workspaceId}::uuid and e.implied and e.valid_to is null
            and e.source_id = any(${tables})
            and (e.source_id, e.target_id, e.origin, coalesce(e.integration_id, e.workspace_id))
              not in (select source_id, target_id, origin,
                coalesce(integration_id, ${tx.workspaceId}::uuid) from needed))
      insert into lineage_edge (workspace_id, source_id, target_id, level, origin, implied,
          integration_id, created_at, updated_at, valid_from)
        select ${tx.workspaceId}::uuid, source_id, target_id, 'TABLE', origin, true,
          integration_id, ${now}, ${now}, ${now}
        from needed order by source_id, target_id
        on conflict do nothing`,
  );
}
