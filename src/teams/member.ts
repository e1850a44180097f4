// Who is a member of which team.

import { record } from '../audit/audit.ts';
import { changeOf } from '../audit/changes.ts';
import type { Activity } from '../audit/sentence.ts';
import { checkUserIds } from '../auth/account.ts';
import { forgetViewers } from '../auth/authentication.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { transaction } from '../database/transaction.ts';
import { forbidden } from '../errors.ts';
import type { Team } from '../generated/prisma/client.ts';
import { lockTeam, teamSubject } from './team.ts';

/** Become a member of an OPEN team. A CLOSED one only admins may join by themselves (FORBIDDEN). */
export async function joinTeam(ctx: Context, id: string): Promise<Team> {
  mustBeAllowed(ctx, 'take part');
  return changeMembers(ctx, id, 'team_joined', (team) => {
    if (team.type === 'CLOSED' && !isAllowed(ctx, 'manage teams')) {
      throw forbidden(`The team ${team.name} is closed; an admin can add you to it.`);
    }
    return [...team.memberIds, ctx.viewer.id];
  });
}

/** Stop being a member of a team. */
export async function leaveTeam(ctx: Context, id: string): Promise<Team> {
  mustBeAllowed(ctx, 'take part');
  return changeMembers(ctx, id, 'team_left', (team) =>
    team.memberIds.filter((member) => member !== ctx.viewer.id),
  );
}

/** Make users members of a team. Only admins may. */
export async function addTeamMembers(
  ctx: Context,
  id: string,
  userIds: readonly string[],
): Promise<Team> {
  mustBeAllowed(ctx, 'manage teams');
  return changeMembers(ctx, id, 'team_members_added', async (team, tx) => [
    ...team.memberIds,
    ...(await checkUserIds(tx, 'members', userIds, { services: true })),
  ]);
}

/** Take users out of a team. Only admins may. */
export async function removeTeamMembers(
  ctx: Context,
  id: string,
  userIds: readonly string[],
): Promise<Team> {
  mustBeAllowed(ctx, 'manage teams');
  const gone = new Set(userIds.map((userId) => userId.toLowerCase()));
  return changeMembers(ctx, id, 'team_members_removed', (team) =>
    team.memberIds.filter((member) => !gone.has(member)),
  );
}

/** Nothing is written, and nothing logged, where the members stay the same. */
async function changeMembers(
  ctx: Context,
  id: string,
  activity: Activity,
  change: (team: Team, tx: Context) => string[] | Promise<string[]>,
): Promise<Team> {
  const changed = await transaction(ctx, async (tx) => {
    const before = await lockTeam(tx, id);
    const memberIds = [...new Set(await change(before, tx))];
    const affected = difference(before.memberIds, memberIds);
    if (affected.length === 0) return before;
    const team = await tx.db.team.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: { memberIds, updatedAt: ctx.now() },
    });
    const related = { ids: affected, type: 'user' };
    const changes = [changeOf('memberIds', before.memberIds, memberIds)];
    await record(tx, { activity, subject: teamSubject(team), related, changes });
    return team;
  });
  await forgetViewers(ctx.database);
  return changed;
}

function difference(before: readonly string[], after: readonly string[]): string[] {
  const kept = new Set(after.filter((id) => before.includes(id)));
  return [...before, ...after].filter((id) => !kept.has(id));
}
