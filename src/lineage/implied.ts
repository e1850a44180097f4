// In charge of the edges between tables that follow from edges between their columns.

import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { Prisma } from '../generated/prisma/client.ts';
import { maxNesting } from './entrance.ts';

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
        with recursive ${climbFrom(tx, Prisma.sql`unnest(${[...new Set(sourceIds)]}::uuid[])`)}
        select c.id from climb c where c.kind <> 'column')
      order by r.id for no key update`,
  );
  if (tables.length === 0) return;
  const ids = Prisma.sql`${tables.map(({ id }) => id)}::uuid[]`;
  await settle(tx, {
    named: Prisma.sql`e.source_id in (
      with recursive below(id, kind, hops) as (
        select r.id, r.kind, 0 from resource r
          where r.workspace_id = ${tx.workspaceId}::uuid and r.id = any(${ids})
        union all
        select r.id, r.kind, b.hops + 1 from below b join resource r
          on r.workspace_id = ${tx.workspaceId}::uuid and r.parent_id = b.id
          where r.kind = 'column' and b.hops < ${maxNesting})
      select id from below)`,
    implied: Prisma.sql`e.source_id = any(${ids})`,
  });
}

/** Bring all implied edges of an integration in line, after an import has changed its edges. */
export async function settleIntegration(tx: Context, integrationId: string): Promise<void> {
  const mine = Prisma.sql`e.integration_id = ${integrationId}::uuid`;
  await settle(tx, { named: mine, implied: mine });
}

/** Conditions on edges, alias `e`: those between columns, and those they may imply. */
interface Extent {
  readonly named: Prisma.Sql;
  readonly implied: Prisma.Sql;
}

// An implied edge has the origin and integration of those it follows from: it comes and goes with
// them; where somebody named the edge between the tables, too, that one stands for both.
async function settle(tx: Context, { named, implied }: Extent): Promise<void> {
  const now = Prisma.sql`${tx.now()}::timestamptz`;
  await execute(
    tx,
    Prisma.sql`with recursive named as materialized (
        select e.source_id, e.target_id, e.origin, e.integration_id from lineage_edge e
          where e.workspace_id = ${tx.workspaceId}::uuid and e.level = 'COLUMN'
            and e.valid_to is null and ${named}),
      ends(id) as (select source_id from named union select target_id from named),
      ${climbFrom(tx, Prisma.sql`ends`)},
      needed as materialized (
        select distinct s.id as source_id, t.id as target_id, n.origin, n.integration_id
          from named n
          join climb s on s.leaf = n.source_id and s.kind <> 'column'
          join climb t on t.leaf = n.target_id and t.kind <> 'column'
          where s.id <> t.id),
      ended as (
        update lineage_edge e set valid_to = ${now}, updated_at = ${now}
          where e.workspace_id = ${tx.workspaceId}::uuid and e.implied and e.valid_to is null
            and ${implied} and not exists (
              select from needed n where n.source_id = e.source_id and n.target_id = e.target_id
                and n.origin = e.origin and n.integration_id is not distinct from e.integration_id))
      insert into lineage_edge (workspace_id, source_id, target_id, level, origin, implied,
          integration_id, created_at, updated_at, valid_from)
        select ${tx.workspaceId}::uuid, source_id, target_id, 'TABLE', origin, true,
          integration_id, ${now}, ${now}, ${now}
        from needed order by source_id, target_id
        on conflict do nothing`,
  );
}

/** A recursive query by the name of climb: from each leaf up to the table it lies in. */
function climbFrom(ctx: Context, leaves: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`climb(leaf, id, kind, parent_id, hops) as (
    select r.id, r.id, r.kind, r.parent_id, 0 from ${leaves} l(id) join resource r
      on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = l.id
    union all
    select c.leaf, r.id, r.kind, r.parent_id, c.hops + 1 from climb c join resource r
      on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = c.parent_id
      where c.kind = 'column' and c.hops < ${maxNesting})`;
}
