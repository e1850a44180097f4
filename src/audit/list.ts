// In charge of reading the audit log: by whom, what, on what and when, for admins.

import { mustBeAllowed } from '../auth/permission.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { type AuditLog, Prisma } from '../generated/prisma/client.ts';
import { type FilterFields, parseFilter, parseSort } from '../lists/filter.ts';
import { listPage, type Page, type PageArgs } from '../lists/page.ts';

const columns = columnsOf(Prisma.AuditLogScalarFieldEnum, 'a');

const id = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'id' }) as const;
const text = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'text' }) as const;
const time = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'time' }) as const;
const kept = (name: string) => ({ sql: Prisma.raw(name), type: 'text' }) as const;

/** What entries can be filtered and sorted by, under the names of the API. */
export const auditFields = {
  id: id('id'),
  sequence: { sql: Prisma.raw('a.sequence'), type: 'number' },
  parent_id: id('parent_id'),
  activity_type: text('activity_type'),
  performer_id: id('performer_id'),
  performer_type: text('performer_type'),
  performer_email: kept("(a.performer_metadata->>'email')"),
  performer_name: kept("(a.performer_metadata->>'name')"),
  key_id: id('key_id'),
  request_id: text('request_id'),
  resource_id: id('resource_id'),
  resource_type: text('resource_type'),
  resource_title: kept("(a.resource_metadata->>'title')"),
  related_resource_ids: { sql: Prisma.raw('a.related_resource_ids'), type: 'ids' },
  related_resource_type: text('related_resource_type'),
  version_history_id: id('version_history_id'),
  is_legacy: { sql: Prisma.raw('a.is_legacy'), type: 'boolean' },
  logged_at: time('logged_at'),
  created_at: time('created_at'),
  updated_at: time('updated_at'),
} as const satisfies FilterFields;

/** Which entries to list, in the language of `parseFilter` and `parseSort`. */
export interface AuditQuery {
  readonly filter?: unknown;
  /** Sort terms, most significant first; newest first where absent. */
  readonly sort?: readonly unknown[] | null | undefined;
}

/** Entries of the log. Only admins may read them. */
export async function listAuditLogs(
  ctx: Context,
  { filter, sort }: AuditQuery,
  args: PageArgs,
): Promise<Page<AuditLog>> {
  mustBeAllowed(ctx, 'read the audit log');
  const where = filter == null ? Prisma.sql`true` : parseFilter(filter, auditFields).where;
  const terms = (sort ?? []).flatMap((term) => parseSort(term, auditFields));
  const newest = { by: Prisma.sql`a.logged_at`, type: 'timestamptz', descending: true };
  const descending = terms[0]?.descending ?? true;
  return listPage<AuditLog>(
    ctx,
    {
      from: Prisma.sql`audit_log a`,
      columns,
      where: Prisma.sql`a.workspace_id = ${ctx.workspaceId}::uuid and (${where})`,
      order: [
        ...(terms.length > 0 ? terms : [newest]),
        { by: Prisma.sql`a.id`, type: 'uuid', descending },
      ],
    },
    args,
  );
}
