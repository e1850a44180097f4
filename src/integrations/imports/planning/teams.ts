// The teams that hold what an import brings: those of now, whatever happens in the meantime.

import type { Context } from '../../../context.ts';
import { rows } from '../../../database/rows.ts';
import { scratch } from '../../../database/scratch.ts';
import { conflict, notFound } from '../../../errors.ts';
import { type Integration, Prisma } from '../../../generated/prisma/client.ts';
import type { Stage } from '../staging/stage.ts';

/**
 * Make sure, within a transaction, that the integration stays until it ends. It can be changed
 * in the meantime. Answers it with the teams of now, for one may have been deleted while the file was read.
 * Throws NOT_FOUND where it was deleted.
 */
export async function holdIntegration(tx: Context, integration: Integration): Promise<Integration> {
  return { ...integration, teamIds: await teamsOf(tx, integration.id) };
}

async function teamsOf(tx: Context, integrationId: string): Promise<string[]> {
  const [held] = await rows<Pick<Integration, 'teamIds'>>(
    tx,
    Prisma.sql`select i.team_ids as "teamIds" from integration i
      where i.workspace_id = ${tx.workspaceId}::uuid and i.id = ${integrationId}::uuid
      for key share`,
  );
  if (!held) throw notFound('Integration');
  return held.teamIds;
}

/** Times that the teams are looked up, should they be deleted one after the other. */
const maxLooks = 5;

/**
 * Hold the teams of the integration until the transaction ends, and give them what the import wrote for
 * others. To be called late: who deletes one of them waits for the end.
 */
export async function settleTeams(
  tx: Context,
  { plan }: Stage,
  { id, teamIds: before }: Integration,
): Promise<void> {
  for (let look = 0; look < maxLooks; look++) {
    const teamIds = await teamsOf(tx, id);
    const alive = await rows<{ id: string }>(
      tx,
      Prisma.sql`select t.id from team t where t.workspace_id = ${tx.workspaceId}::uuid
        and t.id = any(${teamIds}::uuid[]) and not t.archived order by t.id for key share`,
    );
    // One that was deleted just now has left its place to another team.
    if (alive.length < teamIds.length) continue;
    if (teamIds.join() === before.join()) return;
    await scratch(
      tx,
      `update resource r set team_ids = $2::uuid[] from ${plan} p
        where r.workspace_id = $1::uuid and r.id = p.id and p.is_new`,
      [tx.workspaceId, teamIds],
    );
    return;
  }
  throw conflict('The teams of this integration are being deleted; try again.');
}
