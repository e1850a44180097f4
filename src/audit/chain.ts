// The hashes of the chain over the audit log: one of an entry, and one of its place in the chain.

import { createHash } from 'node:crypto';
import { Prisma } from '../generated/prisma/client.ts';

/** Taken with a workspace by who seals its entries, so that no one else does; a number of no meaning. */
export const sealLock = 727_100_002;

/** What of an entry the first links hold, in the order in which it is hashed. */
const firstContent = [
  'sequence',
  'workspace_id',
  'id',
  'parent_id',
  'activity_type',
  'performer_id',
  'performer_type',
  'performer_metadata',
  'request_id',
  'key_id',
  'resource_id',
  'resource_type',
  'resource_version',
  'changed_fields',
  'changes',
  'resource_metadata',
  'related_resource_ids',
  'related_resource_type',
  'event_blocks',
  'version_history_id',
  'is_legacy',
  'logged_at',
  'created_at',
  'updated_at',
] as const;
/** What those of form 3 hold. */
const content = [...firstContent, 'client_address', 'credential'] as const;

/** A column of an entry that is hashed. */
export type HashedColumn = (typeof content)[number];

/** Those of them that are moments. */
export const momentColumns: ReadonlySet<string> = new Set<HashedColumn>([
  'logged_at',
  'created_at',
  'updated_at',
]);

/** What the hash of an entry is made of: a number that says what follows, and the values of columns. */
export interface HashedContent {
  readonly version: number;
  readonly columns: readonly HashedColumn[];
}

/** What the links of a form hold of their entries. */
export function contentOf(form: number): HashedContent {
  return form < 3 ? { version: 1, columns: firstContent } : { version: 2, columns: content };
}

/** A value of an entry as it is hashed, on the alias `a`. */
function hashedValue(column: HashedColumn): string {
  return momentColumns.has(column) ? `a.${column} at time zone 'UTC'` : `a.${column}`;
}

function hashOf({ version, columns }: HashedContent): string {
  const values = [version, ...columns.map(hashedValue)].join(', ');
  return `encode(sha256(convert_to(jsonb_build_array(${values})::text, 'UTF8')), 'hex')`;
}

/** The form of the links that are made now. */
export const linkForm = 3;

/**
 * SHA-256 of all that an entry holds, in hexadecimal, as an expression on the alias `a`. JSON has one form for equal
 * values on every server. What a later migration adds to entries comes with another form of links: a process of the
 * version before may seal entries that have it.
 */
export const contentHash = Prisma.raw(hashOf(contentOf(linkForm)));

/** The same by the form of the link that there is of an entry, on the alias `s`. */
export const sealedContentHash = Prisma.raw(
  `case when s.form < 3 then ${hashOf(contentOf(1))} else ${hashOf(contentOf(3))} end`,
);

/** Numbers of entries come from here: of a workspace they rise, with gaps. */
export const numbers = Prisma.raw('audit_log_number_seq');

/** The number that was given to an entry last, of `numbers`; 0 where none was. */
export const lastNumber = Prisma.raw('last_value - (not is_called)::int');

/** What the hash of a link is made of. */
export interface LinkParts {
  /** Which of these it is made of: links that are there keep the form that they were made in. */
  readonly form: number;
  readonly position: number;
  /** The hash of the link before it. */
  readonly previous: string;
  readonly content: string;
  readonly sealedAt: Date;
}

/** The hash of a link: it depends on all links before it. */
export function linkHash({ form, position, previous, content, sealedAt }: LinkParts): string {
  const link = [position, previous, content];
  // The first links say nothing of when they were made.
  const parts = form === 1 ? link : [form, ...link, sealedAt.toISOString()];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** What stands in the place of the hash before the first link of a workspace. */
export function rootOf(workspaceId: string): string {
  return workspaceId;
}
