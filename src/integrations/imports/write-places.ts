// Writes where the things of an import lie: what moved with its database, what was renamed, what people say.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import {
  identityOf,
  ownAddress,
  placedKindList,
  placedNames,
} from '../../resources/identities/named-place.ts';
import { writeMoves } from '../addresses/moves.ts';
import type { AddressInput } from '../addresses/said-address.ts';
import type { Importing } from './planning/importing.ts';
import type { Places } from './planning/places.ts';
import type { Stage } from './staging/stage.ts';

/**
 * Write where things lie, once all else is written: what moved with its database, what the source renamed, and what
 * lies below that and the source did not name.
 */
export async function writePlaces(
  tx: Context,
  { plan, placed, things, moves, changes }: Stage,
  { integrationId }: Importing,
  places: Places,
): Promise<void> {
  const ws = [tx.workspaceId];
  await writeMoves(tx, moves);
  await noteAddresses(tx, integrationId, places);
  const wanted = `${plan} p join ${placed} a on a.key = p.key join ${things} t on t.key = p.key
    where r.workspace_id = $1::uuid and r.id = p.id and p.n is not null
      and (not p.is_foreign or t.there is null and t.renamed = p.id)
      and (r.address, r.identity, r.variant) is distinct from (a.address, a.identity, a.variant)`;
  const renamed = `r.workspace_id = $1::uuid and r.kind in (${placedKindList}) and r.identity is not null
    and r.id in (select x.id from ${changes} x where x.becomes = 'renamed')
    and not exists (select from ${placed} a join ${plan} p on p.key = a.key where p.id = r.id)`;
  const identity = identityOf('r.address', placedNames('r'));
  // Two that change names must not have one identity in between.
  await scratch(
    tx,
    `update resource r set identity = null from ${wanted} and r.identity is not null`,
    ws,
  );
  await scratch(
    tx,
    `update resource r set address = a.address, identity = a.identity, variant = a.variant from ${wanted}`,
    ws,
  );
  await scratch(
    tx,
    `update resource r set identity = case when exists (select from resource x
        where x.workspace_id = $1::uuid and x.identity = ${identity}) then null else ${identity} end
      where ${renamed} and r.identity <> ${identity}`,
    ws,
  );
}

/** Write down what people say of addresses, in place of what they said before. */
export async function writeSaid(
  tx: Context,
  integrationId: string,
  said: readonly AddressInput[],
): Promise<void> {
  const ids = [tx.workspaceId, integrationId];
  await scratch(
    tx,
    `delete from integration_address a where a.workspace_id = $1::uuid
      and a.integration_id = $2::uuid and a.origin = 'set'`,
    ids,
  );
  for (const { database, address, becomes } of said) {
    await scratch(
      tx,
      `insert into integration_address as a (workspace_id, integration_id, database, address, becomes,
          origin, decided_at, decided_by)
        values ($1::uuid, $2::uuid, $3, $4, $5, 'set', $6, $7::uuid)
        on conflict (workspace_id, integration_id, database) do update set address = excluded.address,
          becomes = excluded.becomes, origin = 'set', decided_at = excluded.decided_at,
          decided_by = excluded.decided_by`,
      [...ids, database ?? '', address, becomes ?? null, tx.now(), tx.viewer.id],
    );
  }
}

/** Write down what was found out of addresses; another import may have found out the same at the same time. */
async function noteAddresses(
  tx: Context,
  integrationId: string,
  { decisions, moves, source }: Places,
): Promise<void> {
  for (const { adapter, database, address } of decisions) {
    await scratch(
      tx,
      `insert into database_address (workspace_id, adapter, database, address, decided_at)
        values ($1::uuid, $2, $3, $4, $5) on conflict (workspace_id, adapter, database) do nothing`,
      [tx.workspaceId, adapter, database, address, tx.now()],
    );
  }
  for (const { from, database, to, namesOf } of moves) {
    if (namesOf !== undefined || from === to) continue;
    await scratch(
      tx,
      `update database_address d set address = $4 where d.workspace_id = $1::uuid and d.address = $2
        and ($3::text is null or d.database = $3)`,
      [tx.workspaceId, from, database, to],
    );
    // An integration that is named in place of an address stands for where it lies.
    if (database !== null || from.startsWith(ownAddress(''))) continue;
    await scratch(
      tx,
      `update integration_address a set address = $3 where a.workspace_id = $1::uuid and a.address = $2
        and a.origin = 'set' and a.integration_id <> $4::uuid`,
      [tx.workspaceId, from, to, integrationId],
    );
  }
  if (source === null) return;
  await scratch(
    tx,
    `insert into integration_address as a (workspace_id, integration_id, database, address, origin, decided_at)
      values ($1::uuid, $2::uuid, '*', $3, 'credentials', $4)
      on conflict (workspace_id, integration_id, database) do update set address = excluded.address,
        decided_at = excluded.decided_at where a.origin = 'credentials'`,
    [tx.workspaceId, integrationId, source, tx.now()],
  );
}
