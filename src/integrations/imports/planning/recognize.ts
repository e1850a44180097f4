// Finds out which staged resources are in the catalog already under another key.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import type { Stage } from '../staging/stage.ts';

/**
 * Match tables, columns, schemas and databases with those that another integration brought: the
 * project's description then decorates them instead of standing next to them. Where several have the
 * same name, one that no project brought comes first, then the oldest.
 */
export async function matchWarehouse(
  ctx: Context,
  stage: Stage,
  integrationId: string,
): Promise<void> {
  const { resources, matches } = stage;
  const ids = [ctx.workspaceId, integrationId];
  const others = `r.workspace_id = $1::uuid and r.integration_id is distinct from $2::uuid
    and not r.archived and not r.stale`;
  const first = `coalesce((select i.type = 'dbt_core' from integration i
    where i.workspace_id = r.workspace_id and i.id = r.integration_id), false), r.created_at, r.id`;
  const sameDatabase = `(s.database_name is null or lower(r.database_name) = lower(s.database_name))`;
  const conditions = {
    table: `${sameDatabase} and lower(r.schema_name) = lower(s.schema_name) and s.standing = 'named'`,
    schema: sameDatabase,
    database: 'true',
  };
  for (const [kind, condition] of Object.entries(conditions)) {
    await scratch(
      ctx,
      `insert into ${matches} (key, id)
        select distinct on (s.key) s.key, r.id from ${resources} s
        join resource r on ${others} and r.kind = '${kind}' and lower(r.title) = lower(s.title)
        where s.kind = '${kind}' and ${condition} order by s.key, ${first}`,
      ids,
    );
  }
  await scratch(
    ctx,
    `insert into ${matches} (key, id)
      select distinct on (s.key) s.key, r.id from ${resources} s
      join ${matches} m on m.key = s.parent_key and m.id is not null
      join resource r on ${others} and r.parent_id = m.id and r.kind = 'column'
        and lower(r.title) = lower(s.title)
      where s.kind = 'column' order by s.key, r.created_at, r.id`,
    ids,
  );
  // A seed and the source that reads it are one table there: their columns must not be doubled.
  await scratch(
    ctx,
    `insert into ${matches} (key, same_as)
      select key, first_key from (
        select s.key, first_value(s.key) over (
          partition by m.id, lower(s.title) order by s.seq) as first_key
        from ${resources} s join ${matches} m on m.key = s.parent_key and m.id is not null
        where s.kind = 'column' and not exists (select from ${matches} x where x.key = s.key)) c
      where key <> first_key`,
  );
}

/**
 * Match schemas and databases that are only implied with those of the same name that this integration
 * names under a key of its own, in the file or in the catalog.
 */
export async function matchImplied(
  ctx: Context,
  stage: Stage,
  integrationId: string,
): Promise<void> {
  const { resources, matches } = stage;
  const open = `i.standing = 'implied' and not exists (select from ${matches} m where m.key = i.key)`;
  await scratch(
    ctx,
    `insert into ${matches} (key, same_as)
      select distinct on (i.key) i.key, n.key from ${resources} i
      join ${resources} n on n.kind = i.kind and n.standing = 'named'
        and lower(n.title) = lower(i.title)
      left join ${resources} d on d.key = n.parent_key
      where ${open} and (i.kind = 'database' or i.kind = 'schema' and
        lower(coalesce(d.title, n.database_name)) is not distinct from lower(i.database_name))
      order by i.key, n.seq`,
  );
  await scratch(
    ctx,
    `insert into ${matches} (key, id)
      select distinct on (i.key) i.key, r.id from ${resources} i
      join resource r on r.workspace_id = $1::uuid and r.integration_id = $2::uuid
        and r.kind = i.kind and not r.archived and not r.stale and r.databuilder_id <> i.key
        and lower(r.title) = lower(i.title)
        and (i.kind = 'database'
          or lower(r.database_name) is not distinct from lower(i.database_name))
      where ${open} and not exists (
        select from resource o where o.workspace_id = $1::uuid and o.integration_id = $2::uuid
          and o.databuilder_id = i.key and o.kind = i.kind and not o.stale)
      order by i.key, r.created_at, r.id`,
    [ctx.workspaceId, integrationId],
  );
}
