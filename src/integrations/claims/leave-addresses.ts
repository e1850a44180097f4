// Where things lie whose place was an integration that is deleted.

import type { Context } from '../../context.ts';
import { scratch } from '../../database/scratch.ts';
import {
  adapterFamily,
  ownAddress,
  unplacedAddress,
} from '../../resources/identities/named-place.ts';
import { adapterOfProject } from '../addresses/last-said.ts';
import { fillMoves, type Move, writeMoves } from '../addresses/moves.ts';

/** Databases that were taken for those of its source lie nowhere that is known, once no one else is at its address. */
export async function leaveAddresses(
  tx: Context,
  integrationId: string,
  moves: string,
): Promise<void> {
  const left = await scratch<{ adapter: string; database: string; address: string }>(
    tx,
    `delete from database_address d where d.workspace_id = $1::uuid
      and (split_part(d.address, '#', 1) = $3 or exists (select from integration_address a
        where a.workspace_id = $1::uuid and a.integration_id = $2::uuid and a.origin = 'credentials'
          and a.address = split_part(d.address, '#', 1)
          and not exists (select from integration_address o where o.workspace_id = $1::uuid
            and o.integration_id <> $2::uuid and o.origin = 'credentials' and o.address = a.address)))
      returning d.adapter, d.database, d.address`,
    [tx.workspaceId, integrationId, ownAddress(integrationId)],
  );
  const list = [
    ...left.map(
      ({ adapter, database, address }): Move => ({
        ...{ from: address, database, to: unplacedAddress(adapter) },
      }),
    ),
    ...(await leftByHeirs(tx, ownAddress(integrationId))),
  ];
  if (list.length === 0) return;
  // What goes with the integration is not moved.
  await fillMoves(tx, moves, list);
  await scratch(
    tx,
    `delete from ${moves} m using resource r where r.workspace_id = $1::uuid and r.id = m.id
      and r.integration_id = $2::uuid`,
    [tx.workspaceId, integrationId],
  );
  await writeMoves(tx, moves);
}

/**
 * People said of other integrations that they name what lies in this one: it lies in the one of them made first that is no project
 * from now on, or, where all are projects for one warehouse, nowhere that is known.
 */
async function leftByHeirs(tx: Context, dead: string): Promise<Move[]> {
  const heirs = await scratch<{ id: string; type: string }>(
    tx,
    `select i.id, i.type from integration i where i.workspace_id = $1::uuid and $2 <> 'integration:' || i.id
      and exists (select from integration_address a where a.workspace_id = $1::uuid
        and a.integration_id = i.id and a.address = $2) order by i.created_at, i.id`,
    [tx.workspaceId, dead],
  );
  if (heirs.length === 0) return [];
  const heir = heirs.find(({ type }) => type !== 'dbt_core');
  const adapters = new Set<string>();
  for (const { id } of heir ? [] : heirs) {
    adapters.add(adapterFamily(await adapterOfProject(tx, id)));
  }
  const [adapter] = adapters;
  const to = heir ? ownAddress(heir.id) : unplacedAddress(adapter ?? '');
  if (adapters.size > 1) return [];
  await scratch(
    tx,
    `delete from integration_address a where a.workspace_id = $1::uuid and a.address = $2
      and ($3::uuid is null or a.integration_id = $3::uuid)`,
    [tx.workspaceId, dead, heir?.id ?? null],
  );
  await scratch(
    tx,
    'update integration_address a set address = $3 where a.workspace_id = $1::uuid and a.address = $2',
    [tx.workspaceId, dead, to],
  );
  return [{ from: dead, database: null, to }];
}
