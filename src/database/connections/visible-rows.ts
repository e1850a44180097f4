// Whose rows a connection shows: policies compare each row's workspace with a setting of it.

import pg from 'pg';

/**
 * Stands where a workspace is named, for all of them. Only what has to see every workspace says so, by
 * `acrossWorkspaces` or `contextAcross`; docs/decisions/row-level-security.md lists it.
 */
export const everyWorkspace = '00000000-0000-0000-0000-000000000000';
/** Of no one: what a connection shows until it is set otherwise. */
export const noWorkspace = '';

/** The setting that the policies of all tables compare with. */
export const workspaceSetting = 'headwater.workspace';

/** What each connection shows: no one's rows where it was never set, null where that is not known. */
const shown = new WeakMap<pg.PoolClient, string | null>();

/** Whether a connection shows the rows of this workspace, and no other's. */
export function isShowing(client: pg.PoolClient, workspaceId: string): boolean {
  const known = shown.get(client);
  return (known === undefined ? noWorkspace : known) === workspaceId;
}

/**
 * Let a connection show the rows of a workspace until it is set otherwise. It must not be in a transaction,
 * whose end might take that back.
 */
export async function show(client: pg.PoolClient, workspaceId: string): Promise<void> {
  // Where this fails, no one knows what it shows.
  shown.set(client, null);
  await client.query(`set ${workspaceSetting} = ${pg.escapeLiteral(workspaceId)}`);
  shown.set(client, workspaceId);
}

/** What lets the transaction that is open show the rows of a workspace, as the role of requests. */
export function showWithin(workspaceId: string, role: string | null): string {
  const asRole = role === null ? '' : `set local role ${pg.escapeIdentifier(role)}; `;
  return `${asRole}set local ${workspaceSetting} = ${pg.escapeLiteral(workspaceId)}`;
}
