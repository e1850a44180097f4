// The hashes of the chain over the audit log: one of an entry, and one of its place in the chain.

import { createHash } from 'node:crypto';
import { Prisma } from '../generated/prisma/client.ts';

/** Taken by who seals, so that no one else does; a number of no meaning. */
export const sealLock = 727_100_002;

/**
 * SHA-256 of all that an entry holds, in hexadecimal, as an expression on the alias `a`. JSON has one form
 * for equal values on every server. What a later migration adds to entries comes under another
 * first item, for entries that were written after it: the hashes there are must stay.
 */
export const contentHash = Prisma.raw(`encode(sha256(convert_to(jsonb_build_array(
  1, a.sequence, a.workspace_id, a.id, a.parent_id, a.activity_type, a.performer_id, a.performer_type,
  a.performer_metadata, a.request_id, a.key_id, a.resource_id, a.resource_type, a.resource_version,
  a.changed_fields, a.changes, a.resource_metadata, a.related_resource_ids, a.related_resource_type,
  a.event_blocks, a.version_history_id, a.is_legacy, a.logged_at at time zone 'UTC',
  a.created_at at time zone 'UTC', a.updated_at at time zone 'UTC')::text, 'UTF8')), 'hex')`);

/** The number that was given to an entry last, of the sequence `audit_log_sequence_seq`; 0 where none was. */
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

/** The form of the links that are made now. */
export const linkForm = 2;

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
