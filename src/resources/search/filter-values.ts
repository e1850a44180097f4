// Values of filters that stand for a state of a resource, or for something that it has.

import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { hasDownstream, hasMonitor, hasOpenIncident, hasUpstream } from '../lists/watched.ts';

export type Conditions = Readonly<Record<string, Prisma.Sql>>;

/** Values of `is:`. */
export const states: Conditions = {
  verified: Prisma.sql`r.verified`,
  unverified: Prisma.sql`not r.verified`,
  pii: Prisma.sql`r.pii`,
  stale: Prisma.sql`r.stale`,
  deprecated: Prisma.sql`r.deprecated_at is not null`,
  published: Prisma.sql`r.published`,
  unpublished: Prisma.sql`not r.published`,
  owned: Prisma.sql`(r.owner_ids <> '{}' or r.owner_group_ids <> '{}')`,
  draft: Prisma.sql`(r.kind = 'glossary' and coalesce(r.term_status, 'draft') = 'draft')`,
  in_review: Prisma.sql`(r.kind = 'glossary' and r.term_status = 'in_review')`,
  approved: Prisma.sql`(r.kind = 'glossary' and r.term_status = 'approved')`,
  unowned: Prisma.sql`(r.owner_ids = '{}' and r.owner_group_ids = '{}')`,
};

/** Values of `has:` and `no:`. */
export const things = (ctx: Context): Conditions => ({
  incident: hasOpenIncident(ctx),
  monitor: hasMonitor(ctx),
  owner: Prisma.sql`(r.owner_ids <> '{}' or r.owner_group_ids <> '{}')`,
  tag: Prisma.sql`r.tag_ids <> '{}'`,
  team: Prisma.sql`r.team_ids <> '{}'`,
  description: Prisma.sql`coalesce(r.description, '') <> ''`,
  documentation: Prisma.sql`r.definition <> ''`,
  sql: Prisma.sql`coalesce(r.sql, r.creation_query) is not null`,
  lineage: Prisma.sql`(${hasUpstream(ctx)} or ${hasDownstream(ctx)})`,
});
