// What happened to one resource: entries of the audit log besides versions.

import { listAuditLogs } from '../audit/list.ts';
import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import type { AuditLog, ResourceVersion } from '../generated/prisma/client.ts';
import type { Page, PageArgs } from '../lists/page.ts';
import { idsOfAllTime } from './alias.ts';
import { listVersions } from './editing/documentation-version.ts';
import { getResource } from './resource.ts';

/** A numbered page of what happened to a resource, newest first. */
export interface ResourceLog {
  /** Entries that made no version of the documentation. */
  readonly entries: Page<AuditLog>;
  /** The same page of the kept versions of the documentation. */
  readonly versions: Page<ResourceVersion>;
}

/** What happened to a resource, deleted ones included. Only admins may read it. */
export async function readResourceLog(
  ctx: Context,
  resourceId: string,
  args: Pick<PageArgs, 'page' | 'pageSize'>,
): Promise<ResourceLog> {
  mustBeAllowed(ctx, 'read the audit log');
  const { id } = await getResource(ctx, resourceId, { archived: true });
  const filter = {
    operator: 'and',
    operands: [
      { operator: 'in', field: 'resource_id', value: await idsOfAllTime(ctx, id) },
      { operator: 'is_set', field: 'version_history_id', value: false },
    ],
  };
  return {
    entries: await listAuditLogs(ctx, { filter }, args),
    versions: await listVersions(ctx, id, args),
  };
}

/** Every entry about a resource, newest first, deleted ones included. Only admins may read them. */
export async function listResourceLogs(
  ctx: Context,
  resourceId: string,
  args: PageArgs,
): Promise<Page<AuditLog>> {
  mustBeAllowed(ctx, 'read the audit log');
  const { id } = await getResource(ctx, resourceId, { archived: true });
  const value = await idsOfAllTime(ctx, id);
  const filter = { operator: 'in', field: 'resource_id', value };
  return listAuditLogs(ctx, { filter }, args);
}
