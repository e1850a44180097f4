// How many resources integrations describe, and how many of these are theirs.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { loaderOf } from '../../database/loader.ts';
import { rows } from '../../database/rows.ts';
import { Prisma } from '../../generated/prisma/client.ts';

/** How many resources an integration describes, as far as the viewer may see them; archived ones count nowhere. */
export interface DescribedCounts {
  /** Those that it describes, alone or with others. */
  readonly described: number;
  /** Those of them that lie in it: their `integration` is this one. */
  readonly owned: number;
}

/** The counts of an integration: one statement for all that a request asks for. */
export async function loadDescribedCounts(
  ctx: Context,
  integrationId: string,
): Promise<DescribedCounts> {
  return (await loaderOf(ctx, countsOf).load(integrationId)) ?? { described: 0, owned: 0 };
}

async function countsOf(
  ctx: Context,
  ids: readonly string[],
): Promise<Map<string, DescribedCounts>> {
  const asked = Prisma.sql`${[...ids]}::uuid[]`;
  const found = await rows<DescribedCounts & { id: string }>(
    ctx,
    // Few resources have several describers: an index holds those.
    Prisma.sql`select u.id, count(*)::integer as described,
        (count(*) filter (where u.id = r.integration_id))::integer as owned
      from resource r
      cross join lateral unnest(array_remove(r.integration_id || r.source_ids, null)) u(id)
      where r.workspace_id = ${ctx.workspaceId}::uuid and not r.archived and ${visibleResources(ctx)}
        and (r.integration_id = any(${asked}) or (r.source_ids <> '{}' and r.source_ids && ${asked}))
        and u.id = any(${asked}) group by u.id`,
  );
  return new Map(found.map(({ id, described, owned }) => [id, { described, owned }]));
}
