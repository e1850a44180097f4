// What resources can be asked for by a typed filter, and ordered by.

import { isAllowed, visibleResources, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { FilterField, FilterFields } from '../../lists/field.ts';
import { column, type Members } from '../../lists/where.ts';
import { fieldsSeen } from '../seen.ts';
import { resourceFields } from './filter-fields.ts';
import { propertyValue } from './property-value.ts';
import {
  hasDownstream,
  hasFailingTest,
  hasMonitor,
  hasOpenIncident,
  hasUpstream,
} from './watched.ts';

/** The fields of resources that a typed filter speaks of, and their names in `resourceFields`. */
const ownFields = {
  id: 'id',
  kind: 'type',
  title: 'title',
  titleFull: 'title_full',
  nativeType: 'native_type',
  type: 'data_type',
  description: 'description',
  definition: 'definition',
  databaseName: 'database',
  schemaName: 'schema',
  databuilderId: 'databuilder_id',
  parentId: 'parent_id',
  integrationId: 'owner_integration_id',
  describedBy: 'integration_id',
  published: 'published',
  verified: 'verified',
  pii: 'pii',
  archived: 'archived',
  stale: 'stale',
  deprecated: 'deprecated',
  edited: 'edited',
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  externalUpdatedAt: 'external_updated_at',
  externalUsage: 'external_usage',
  internalUsage: 'internal_usage',
  totalUsage: 'total_usage',
  questionStatus: 'status',
  questionPriority: 'priority',
  assignedToId: 'assigned_to',
  termStatus: 'term_status',
  synonyms: 'synonyms',
} as const satisfies Record<string, keyof typeof resourceFields>;

/** Whether something holds for a resource: a condition that is never null. */
const whether = (sql: Prisma.Sql) => ({ field: { sql, type: 'boolean', always: true } }) as const;

/** What watches a resource and what that says, and what flows into it and out of it. */
const watching = (ctx: Context): Members => ({
  hasOpenIncident: whether(hasOpenIncident(ctx)),
  hasFailingTest: whether(hasFailingTest(ctx)),
  hasMonitor: whether(hasMonitor(ctx)),
  hasUpstream: whether(hasUpstream(ctx)),
  hasDownstream: whether(hasDownstream(ctx)),
});

/** What resources are ordered by, under the names of the typed order. */
export const resourceOrder: FilterFields = {
  title: resourceFields.title,
  titleFull: resourceFields.title_full,
  kind: resourceFields.type,
  createdAt: resourceFields.created_at,
  updatedAt: resourceFields.updated_at,
  externalUpdatedAt: resourceFields.external_updated_at,
  externalUsage: resourceFields.external_usage,
  internalUsage: resourceFields.internal_usage,
  totalUsage: resourceFields.total_usage,
};

/**
 * What a typed filter of resources speaks of, as far as the viewer may know of it. The resource has the
 * alias `r` in the listing.
 */
export function resourceMembers(ctx: Context, isWithin = isBelow): Members {
  const fields = fieldsSeen(ctx, resourceFields);
  const own = Object.entries(ownFields).map(([name, field]) => [
    name,
    { field: fieldOf(fields, field) },
  ]);
  const ofWorkspace = (alias: string, seen: Prisma.Sql) =>
    Prisma.sql`${Prisma.raw(alias)}.workspace_id = ${ctx.workspaceId}::uuid and ${seen}`;
  const people = {
    from: Prisma.sql`user_account wu`,
    seen: ofWorkspace('wu', knownPeople(ctx)),
    id: Prisma.sql`wu.id`,
    members: { id: column('wu.id', 'id'), email: column('wu.email'), name: column(fullName) },
  };
  const sets: Members = {
    owners: { field: fieldOf(fields, 'owners'), ...people },
    subscribers: { field: fieldOf(fields, 'subscribers'), ...people },
    ownerGroups: {
      field: fieldOf(fields, 'owners_groups'),
      from: Prisma.sql`user_group wg`,
      seen: ofWorkspace('wg', Prisma.sql`${isAllowed(ctx, 'read people')}::boolean`),
      id: Prisma.sql`wg.id`,
      members: { id: column('wg.id', 'id'), name: column('wg.name') },
    },
    tags: {
      field: fieldOf(fields, 'tags'),
      from: Prisma.sql`tag wt`,
      seen: ofWorkspace('wt', Prisma.sql`true`),
      id: Prisma.sql`wt.id`,
      members: { id: column('wt.id', 'id'), name: column('wt.name') },
    },
    teams: {
      field: fieldOf(fields, 'teams'),
      from: Prisma.sql`team wm`,
      seen: ofWorkspace('wm', visibleTeams(ctx, 'wm')),
      id: Prisma.sql`wm.id`,
      members: { id: column('wm.id', 'id'), name: column('wm.name') },
    },
    collections: {
      field: fieldOf(fields, 'collections'),
      from: Prisma.sql`resource wc`,
      seen: ofWorkspace('wc', visibleResources(ctx, 'wc')),
      id: Prisma.sql`wc.id`,
      members: { id: column('wc.id', 'id'), name: column('wc.title') },
    },
  };
  return {
    ...Object.fromEntries(own),
    ...watching(ctx),
    ...sets,
    customProperties: { idName: 'propertyId', fieldOf: (id) => propertyValue(ctx, id) },
    within: { holds: (id) => isWithin(ctx, id) },
    describedOnlyBy: { holds: (id) => isDescribedOnlyBy(ctx, id) },
  };
}

function fieldOf(fields: FilterFields, name: keyof typeof resourceFields): FilterField {
  return fields[name] ?? resourceFields[name];
}

const fullName = "btrim(wu.first_name || ' ' || wu.last_name)";

/** Guests know no one but themselves. */
function knownPeople(ctx: Context): Prisma.Sql {
  if (isAllowed(ctx, 'read people')) return Prisma.sql`true`;
  return Prisma.sql`wu.id = ${ctx.viewer.id}::uuid`;
}

/** Whether the resource `r` goes where an integration is deleted, as nothing else describes it. */
function isDescribedOnlyBy(ctx: Context, id: string): Prisma.Sql {
  return Prisma.sql`(r.integration_id = ${id}::uuid and not exists (select from resource_claim wd
    where wd.workspace_id = ${ctx.workspaceId}::uuid and wd.resource_id = r.id
      and wd.integration_id <> ${id}::uuid))`;
}

/** Steps from a resource to the top of its hierarchy at most. */
const maxAncestors = 20;

/**
 * Whether the resource `r` is the one of an id, or lies below it at any depth: what the viewer may not see
 * holds nothing. It walks up from each row, which is a few steps, not down from the id, which may be all.
 */
function isBelow(ctx: Context, id: string): Prisma.Sql {
  return Prisma.sql`exists (select from resource wr where wr.workspace_id = ${ctx.workspaceId}::uuid
      and wr.id = ${id}::uuid and ${visibleResources(ctx, 'wr')})
    and (r.id = ${id}::uuid or exists (
      with recursive up(id, steps) as (
        select r.parent_id, 1 where r.parent_id is not null
        union all
        select wp.parent_id, up.steps + 1 from up join resource wp
          on wp.workspace_id = ${ctx.workspaceId}::uuid and wp.id = up.id
          where up.steps < ${maxAncestors} and wp.parent_id is not null)
      select from up where up.id = ${id}::uuid))`;
}

/**
 * The same the other way round, where it holds few: all that lies below the id is listed once. Its rows were read for
 * that, so that they are named by their places in the table, which no statement sees changing, and not looked for by id.
 */
export function isAmongBelow(ctx: Context, id: string): Prisma.Sql {
  return Prisma.sql`r.ctid = any(array(with recursive down(id, place, steps) as (
      select wr.id, wr.ctid, 0 from resource wr where wr.workspace_id = ${ctx.workspaceId}::uuid
        and wr.id = ${id}::uuid and ${visibleResources(ctx, 'wr')}
      union all
      select wc.id, wc.ctid, down.steps + 1 from down join resource wc
        on wc.workspace_id = ${ctx.workspaceId}::uuid and wc.parent_id = down.id
        where down.steps < ${maxAncestors})
    select down.place from down))`;
}
