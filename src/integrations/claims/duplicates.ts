// Resources of one name in one place, which were two before names decided what is one.

import type { Context } from '../../context.ts';
import { type Batch, byOwner, loaderInFamily } from '../../database/loader.ts';
import { scratch } from '../../database/scratch.ts';
import { checkCount } from '../../lists/page.ts';
import { identityOf, placedNames } from '../../resources/identities/named-place.ts';

/** Two resources of one name in one place. */
export interface Duplicate {
  /** The one that its name means. */
  readonly id: string;
  /** The other, which waits to be merged into it. */
  readonly otherId: string;
}

/**
 * Pairs of resources of one name in one place, at least one of which an integration describes: 1 to 1,000 of them, by name. Throws
 * BAD_REQUEST for another count.
 */
export async function listDuplicates(
  ctx: Context,
  integrationId: string,
  first: number,
): Promise<Duplicate[]> {
  checkCount('first', first);
  const batch = (): Batch<string, Duplicate[]> => (within, ids) =>
    readDuplicates(within, ids, first);
  const loader = loaderInFamily(ctx, listDuplicates, String(first), batch);
  return (await loader.load(integrationId)) ?? [];
}

/** Those of many integrations in one statement. */
async function readDuplicates(
  ctx: Context,
  integrationIds: readonly string[],
  first: number,
): Promise<Map<string, Duplicate[]>> {
  const isOurs = (r: string) =>
    `(${r}.integration_id = owner.id or (${r}.source_ids <> '{}' and ${r}.source_ids @> array[owner.id]))`;
  const found = await scratch<Duplicate & { ownerId: string }>(
    ctx,
    `select owner.id as "ownerId", one.* from unnest($2::uuid[]) owner(id) cross join lateral (
      select x.id, r.id as "otherId" from resource r join resource x
        on x.workspace_id = $1::uuid and x.identity = ${identityOf('r.address', placedNames('r'))}
      where r.workspace_id = $1::uuid and r.address is not null and r.identity is null
        and not r.archived and not x.archived and (${isOurs('r')} or ${isOurs('x')})
      order by r.title_full, r.id limit $3) one`,
    [ctx.workspaceId, [...integrationIds], first],
  );
  return byOwner(integrationIds, found);
}
