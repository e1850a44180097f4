// Matches schemas and databases that are only implied with those that the integration names itself.

import type { Context } from '../../../context.ts';
import { scratch } from '../../../database/scratch.ts';
import type { Stage } from '../staging/stage.ts';

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
        and r.kind = i.kind and not r.archived and not r.stale and not r.shared
        and r.databuilder_id <> i.key
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
