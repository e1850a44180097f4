// Who may write SQL for a source: admins, and the people and teams that its integration names.

import { isAllowed, mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { rows } from '../database/rows.ts';
import { forbidden, invalidField } from '../errors.ts';
import { type Integration, Prisma } from '../generated/prisma/client.ts';
import { isUuid, unknownIds } from '../text/uuid.ts';

/** Whether the viewer may write SQL that the source of an integration runs. */
export function mayWriteSql(
  ctx: Pick<Context, 'viewer'>,
  { executeAccess }: Pick<Integration, 'executeAccess'>,
): boolean {
  const { id, teamIds } = ctx.viewer;
  return (
    isAllowed(ctx, 'write SQL for sources') ||
    executeAccess.some((one) => one === id || teamIds.includes(one))
  );
}

/**
 * The type of a source that the viewer may write SQL for; undefined where there is none yet, for which only admins may.
 * Throws FORBIDDEN for anybody else.
 */
export async function typeForSqlOf(
  ctx: Context,
  integrationId: string | null,
): Promise<string | undefined> {
  if (integrationId === null) {
    mustBeAllowed(ctx, 'write SQL for sources');
    return undefined;
  }
  const [integration] = await rows<Pick<Integration, 'executeAccess' | 'type'>>(
    ctx,
    Prisma.sql`select i.execute_access as "executeAccess", i.type from integration i
      where i.workspace_id = ${ctx.workspaceId}::uuid and i.id = ${integrationId}::uuid`,
  );
  if (integration && mayWriteSql(ctx, integration)) return integration.type;
  throw forbidden(
    "You don't have permission to write SQL for this source: SQL reads everything its login can read. Ask an " +
      'admin to add you to execute_access of the integration.',
  );
}

const maxWriters = 1_000;

/**
 * The ids of those who may write SQL for a source, as they are stored. Throws BAD_REQUEST for an id that names
 * neither a person nor a team of the workspace.
 */
export async function checkSqlWriters(
  ctx: Context,
  given: readonly string[] | null,
): Promise<string[]> {
  const field = 'execute_access';
  const ids = [...new Set((given ?? []).map((id) => id.toLowerCase()))];
  if (ids.length > maxWriters) {
    throw invalidField(field, `Use at most ${maxWriters} ids, not ${ids.length}.`);
  }
  const asked = ids.filter(isUuid);
  const found = await rows<{ id: string }>(
    ctx,
    Prisma.sql`select u.id from user_account u
        where u.workspace_id = ${ctx.workspaceId}::uuid and u.id = any(${asked}::uuid[])
      union all select t.id from team t
        where t.workspace_id = ${ctx.workspaceId}::uuid and t.id = any(${asked}::uuid[]) and not t.archived`,
  );
  const known = new Set(found.map(({ id }) => id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length > 0) throw invalidField(field, unknownIds('user or team', unknown));
  return ids;
}
