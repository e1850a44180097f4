// Deletes a team: what only it held moves to the default team.

import { record } from '../audit/audit.ts';
import { changesOf } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { forgetViewers } from '../auth/authentication.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { execute, rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict } from '../errors.ts';
import { Prisma, type Team } from '../generated/prisma/client.ts';
import { lockWhere } from '../resources/editing/lock.ts';
import { lockTeam, teamColumns, teamSubject } from './team.ts';

/**
 * Delete (archive) a team. Only admins may; the default team stays (CONFLICT). Resources and
 * integrations that belong solely to it move to the default team, others keep their other teams,
 * all in one transaction: anyone who gives something to the team in the meantime waits, and is then
 * refused.
 */
export async function archiveTeam(
  ctx: Context,
  id: string,
  expectedVersion?: ExpectedVersion,
): Promise<Team> {
  mustBeAllowed(ctx, 'manage teams');
  const archived = await transaction(ctx, async (tx) => {
    const before = await lockTeam(tx, id, 'delete');
    await mustBeAtVersion(tx, before, expectedVersion);
    if (before.isDefaultTeam) throw conflict(`The default team ${before.name} cannot be deleted.`);
    const successor = await defaultTeam(tx);
    await handOver(tx, 'integration', before.id, successor.id);
    await lockWhere(tx, Prisma.sql`r.team_ids @> array[${before.id}::uuid]`);
    await handOver(tx, 'resource', before.id, successor.id);
    const team = await tx.db.team.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { archived: true, updatedAt: ctx.now() },
    });
    await record(tx, {
      activity: 'team_deleted',
      subject: teamSubject(team),
      changes: changesOf(before, team),
    });
    return team;
  });
  await forgetViewers(ctx.database);
  return archived;
}

/** The one team that takes over what other teams leave; locked, so that it stays that. */
async function defaultTeam(ctx: Context): Promise<Team> {
  const [team] = await rows<Team>(
    ctx,
    Prisma.sql`select ${teamColumns} from team t
      where t.workspace_id = ${ctx.workspaceId}::uuid and t.is_default_team for share`,
  );
  if (!team) throw new Error(`The workspace ${ctx.workspaceId} has no default team.`);
  return team;
}

async function handOver(
  ctx: Context,
  table: 'resource' | 'integration',
  team: string,
  successor: string,
): Promise<void> {
  const rest = Prisma.sql`array_remove(x.team_ids, ${team}::uuid)`;
  await execute(
    ctx,
    Prisma.sql`update ${Prisma.raw(table)} x set updated_at = ${ctx.now()}::timestamptz, team_ids =
        case when cardinality(${rest}) = 0 then array[${successor}::uuid] else ${rest} end
      where x.workspace_id = ${ctx.workspaceId}::uuid and x.team_ids @> array[${team}::uuid]`,
  );
}
