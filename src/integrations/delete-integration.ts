// Deletes an integration with all that came from it.

import { record } from '../audit/audit.ts';
import { changesOfGone } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { announce } from '../database/announce.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { type Integration, Prisma } from '../generated/prisma/client.ts';
import { placeLikeHolders } from '../resources/identities/by-hand.ts';
import { placedKinds } from '../resources/identities/named-place.ts';
import { type Forgetting, forgetClaims, prepareForgetting } from './claims/forget.ts';
import { getIntegration, lockIntegration } from './integration.ts';
import { mustBeIdle } from './sync-key.ts';

/**
 * Delete an integration with its resources, their lineage and monitors, and its tests; admins may.
 * What others describe as well stays, as they describe it. Returns the integration as it was. Throws CONFLICT
 * while something is imported into it.
 */
export async function deleteIntegration(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Integration> {
  mustBeAllowed(ctx, 'manage integrations');
  const { id: found } = await getIntegration(ctx, id);
  await mustBeIdle(ctx, found);
  await using forgetting = await prepareForgetting(ctx, found);
  return await transaction(
    ctx,
    async (tx) => {
      const integration = await lockIntegration(tx, found, Prisma.sql`for update`);
      await mustBeAtVersion(tx, integration, expectedVersion);
      await forgetResources(tx, integration.id, forgetting);
      // Tests, and the results of runs, go with the integration: their foreign keys cascade.
      await tx.db.integration.delete({
        where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: integration.id } },
      });
      await record(tx, {
        activity: 'integration_deleted',
        subject: { ...integration, kind: 'integration', title: integration.name },
        changes: changesOfGone(integration),
      });
      await announce(tx, 'resource');
      return integration;
    },
    { long: true },
  );
}

async function forgetResources(
  tx: Context,
  integrationId: string,
  forgetting: Forgetting,
): Promise<void> {
  await forgetClaims(tx, integrationId, forgetting);
  const ours = Prisma.sql`workspace_id = ${tx.workspaceId}::uuid
    and integration_id = ${integrationId}::uuid`;
  const gone = Prisma.sql`(select id from resource where ${ours})`;
  const ws = Prisma.sql`workspace_id = ${tx.workspaceId}::uuid`;
  // What people put below its resources, such as a column of their own, loses its parent only.
  const orphans = await rows<{ id: string; kind: string }>(
    tx,
    Prisma.sql`update resource set parent_id = null, title_full = title,
        updated_at = ${tx.now()}::timestamptz
      where ${ws} and integration_id is distinct from ${integrationId}::uuid
        and parent_id in ${gone} returning id, kind`,
  );
  const placed = orphans.filter(({ kind }) => placedKinds.some((one) => one === kind));
  await placeLikeHolders(
    tx,
    placed.map(({ id }) => id),
  );
  await execute(
    tx,
    Prisma.sql`update resource set base_entity_id = null, updated_at = ${tx.now()}::timestamptz
      where ${ws} and base_entity_id in ${gone}
        and integration_id is distinct from ${integrationId}::uuid`,
  );
  await execute(
    tx,
    Prisma.sql`update resource set successor_id = null, updated_at = ${tx.now()}::timestamptz
      where ${ws} and successor_id in ${gone}
        and integration_id is distinct from ${integrationId}::uuid`,
  );
  // Monitors that it declared on the tables of others stay, and are for people to change from now on.
  await execute(
    tx,
    Prisma.sql`update monitor set declared_by_id = null, declared_in = null, undeclared_at = null,
        updated_at = ${tx.now()}::timestamptz
      where ${ws} and declared_by_id = ${integrationId}::uuid`,
  );
  await execute(tx, Prisma.sql`delete from lineage_edge where ${ours}`);
  await execute(
    tx,
    Prisma.sql`update run_result set resource_id = null
    where ${ws} and integration_id <> ${integrationId}::uuid and resource_id in ${gone}`,
  );
  await execute(
    tx,
    Prisma.sql`update data_test set column_id = null
    where ${ws} and integration_id <> ${integrationId}::uuid and column_id in ${gone}`,
  );
  await execute(tx, Prisma.sql`delete from resource where ${ours}`);
}
