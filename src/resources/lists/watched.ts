// Conditions on a resource `r` about what watches it (incidents, monitors and tests of it or of its columns), and its lineage.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** Whether the resource is one of some targets, or has one of them as a column. These are looked up once, not for each row. */
function isOrHolds(ctx: Context, targets: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`r.id in (with watched as materialized (${targets})
    select w.id from watched w where w.id is not null
    union
    select k.parent_id from watched w join resource k
      on k.workspace_id = ${ctx.workspaceId}::uuid and k.id = w.id
      where k.parent_id is not null and not k.archived)`;
}

/** An incident of it, or of one of its columns, is open. */
export function hasOpenIncident(ctx: Context): Prisma.Sql {
  return isOrHolds(
    ctx,
    Prisma.sql`select i.target_id as id from incident i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.status <> 'resolved'`,
  );
}

/** A monitor watches it, or one of its columns. */
export function hasMonitor(ctx: Context): Prisma.Sql {
  return isOrHolds(
    ctx,
    Prisma.sql`select m.target_id as id from monitor m where m.workspace_id = ${ctx.workspaceId}::uuid`,
  );
}

/** An enabled monitor watches the table: it, one of its columns, or all tables of its schema or database. */
export function isWatched(ctx: Context): Prisma.Sql {
  const targets = Prisma.sql`select m.target_id as id from monitor m
    where m.workspace_id = ${ctx.workspaceId}::uuid and m.is_enabled`;
  return Prisma.sql`(${isOrHolds(ctx, targets)} or r.parent_id in (${targets}) or r.parent_id in (
    select s.id from resource s where s.workspace_id = ${ctx.workspaceId}::uuid
      and s.kind = 'schema' and s.parent_id in (${targets})))`;
}

/** A dashboard or chart that the viewer may see reads it, or one of its columns, itself. */
export function isShownByDashboard(ctx: Context): Prisma.Sql {
  return isOrHolds(
    ctx,
    Prisma.sql`select e.source_id as id from resource o join lineage_edge e
        on e.workspace_id = o.workspace_id and e.target_id = o.id
      where o.workspace_id = ${ctx.workspaceId}::uuid and o.kind in ('dashboard', 'chart')
        and not o.archived and e.valid_to is null and ${visibleResources(ctx, 'o')}`,
  );
}

/** A test that its project declares of it, or of one of its columns, failed or could not be run the last time. */
export function hasFailingTest(ctx: Context): Prisma.Sql {
  return Prisma.sql`r.id in (select t.id from data_test d, unnest(array[d.resource_id, d.column_id]) t(id)
    where d.workspace_id = ${ctx.workspaceId}::uuid and d.status in ('fail', 'error') and t.id is not null)`;
}

/** Something that the viewer may see flows into it. */
export const hasUpstream = (ctx: Context) => hasEdge(ctx, 'target_id', 'source_id');

/** It flows into something that the viewer may see. */
export const hasDownstream = (ctx: Context) => hasEdge(ctx, 'source_id', 'target_id');

type End = 'source_id' | 'target_id';

function hasEdge(ctx: Context, own: End, other: End): Prisma.Sql {
  return Prisma.sql`exists (select from lineage_edge e join resource o
      on o.workspace_id = e.workspace_id and o.id = e.${Prisma.raw(other)}
    where e.workspace_id = r.workspace_id and e.${Prisma.raw(own)} = r.id and e.valid_to is null
      and not o.archived and ${visibleResources(ctx, 'o')})`;
}
