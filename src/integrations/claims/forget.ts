// Ends what an integration says of resources that others describe as well, when it is deleted.

import type { Context } from '../../context.ts';
import { dropScratch, prepare, scratch, scratchSchema } from '../../database/scratch.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { lockOrder } from '../../resources/editing/lock.ts';
import { placeLikeHolders } from '../../resources/identities/by-hand.ts';
import {
  identityOfPath,
  ownAddress,
  pathOf,
  placedKindList,
  placedNames,
} from '../../resources/identities/named-place.ts';
import { makeMoves } from '../addresses/moves.ts';
import { leaveAddresses } from './leave-addresses.ts';
import { respell } from './respell.ts';
import {
  keepSettledVersions,
  lookAtClaims,
  makeSettling,
  type Settling,
  settle,
  settlingOf,
  writeSettled,
} from './settle.ts';

/** The scratch tables of a deletion. */
export interface Forgetting extends AsyncDisposable {
  readonly settling: Settling;
  readonly moves: string;
}

/** Make the scratch tables that a deletion works on, before its transaction begins. */
export async function prepareForgetting(ctx: Context, integrationId: string): Promise<Forgetting> {
  const name = `forget_${integrationId.replaceAll('-', '')}`;
  const settling = settlingOf(`${scratchSchema}.${name}`);
  const moves = `${scratchSchema}.${name}_moves`;
  await scratch(ctx, `create schema if not exists ${scratchSchema}`);
  await prepare(ctx, async (tx) => {
    await makeSettling(tx, settling);
    await makeMoves(tx, moves);
  });
  const { db, database, workspaceId } = ctx;
  const drop = () =>
    dropScratch({ db, database, workspaceId }, [
      `${name}_claims`,
      `${name}_settled`,
      `${name}_moves`,
    ]);
  return { settling, moves, [Symbol.asyncDispose]: drop };
}

/**
 * Forget the claims of an integration, within a transaction: what others describe as well is settled again and theirs
 * from now on. What is left to the integration is what it describes alone.
 */
export async function forgetClaims(
  tx: Context,
  integrationId: string,
  { settling, moves }: Forgetting,
): Promise<void> {
  const ids = [tx.workspaceId, integrationId];
  await scratch(
    tx,
    Prisma.sql`select count(*) from (
      select 1 from resource r where r.workspace_id = ${tx.workspaceId}::uuid and r.id in (
        select c.resource_id from resource_claim c where c.workspace_id = ${tx.workspaceId}::uuid
          and c.integration_id = ${integrationId}::uuid)
      order by ${lockOrder} for no key update) held`,
  );
  await lookAtClaims(
    tx,
    settling,
    `c.integration_id <> $2::uuid and c.resource_id in (select o.resource_id from resource_claim o
      where o.workspace_id = $1::uuid and o.integration_id = $2::uuid)`,
    [integrationId],
  );
  await settle(tx, settling);
  await keepNames(tx, integrationId, moves);
  await scratch(
    tx,
    'delete from resource_claim where workspace_id = $1::uuid and integration_id = $2::uuid',
    ids,
  );
  await keepSettledVersions(tx, settling);
  await writeSettled(tx, settling);
  await respell(tx, settling.settled);
  await unshare(tx, settling);
  await takeNames(tx, integrationId, moves);
  await leaveAddresses(tx, integrationId, moves);
}

/** Keep in `moves` what resources are called to which people merged others, as long as the integration describes them. */
async function keepNames(tx: Context, integrationId: string, moves: string): Promise<void> {
  await scratch(
    tx,
    `insert into ${moves} (id, identity, path) select r.id, r.identity, ${pathOf('r.address', placedNames('r'))}
      from resource r where r.workspace_id = $1::uuid and r.identity is not null
        and exists (select from resource_claim c where c.workspace_id = $1::uuid
          and c.integration_id = $2::uuid and c.resource_id = r.id)
        and exists (select from resource_alias z where z.workspace_id = $1::uuid and z.resource_id = r.id
          and z.identity is not null and z.path is not null)`,
    [tx.workspaceId, integrationId],
  );
}

/**
 * What people merged goes by the names of those who are left to describe it, and lies where these say, with all that lies
 * in it. What it was called until now leads to it.
 */
async function takeNames(tx: Context, integrationId: string, moves: string): Promise<void> {
  const now = pathOf('r.address', placedNames('r'));
  const own = ownAddress(integrationId);
  const found = await scratch<{ id: string }>(
    tx,
    `with named as materialized (
        select distinct on (r.id) r.id, z.old_id, z.path, z.identity, m.path as former, m.identity as was
        from ${moves} m join resource r on r.workspace_id = $1::uuid and r.id = m.id
        join resource_alias z on z.workspace_id = $1::uuid and z.resource_id = r.id and z.identity is not null
          and z.path - 0 = (${now}) - 0 and split_part(z.path ->> 0, '#', 1) <> $3
        where r.integration_id is distinct from $2::uuid
          and (split_part(r.address, '#', 1) = $3 or ${identityOfPath(now)} <> r.identity)
          and not exists (select from resource x where x.workspace_id = $1::uuid and x.identity = z.identity)
        order by r.id, z.merged_at, z.old_id),
      led as (
        update resource_alias z set path = n.former, identity = n.was from named n
        where z.workspace_id = $1::uuid and z.old_id = n.old_id)
      update resource r set address = n.path ->> 0, identity = n.identity from named n
      where r.workspace_id = $1::uuid and r.id = n.id returning r.id`,
    [tx.workspaceId, integrationId, own],
  );
  const within = await scratch<{ id: string }>(
    tx,
    `select r.id from resource r join resource p on p.workspace_id = $1::uuid and p.id = r.parent_id
      where r.workspace_id = $1::uuid and r.parent_id = any($2::uuid[]) and r.kind in (${placedKindList})
        and r.address is distinct from p.address and not r.id = any($2::uuid[])
        and r.integration_id is distinct from $3::uuid`,
    [tx.workspaceId, found.map(({ id }) => id), integrationId],
  );
  if (within.length === 0) return;
  await placeLikeHolders(
    tx,
    within.map(({ id }) => id),
    `c.integration_id is distinct from '${integrationId}'::uuid`,
  );
}

/** What one integration alone describes, under one key, needs no claims. */
async function unshare(tx: Context, { claims }: Settling): Promise<void> {
  await scratch(
    tx,
    `with alone as (
        select c.resource_id from ${claims} c
        join resource r on r.workspace_id = $1::uuid and r.id = c.resource_id
        group by c.resource_id having count(*) = 1 and min(c.integration_id::text) is not distinct from
          min(r.integration_id::text) and min(c.key) is not distinct from min(r.databuilder_id)),
      forgotten as (
        delete from resource_claim c using alone a
        where c.workspace_id = $1::uuid and c.resource_id = a.resource_id)
      update resource r set shared = false from alone a
      where r.workspace_id = $1::uuid and r.id = a.resource_id`,
    [tx.workspaceId],
  );
}
