// In charge of the audit log: who did what to which thing, written with the deed itself.

import { mustBeAllowed } from '../auth/permission.ts';
import { serverId } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { announce } from '../database/announce.ts';
import { columnsOf } from '../database/columns.ts';
import { type FilterFields, parseFilter, parseSort } from '../filter.ts';
import { type AuditLog, Prisma } from '../generated/prisma/client.ts';
import { listPage, type Page, type PageArgs } from '../page.ts';

/** What was done, in the words of the log. */
export interface Deed {
  /** Past tense with its object, such as `monitor_created`. */
  readonly activity: string;
  /** What it was done to. */
  readonly subject?: Subject;
  /** Other things involved, all of one kind. */
  readonly related?: { readonly ids: readonly string[]; readonly type: string };
  /** The deed in words; made from the activity and the subject's title where absent. */
  readonly says?: string;
  /** The version of the documentation that the deed made. */
  readonly versionId?: string;
  /** The fields of the subject that it changed, as GraphQL names them. */
  readonly changed?: readonly string[];
}

/** What a deed was done to, as much as is known of it. */
export interface Subject {
  readonly id: string;
  /** Kind of resource, or `team`, `tag`, `monitor` and so on. */
  readonly kind: string;
  readonly title: string;
  readonly icon?: string | null;
  readonly integrationId?: string | null;
  /** Its version after the deed. */
  readonly version?: number;
}

/** Write one entry, in the transaction of the deed. */
export async function record(ctx: Context, deed: Deed): Promise<void> {
  await recordAll(ctx, [deed]);
}

/** Write many entries in one statement, and announce what they say was changed. */
export async function recordAll(ctx: Context, deeds: readonly Deed[]): Promise<void> {
  if (deeds.length === 0) return;
  const { viewer } = ctx;
  const name = `${viewer.firstName} ${viewer.lastName}`.trim() || viewer.email;
  await ctx.db.auditLog.createMany({
    data: deeds.map((deed) => ({
      workspaceId: ctx.workspaceId,
      activityType: deed.activity,
      performerId: viewer.id === serverId ? null : viewer.id,
      performerType: viewer.performer,
      performerMetadata: {
        id: viewer.id === serverId ? null : viewer.id,
        email: viewer.email,
        first_name: viewer.firstName,
        last_name: viewer.lastName,
        name,
      },
      resourceId: deed.subject?.id ?? null,
      resourceType: deed.subject?.kind ?? null,
      resourceVersion: deed.subject?.version ?? null,
      changedFields: [...(deed.changed ?? [])],
      resourceMetadata: deed.subject ? subjectMetadata(deed.subject) : {},
      relatedResourceIds: [...(deed.related?.ids ?? [])],
      relatedResourceType: deed.related?.type ?? null,
      eventBlocks: [{ type: 'text', style: 'normal', value: deed.says ?? inWords(name, deed) }],
      versionHistoryId: deed.versionId ?? null,
      loggedAt: ctx.now(),
    })),
  });
  const changed = new Set(deeds.flatMap(({ subject }) => (subject ? [subject.id] : [])));
  if (changed.size > 0) await announce(ctx, 'resource', [...changed]);
}

function subjectMetadata(subject: Subject) {
  return {
    id: subject.id,
    title: subject.title,
    name: subject.title,
    icon: subject.icon ?? null,
    type: subject.kind,
    integration_id: subject.integrationId ?? null,
  };
}

function inWords(name: string, { activity, subject }: Deed): string {
  const verb = activity.slice(activity.lastIndexOf('_') + 1);
  return subject ? `${name} ${verb} the ${subject.kind} ${subject.title}` : `${name}: ${activity}`;
}

const columns = columnsOf(Prisma.AuditLogScalarFieldEnum, 'a');

const id = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'id' }) as const;
const text = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'text' }) as const;
const time = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'time' }) as const;

/** What entries can be filtered and sorted by, under the names of the API. */
export const auditFields = {
  id: id('id'),
  parent_id: id('parent_id'),
  activity_type: text('activity_type'),
  performer_id: id('performer_id'),
  performer_type: text('performer_type'),
  resource_id: id('resource_id'),
  resource_type: text('resource_type'),
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
