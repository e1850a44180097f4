// Teams: making, changing and reading them.

import { record } from '../audit/audit.ts';
import { changesOf, changesOfNew } from '../audit/changes.ts';
import { type ExpectedVersion, mustBeAtVersion } from '../audit/version.ts';
import { changedMembers } from '../auth/account.ts';
import { forgetViewers } from '../auth/authentication.ts';
import { knownTeams, mustBeAllowed, visibleTeams } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { loadList } from '../database/loader.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { conflict, notFound } from '../errors.ts';
import { checkFields, choice, flag, kept, type Noun, name, optionalText, text } from '../fields.ts';
import { Prisma, type Team } from '../generated/prisma/client.ts';
import { listPage, newestFirst, type Page, type PageArgs } from '../lists/page.ts';
import { isUuid } from '../text/uuid.ts';
import { mergeSections } from './sidebar.ts';

/** OPEN: anyone of the workspace may join. CLOSED: private, only admins add members. */
const teamTypes = ['OPEN', 'CLOSED'] as const;

/** What a team is made of. Absent takes the default, or leaves alone; null clears. */
export interface TeamInput {
  name?: string | null | undefined;
  icon?: string | null | undefined;
  type?: string | null | undefined;
  description?: string | null | undefined;
  /** Booleans by section; sections that are left out stay as they are, at first shown. */
  sidebarSettings?: unknown;
  onboardingComplete?: boolean | null | undefined;
  addMemberIds?: readonly string[] | null | undefined;
  removeMemberIds?: readonly string[] | null | undefined;
}

/** Its plain fields. The sections of the sidebar are merged, and members are added and removed. */
export const teamNoun: Noun<
  TeamInput,
  Pick<Team, 'name' | 'icon' | 'type' | 'description' | 'onboardingComplete'>
> = {
  by: 'manage teams',
  fields: {
    name: name('name'),
    icon: optionalText('icon'),
    type: kept(choice('type', teamTypes)),
    description: text('description'),
    onboardingComplete: flag('onboarding_complete'),
  },
};

export const teamColumns = columnsOf(Prisma.TeamScalarFieldEnum, 't');

const untitled = { name: 'Untitled team' };

/** A service account sees what its teams hold, as a person does. */
const programs = { services: true };

/** Make a team, whose first member is who makes it. Only admins may. */
export async function createTeam(ctx: Context, input: TeamInput): Promise<Team> {
  mustBeAllowed(ctx, teamNoun.by);
  const data = checkFields(teamNoun, input);
  const sidebarSettings = mergeSections({}, input.sidebarSettings);
  const created = await transaction(ctx, async (tx) => {
    const { memberIds = [ctx.viewer.id] } = await changedMembers(
      tx,
      [ctx.viewer.id],
      input,
      programs,
    );
    const team = await tx.db.team.create({
      data: { ...untitled, ...data, sidebarSettings, workspaceId: ctx.workspaceId, memberIds },
    });
    const changes = changesOfNew(team);
    await record(tx, { activity: 'team_created', subject: teamSubject(team), changes });
    return team;
  });
  await forgetViewers(ctx.database);
  return created;
}

/** Change a team. Only admins may. The default team stays OPEN (CONFLICT). */
export async function updateTeam(
  ctx: Context,
  id: string,
  input: TeamInput,
  expectedVersion?: ExpectedVersion,
): Promise<Team> {
  mustBeAllowed(ctx, teamNoun.by);
  const updated = await transaction(ctx, async (tx) => {
    const before = await lockTeam(tx, id);
    await mustBeAtVersion(tx, before, expectedVersion);
    const data = checkFields(teamNoun, input);
    if (before.isDefaultTeam && data.type === 'CLOSED') {
      throw conflict(`The default team ${before.name} stays OPEN.`);
    }
    const members = await changedMembers(tx, before.memberIds, input, programs);
    const team = await tx.db.team.update({
      where: { workspaceId_id: { workspaceId: ctx.workspaceId, id: before.id } },
      data: {
        ...data,
        ...members,
        sidebarSettings: mergeSections(before.sidebarSettings, input.sidebarSettings),
        updatedAt: ctx.now(),
      },
    });
    const changes = changesOf(before, team);
    await record(tx, { activity: 'team_updated', subject: teamSubject(team), changes });
    return team;
  });
  await forgetViewers(ctx.database);
  return updated;
}

/** One team that the viewer may know of, also a deleted one. */
export async function getTeam(ctx: Context, id: string): Promise<Team> {
  const team = isUuid(id) ? (await knownTeamsById(ctx, [id])).get(id.toLowerCase()) : undefined;
  if (!team) throw notFound('Team');
  return team;
}

/** The same for many ids at once: those of what there is. */
export function loadKnownTeams(ctx: Context, ids: readonly string[]): Team[] | Promise<Team[]> {
  return loadList(ctx, knownTeamsById, ids);
}

/** Which teams to list. */
export interface TeamQuery {
  /** True lists the deleted ones, too. */
  readonly archived?: boolean | null | undefined;
}

/** The teams that the viewer may know of, newest first, without deleted ones unless they are asked for. */
export async function listTeams(
  ctx: Context,
  { archived }: TeamQuery,
  args: PageArgs,
): Promise<Page<Team>> {
  return listPage<Team>(
    ctx,
    {
      from: Prisma.sql`team t`,
      columns: teamColumns,
      where: Prisma.sql`t.workspace_id = ${ctx.workspaceId}::uuid
        and ${archived ? knownTeams(ctx) : visibleTeams(ctx)}`,
      order: newestFirst(Prisma.sql`t`),
    },
    args,
  );
}

/** Teams by their ids, as far as the viewer may know of them, for a loader. */
async function teamsById(ctx: Context, ids: readonly string[]): Promise<Map<string, Team>> {
  const found = await knownTeamsById(ctx, ids);
  return new Map([...found].filter(([, { archived }]) => !archived));
}

async function knownTeamsById(ctx: Context, ids: readonly string[]): Promise<Map<string, Team>> {
  const found = await rows<Team>(
    ctx,
    Prisma.sql`select ${teamColumns} from team t
      where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = any(${ids}::uuid[])
        and ${knownTeams(ctx)}`,
  );
  return new Map(found.map((team) => [team.id, team]));
}

/** The teams of these ids, in their order, as far as the viewer may know of them. */
export function loadTeams(ctx: Context, ids: readonly string[]): Team[] | Promise<Team[]> {
  return loadList(ctx, teamsById, ids);
}

/**
 * Lock a team that the viewer may know of until the transaction ends: to change it, or to delete it, for
 * which all who give something to it are waited for.
 */
export async function lockTeam(
  ctx: Context,
  id: string,
  to: 'change' | 'delete' = 'change',
): Promise<Team> {
  const lock = to === 'delete' ? Prisma.sql`for update` : Prisma.sql`for no key update`;
  const [team] = isUuid(id)
    ? await rows<Team>(
        ctx,
        Prisma.sql`select ${teamColumns} from team t
          where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = ${id}::uuid
            and ${visibleTeams(ctx)} ${lock}`,
      )
    : [];
  if (!team) throw notFound('Team');
  return team;
}

/** A team as the audit log names it. */
export function teamSubject({ id, name, icon, version }: Team) {
  return { id, kind: 'team', title: name, icon, version };
}
