// Records changes of watched resources until they have been sent.

import { serverId } from '../../auth/viewer.ts';
import type { Context } from '../../context.ts';
import { execute } from '../../database/rows.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';

/** What can change on a resource, by the word it is kept under. */
export const changes = {
  title: 'title',
  description: 'description',
  documentation: 'documentation',
  type: 'type',
  sql: 'SQL',
  answer: 'answer',
  owners: 'owners',
  tags: 'tags',
  teams: 'teams',
  collections: 'collections',
  properties: 'custom properties',
  published: 'published',
  verified: 'verified',
  pii: 'PII',
  deprecated: 'deprecation',
  moved: 'moved',
  archived: 'deleted',
  restored: 'restored',
  stale: 'gone from its source',
  came_back: 'back in its source',
  announced: 'announcement',
  column_added: 'column added',
  column_removed: 'column gone from its source',
} as const;

export type ChangeName = keyof typeof changes;

/** A change of one resource. */
export interface Change {
  readonly resourceId: string;
  readonly what: ChangeName;
  readonly before?: string | null;
  readonly after?: string | null;
}

/** Note what an edit changed. */
export async function noteEdit(tx: Context, before: Resource, after: Resource): Promise<void> {
  await noteChanges(tx, editsOf(before, after));
}

/** Note changes of the viewer's making, in the transaction of the deed: of resources that are watched. */
export async function noteChanges(tx: Context, noted: readonly Change[]): Promise<void> {
  if (noted.length === 0) return;
  await execute(
    tx,
    Prisma.sql`insert into resource_change
        (workspace_id, resource_id, what, before, after, actor_id)
      select r.workspace_id, r.id, n.what, n.before, n.after, ${actorOf(tx)}::uuid
      from unnest(${noted.map(({ resourceId }) => resourceId)}::uuid[],
          ${noted.map(({ what }) => what)}::text[],
          ${noted.map(({ before = null }) => before)}::text[],
          ${noted.map(({ after = null }) => after)}::text[]) n(id, what, before, after)
        join resource r on r.workspace_id = ${tx.workspaceId}::uuid and r.id = n.id
      where ${isWatched} or ${isRuled}`,
  );
}

/** The id of who acts; null for the server. */
export function actorOf({ viewer }: Context): string | null {
  return viewer.id === serverId ? null : viewer.id;
}

/**
 * Whether somebody owns or subscribes to a resource, by its alias in the statement. An index holds those
 * of which it is true.
 */
export function hasWatchers(alias: string): string {
  const sets = ['owner_ids', 'owner_group_ids', 'subscriber_ids'];
  return `(${sets.map((set) => `${alias}.${set} <> '{}'`).join(' or ')})`;
}

/** Whether somebody watches the resource `r`, or the table of the column `r`. */
const isWatched = Prisma.sql`exists (select from resource w where w.workspace_id = r.workspace_id
  and w.id = any(array[r.id, case when r.kind = 'column' then r.parent_id end]) and ${Prisma.raw(hasWatchers('w'))})`;

/** Whether a rule or a webhook of the workspace of `r` asks for changes; of which is seen later. */
const isRuled = Prisma.sql`(exists (select from notification_rule n
    where n.workspace_id = r.workspace_id and n.is_enabled and 'resource_changed' = any(n.events))
  or exists (select from webhook h
    where h.workspace_id = r.workspace_id and h.is_enabled and 'resource_changed' = any(h.events)))`;

/** What people read is compared, and sent with what it was where that is short. */
function editsOf(before: Resource, after: Resource): Change[] {
  const resourceId = after.id;
  const words = (['title', 'type'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({
      ...{ resourceId, what: field },
      ...{ before: shortened(before[field]), after: shortened(after[field]) },
    }));
  const flags = (['published', 'verified', 'pii'] as const)
    .filter((field) => before[field] !== after[field])
    .map((field) => ({ resourceId, what: field, after: after[field] ? 'yes' : 'no' }));
  const others = compared
    .filter(({ of }) => JSON.stringify(of(before)) !== JSON.stringify(of(after)))
    .map(({ what }) => ({ resourceId, what }));
  return [...words, ...flags, ...others];
}

const compared: readonly { what: ChangeName; of: (resource: Resource) => unknown }[] = [
  { what: 'description', of: ({ description }) => description },
  { what: 'documentation', of: ({ definition }) => definition },
  { what: 'sql', of: ({ creationQuery, sql }) => [creationQuery, sql] },
  { what: 'answer', of: ({ answer }) => answer },
  { what: 'owners', of: (one) => [one.ownerIds.toSorted(), one.ownerGroupIds.toSorted()] },
  { what: 'tags', of: ({ tagIds }) => tagIds.toSorted() },
  { what: 'teams', of: ({ teamIds }) => teamIds.toSorted() },
  { what: 'collections', of: ({ collectionIds }) => collectionIds.toSorted() },
  {
    what: 'deprecated',
    of: (one) => [one.deprecatedAt, one.deprecationNote, one.successorId],
  },
  { what: 'moved', of: ({ parentId }) => parentId },
];

/** Characters of a value that are sent. */
export const shortLength = 200;

/** As much of a value as is sent. */
export function shortened(text: string | null): string | null {
  return text === null ? null : text.slice(0, shortLength).toWellFormed();
}
