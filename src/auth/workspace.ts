// In charge of what a workspace starts with.

import type { Context } from '../context.ts';

/** A workspace that is to be made. */
export interface NewWorkspace {
  readonly name: string;
  /** Address of its first admin. */
  readonly email: string;
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
