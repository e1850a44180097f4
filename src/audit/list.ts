// Lists of the audit log: by whom, what, on what and when, for admins.

import { mustBeAllowed } from '../auth/permission.ts';
import { credentials } from '../auth/viewer.ts';
import type { Context } from '../context.ts';
import { columnsOf } from '../database/columns.ts';
import { type AuditLog, Prisma } from '../generated/prisma/client.ts';
import type { FilterField, FilterFields } from '../lists/field.ts';
import { parseFilter, parseSorts } from '../lists/filter.ts';
import type { SortTerm } from '../lists/listing.ts';
import { listPage, type Page, type PageArgs } from '../lists/page.ts';
import { compileWhere, type Members, type OrderTerm, orderTerms } from '../lists/where.ts';

const columns = columnsOf(Prisma.AuditLogScalarFieldEnum, 'a');

const id = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'id' }) as const;
const text = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'text' }) as const;
const time = (column: string) => ({ sql: Prisma.raw(`a.${column}`), type: 'time' }) as const;
const kept = (name: string) => ({ sql: Prisma.raw(name), type: 'text' }) as const;

/** What entries can be filtered and sorted by, under the names of the API. */
export const auditFields = {
  id: id('id'),
  sequence: { sql: Prisma.raw('a.sequence'), type: 'number', always: true },
  parent_id: id('parent_id'),
  activity_type: text('activity_type'),
  performer_id: id('performer_id'),
  performer_type: text('performer_type'),
  performer_email: kept("(a.performer_metadata->>'email')"),
  performer_name: kept("(a.performer_metadata->>'name')"),
  key_id: id('key_id'),
  request_id: text('request_id'),
  client_address: text('client_address'),
  credential: { ...text('credential'), words: credentials },
  resource_id: id('resource_id'),
  resource_type: text('resource_type'),
  resource_title: kept("(a.resource_metadata->>'title')"),
  related_resource_ids: { sql: Prisma.raw('a.related_resource_ids'), type: 'ids' },
  related_resource_type: text('related_resource_type'),
  version_history_id: id('version_history_id'),
  is_legacy: { sql: Prisma.raw('a.is_legacy'), type: 'boolean' },
  logged_at: { ...time('logged_at'), always: true },
  created_at: time('created_at'),
  updated_at: time('updated_at'),
} as const satisfies FilterFields;

/** What entries are ordered by, under the names of the typed order. */
export const auditOrder: FilterFields = {
  loggedAt: auditFields.logged_at,
  sequence: auditFields.sequence,
  activityType: { ...auditFields.activity_type, always: true },
};

/** What a typed filter of entries speaks of. */
const auditMembers: Members = {
  id: { field: auditFields.id },
  parentId: { field: auditFields.parent_id },
  activityType: { field: auditFields.activity_type },
  performerId: { field: auditFields.performer_id },
  performerType: { field: auditFields.performer_type },
  performerEmail: { field: auditFields.performer_email },
  performerName: { field: auditFields.performer_name },
  keyId: { field: auditFields.key_id },
  requestId: { field: auditFields.request_id },
  clientAddress: { field: auditFields.client_address },
  credential: { field: auditFields.credential },
  resourceId: { field: auditFields.resource_id },
  resourceType: { field: auditFields.resource_type },
  resourceTitle: { field: auditFields.resource_title },
  loggedAt: { field: auditFields.logged_at },
};

/** The words of the log, of which filters ask for some. */
export interface AuditWords {
  readonly activities: readonly string[];
  readonly performers: readonly string[];
  /** What entries are about. */
  readonly subjects: readonly string[];
  /** What else is involved in them. */
  readonly related: readonly string[];
}

/**
 * All ids of resources, in SQL: those that others had which were merged into them, and of such an id that of what was kept. Entries
 * are sealed, and go on to name what they were about.
 */
