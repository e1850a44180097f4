// Where databases, schemas and tables lie that people made by hand: where what they lie in does, or nowhere that is known.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import type { Resource } from '../../generated/prisma/client.ts';
import {
  identityOf,
  placedKindList,
  placedKinds,
  placedNames,
  unplacedAddress,
} from './named-place.ts';

/** Whether people say where a resource lies, rather than a source. */
function isPlacedByHand({ kind, integrationId, shared }: Resource): boolean {
  return placedKinds.some((placed) => placed === kind) && integrationId === null && !shared;
}

/**
 * Say where a resource lies that a person made, named otherwise or moved, with all of theirs that lies in it. What something
 * else has the name of is meant by no name.
 */
export async function placeByHand(tx: Context, resource: Resource): Promise<void> {
  if (!isPlacedByHand(resource)) return;
  await placeLikeHolders(tx, [resource.id], 'c.integration_id is null and not c.shared');
}

/**
 * Say where resources lie that came to lie in others: where those do, with all below for which a condition on the alias
 * `c` holds. What something else has the name of is meant by no name.
 */
export async function placeLikeHolders(
  tx: Context,
  ids: readonly string[],
  condition = 'true',
): Promise<void> {
  const identity = identityOf('d.address', placedNames('r'));
  await scratch(
    tx,
    `with recursive down(id, address, level) as (
        select r.id, coalesce(p.address, $3::text), 0 from resource r
          left join resource p on p.workspace_id = $1::uuid and p.id = r.parent_id
          where r.workspace_id = $1::uuid and r.id = any($2::uuid[])
        union all select c.id, d.address, d.level + 1 from down d
          join resource c on c.workspace_id = $1::uuid and c.parent_id = d.id
          where c.kind in (${placedKindList}) and ${condition} and d.level < 3)
      update resource r set address = d.address, identity = case when exists (select from resource x
          where x.workspace_id = $1::uuid and x.id <> r.id and x.identity = ${identity})
        then null else ${identity} end
      from down d where r.workspace_id = $1::uuid and r.id = d.id`,
    [tx.workspaceId, [...ids], unplacedAddress('')],
  );
}
