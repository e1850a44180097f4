// In charge of the audit log: who did what to which thing, written with the deed itself.

import { mustBeAllowed } from '../auth/permission.ts';
import { serverId } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
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
}

/** What a deed was done to, as much as is known of it. */
export interface Subject {
  readonly id: string;
  /** Kind of resource, or `team`, `tag`, `monitor` and so on. */
  readonly kind: string;
  readonly title: string;
  readonly icon?: string | null;
  readonly integrationId?: string | null;
}

/** Write one entry, in the transaction of the deed. */
export async function record(ctx: Context, deed: Deed): Promise<void> {
  await recordAll(ctx, [deed]);
}

/** Write many entries in one statement. */
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
      resourceMetadata: deed.subject ? subjectMetadata(deed.subject) : {},
      relatedResourceIds: [...(deed.related?.ids ?? [])],
      relatedResourceType: deed.related?.type ?? null,
      eventBlocks: [{ type: 'text', style: 'normal', value: deed.says ?? inWords(name, deed) }],
      versionHistoryId: deed.versionId ?? null,
      loggedAt: ctx.now(),
    })),
  });
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

/** Entries, newest first. Only admins may read them. `where` is a condition on the alias `a`. */
export async function listAuditLogs(
  ctx: Context,
  args: PageArgs,
  where: Prisma.Sql = Prisma.sql`true`,
  descending = true,
): Promise<Page<AuditLog>> {
  mustBeAllowed(ctx, 'read the audit log');
  return listPage<AuditLog>(
    ctx,
    {
      from: Prisma.sql`audit_log a`,
      columns,
      where: Prisma.sql`a.workspace_id = ${ctx.workspaceId}::uuid and (${where})`,
      order: [
        { by: Prisma.sql`a.logged_at`, type: 'timestamptz', descending },
        { by: Prisma.sql`a.id`, type: 'uuid', descending },
      ],
    },
    args,
  );
}