function idsOfAllTimeIn(ctx: Context, ids: Prisma.Sql): Prisma.Sql {
  const ws = Prisma.sql`${ctx.workspaceId}::uuid`;
  return Prisma.sql`array(with given as (
      select coalesce(z.resource_id, x.id) as id from unnest(${ids}) x(id)
      left join resource_alias z on z.workspace_id = ${ws} and z.old_id = x.id)
    select g.id from given g
    union select z.old_id from given g join resource_alias z on z.workspace_id = ${ws} and z.resource_id = g.id)`;
}

/** A field that holds ids of resources. */
const ofResources = (ctx: Context, field: FilterField): FilterField => ({
  ...field,
  current: (ids) => idsOfAllTimeIn(ctx, ids),
});

/** The fields that filters speak of, which take the words that the log has, and no others. */
function fieldsWith(ctx: Context, words: AuditWords | undefined): FilterFields {
  const { activity_type, performer_type, resource_type, related_resource_type } = auditFields;
  const fields = {
    ...auditFields,
    resource_id: ofResources(ctx, auditFields.resource_id),
    related_resource_ids: ofResources(ctx, auditFields.related_resource_ids),
  };
  if (!words) return fields;
  return {
    ...fields,
    activity_type: { ...activity_type, words: words.activities },
    performer_type: { ...performer_type, words: words.performers },
    resource_type: { ...resource_type, words: words.subjects },
    related_resource_type: { ...related_resource_type, words: words.related },
  };
}

/** What a typed filter speaks of, which takes the words that the log has where no enum lists them. */
function membersWith(ctx: Context, words: AuditWords | undefined): Members {
  const members = {
    ...auditMembers,
    resourceId: { field: ofResources(ctx, auditFields.resource_id) },
  };
  if (!words) return members;
  const resourceType = { field: { ...auditFields.resource_type, words: words.subjects } };
  return { ...members, resourceType };
}

/** Which entries to list, in the language of `parseFilter` and `parseSort`, or typed. */
export interface AuditQuery {
  readonly filter?: unknown;
  /** What the filter may ask for, where it is a client's. */
  readonly words?: AuditWords;
  readonly where?: unknown;
  readonly orderBy?: readonly OrderTerm[] | null | undefined;
  /** Sort terms, most significant first; newest first where absent. */
  readonly sort?: readonly unknown[] | null | undefined;
}

/** Fields by which an index has all entries in order, under the names of the typed order. */
const indexed = ['loggedAt', 'sequence'] as const;
const byIndex = new Set(['a.logged_at', 'a.sequence']);
const isIndexed = (terms: readonly SortTerm[]) =>
  terms.length === 0 || (terms.length === 1 && terms.every(({ by }) => byIndex.has(by.text)));

/** Entries of the log. Only admins may read them. Throws BAD_REQUEST for words that the log does not have. */
export async function listAuditLogs(
  ctx: Context,
  { filter, words, sort, where: asked, orderBy }: AuditQuery,
  args: PageArgs,
): Promise<Page<AuditLog>> {
  mustBeAllowed(ctx, 'read the audit log');
  const where =
    filter == null ? Prisma.sql`true` : parseFilter(filter, fieldsWith(ctx, words)).where;
  const typed = compileWhere(asked, membersWith(ctx, words)).where;
  const given = orderTerms(orderBy, auditOrder);
  const terms = [...given, ...parseSorts(sort, auditFields)];
  const newest: SortTerm = { by: Prisma.sql`a.logged_at`, type: 'timestamptz', descending: true };
  const descending = terms[0]?.descending ?? true;
  return listPage<AuditLog>(
    ctx,
    {
      from: Prisma.sql`audit_log a`,
      columns,
      where: Prisma.sql`a.workspace_id = ${ctx.workspaceId}::uuid and (${where}) and ${typed}`,
      order: [
        ...(terms.length > 0 ? terms : [newest]),
        { by: Prisma.sql`a.id`, type: 'uuid', descending },
      ],
      hasGenericPlan: isIndexed(terms) && filter == null && asked == null,
      ...(isIndexed(terms)
        ? {}
        : { sorted: { field: given.length > 0 ? 'orderBy' : 'sort', instead: indexed } }),
    },
    args,
  );
}
