// The first claims on resources that one integration described alone: what they hold.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import { claimColumns, ownClaim, ownWords } from './claim-words.ts';

const first = ownClaim('r', 'i', 'o');

/**
 * A query of the claims that resources are which have none yet, as far as a condition on the resource `r` holds, in the
 * order: integration, key, resource, rank, live, gone_at and what they say.
 */
export function ownClaims(condition: string): string {
  const words = ownWords('r');
  return `select ${first.integrationId} as integration_id, ${first.key} as key, r.id as resource_id,
      (${first.rank})::smallint as rank, not r.stale as live, r.stale_at as gone_at,
      ${claimColumns.map((column) => `${words[column]} as ${column}`).join(', ')}
    from resource r left join integration i on i.workspace_id = $1::uuid and i.id = r.integration_id
    left join resource o on o.workspace_id = $1::uuid and o.id = r.parent_id
    where r.workspace_id = $1::uuid and not r.shared and ${condition}`;
}

/** Keep what one integration alone said of resources as its claims, within a transaction that holds them. */
export async function keepOwnClaims(tx: Context, ids: string): Promise<void> {
  await scratch(
    tx,
    `insert into resource_claim (workspace_id, integration_id, key, resource_id, rank, live, gone_at,
        ${claimColumns.join(', ')})
      select $1::uuid, c.* from (${ownClaims(`r.id in (${ids})`)}) c
      on conflict (workspace_id, integration_id, key) do nothing`,
    [tx.workspaceId],
  );
  await scratch(
    tx,
    `update resource r set shared = true where r.workspace_id = $1::uuid and not r.shared
      and r.id in (${ids})`,
    [tx.workspaceId],
  );
}
