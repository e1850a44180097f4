// What holds for a whole workspace: its time zone, and the country whose holidays it keeps.

import { record } from '../audit/audit.ts';
import { changesOf } from '../audit/changes.ts';
import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import { isCountry } from '../calendar/holidays.ts';
import { isTimeZone } from '../calendar/time-zone.ts';
import { countryOfZone } from '../calendar/zone-country.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { transaction } from '../database/transaction.ts';
import { checkFields, choiceOf, type Noun } from '../fields.ts';
import { Prisma, type Workspace } from '../generated/prisma/client.ts';
import { useOfWorkspace, type WorkspaceUse } from '../limits/workspace-limits.ts';

/** Settings as a client gives them: absent leaves alone, null clears. */
export interface WorkspaceInput {
  timeZone?: string | null | undefined;
  holidayCountry?: string | null | undefined;
}

export type WorkspaceSettings = Pick<Workspace, 'id' | 'timeZone' | 'holidayCountry'>;

/** What a calendar consists of, of a workspace and of what lies in it. */
export const calendarFields = {
  timeZone: choiceOf(
    'time_zone',
    'a time zone of the IANA database, such as Europe/Berlin',
    isTimeZone,
  ),
  holidayCountry: choiceOf(
    'holiday_country',
    'the two letters of a country, such as US',
    isCountry,
  ),
};

export const workspaceNoun: Noun<WorkspaceInput, Pick<Workspace, keyof WorkspaceInput>> = {
  by: 'edit monitors',
  fields: calendarFields,
};

const columns = columnsOf(Prisma.WorkspaceScalarFieldEnum, 'w');

/** The settings of the viewer's workspace. */
export async function workspaceSettings(ctx: Context): Promise<WorkspaceSettings> {
  return readWorkspace(ctx, Prisma.empty);
}

/** The zone and country of something new: its own, where null is none, or those of the workspace. */
export async function orSettings(
  ctx: Context,
  given: WorkspaceInput,
): Promise<Pick<WorkspaceSettings, 'timeZone' | 'holidayCountry'>> {
  const usual = await workspaceSettings(ctx);
  const { timeZone = usual.timeZone, holidayCountry = usual.holidayCountry } = given;
  return { timeZone, holidayCountry };
}

/** Change the settings. Editors may. */
export async function updateWorkspaceSettings(
  ctx: Context,
  input: WorkspaceInput,
): Promise<WorkspaceSettings> {
  mustBeAllowed(ctx, workspaceNoun.by);
  const data = checkFields(workspaceNoun, input);
  return transaction(ctx, async (tx) => {
    const before = await readWorkspace(tx, Prisma.sql`for update`);
    const after = await tx.db.workspace.update({
      where: { id: ctx.workspaceId },
      data: { ...data, updatedAt: ctx.now() },
    });
    const { id, name } = after;
    await record(tx, {
      activity: 'workspace_updated',
      subject: { id, kind: 'workspace', title: name },
      changes: changesOf(before, after),
    });
    return after;
  });
}

/** The country of the workspace's zone, to be asked about where no country is set; null where that says nothing. */
export function suggestedCountry({ timeZone, holidayCountry }: WorkspaceSettings): string | null {
  if (holidayCountry !== null || timeZone === null) return null;
  return countryOfZone(timeZone);
}

/** What the workspace has and may have; null for all but admins. */
export async function workspaceUses(ctx: Context): Promise<WorkspaceUse[] | null> {
  return isAllowed(ctx, 'manage people') ? useOfWorkspace(ctx) : null;
}

async function readWorkspace(ctx: Context, lock: Prisma.Sql): Promise<Workspace> {
  const [workspace] = await rows<Workspace>(
    ctx,
    Prisma.sql`select ${columns} from workspace w where w.id = ${ctx.workspaceId}::uuid ${lock}`,
  );
  if (!workspace) throw new Error('A viewer belongs to a workspace that is not there.');
  return workspace;
}
