// Workspaces: what one is, and what it starts with.

import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { rows } from '../database/rows.ts';
import { notFound } from '../errors.ts';
import { Prisma, type Workspace } from '../generated/prisma/client.ts';

const columns = columnsOf(Prisma.WorkspaceScalarFieldEnum, 'w');

/** A workspace that is to be made. */
export interface NewWorkspace {
  readonly name: string;
  /** Address of its first admin. */
  readonly email: string;
}

/** The workspace that a context is of. */
export async function getWorkspace(ctx: Context): Promise<Workspace> {
  const [workspace] = await rows<Workspace>(
    ctx,
    Prisma.sql`select ${columns} from workspace w where w.id = ${ctx.workspaceId}::uuid`,
  );
  if (!workspace) throw notFound('Workspace');
  return workspace;
}

/** Make a workspace with its default team `General` and a first admin, who has no key yet. */
export async function makeWorkspace(
  tx: Context,
  { name, email }: NewWorkspace,
): Promise<{ workspaceId: string; userId: string }> {
  const { id: workspaceId } = await tx.db.workspace.create({ data: { name } });
  const { id: userId } = await tx.db.user.create({
    data: { workspaceId, email, firstName: 'Admin', role: 'admin' },
  });
  await tx.db.team.create({
    data: {
      workspaceId,
      name: 'General',
      description: 'Everyone in the workspace.',
      isDefaultTeam: true,
      memberIds: [userId],
    },
  });
  return { workspaceId, userId };
}
