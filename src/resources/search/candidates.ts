// Candidates of a condition on titles: bounded parts of what is searched, so
// that neither a word of many titles nor a large catalog costs more than so many rows.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { teamsAmong, usersAmong } from '../seen.ts';
import type { Narrowing } from './terms.ts';

/** Hits that are ranked at most. */
export const maxRanked = 2_000;
/** Limits stand in the statement itself: of a parameter the planner would not know how few rows are read. */
export const limit = (rows: number) => Prisma.raw(String(rows));
/** Of the most used resources, and of those to which a search is narrowed, so many are compared with the words. */
const maxWalked = 2_000;
/** A word that as many of the most used hold is common: its index would name more than can be ranked. */
const commonFrom = 100;

/** The resources, alias `r`, among which is searched; `isOfKind` as the index has it that is to answer. */
export function searchable(
  ctx: Context,
  narrowing: Narrowing,
  isOfKind = (kinds: Prisma.Sql) => Prisma.sql`r.kind = any(${kinds})`,
): Prisma.Sql {
  const { kinds, integrationIds, tagIds, teamIds, ownerIds } = narrowing;
  const conditions = [
    ofWorkspace(ctx),
    visibleResources(ctx),
    ...(kinds ? [isOfKind(Prisma.sql`${[...kinds]}::text[]`)] : []),
    ...(integrationIds ? [Prisma.sql`r.integration_id = any(${[...integrationIds]}::uuid[])`] : []),
    ...(tagIds ? [Prisma.sql`r.tag_ids && ${[...tagIds]}::uuid[]`] : []),
    ...(teamIds
      ? [Prisma.sql`r.team_ids && ${teamsAmong(ctx, Prisma.sql`${[...teamIds]}::uuid[]`)}`]
      : []),
    ...(ownerIds
      ? [Prisma.sql`r.owner_ids && ${usersAmong(ctx, Prisma.sql`${[...ownerIds]}::uuid[]`)}`]
      : []),
  ];
  return Prisma.join(conditions, ' and ');
}

/** The same for the indexes of words, which know the kinds of what holds a word. */
export function searchableByWord(ctx: Context, narrowing: Narrowing): Prisma.Sql {
  return searchable(ctx, narrowing, (kinds) => Prisma.sql`array[r.kind] && ${kinds}`);
}

/** All that is there, alias `r`, no matter who searches. */
export function ofWorkspace(ctx: Context): Prisma.Sql {
  return Prisma.sql`r.workspace_id = ${ctx.workspaceId}::uuid and not r.archived`;
}

/** What decides on a hit and its score: of many rows no more is carried along. */
export const candidateColumns = Prisma.raw(
  `r.workspace_id, r.id, r.kind, r.title, r.title_full, r.verified, r.external_usage, r.internal_usage,
   r.archived, r.published, r.integration_id, r.tag_ids, r.team_ids, r.owner_ids`,
);

interface Sought {
  /** What holds for a hit, alias `r`. */
  readonly holds: Prisma.Sql;
  /** Whether an index of titles answers that. */
  readonly isIndexed: boolean;
  /** What is selected of a hit. */
  readonly columns: Prisma.Sql;
  /** A condition under which all of it is left out, and one under which only the index is. */
  readonly unless: Prisma.Sql;
  readonly isEnough: Prisma.Sql;
}

/** Queries of a WITH clause, and what can be asked of them. */
export interface Candidates {
  readonly queries: readonly Prisma.Sql[];
  /** Their names: each has the columns that were asked for. */
  readonly names: readonly Prisma.Sql[];
  /** Whether there are so many that no index was asked for more. */
  readonly isCommon: Prisma.Sql;
  /** Whether all of what is searched was compared. */
  readonly isAll: Prisma.Sql;
  /** Whether the index has more than are ranked. */
  readonly isCut: Prisma.Sql;
}

/**
 * Where a condition on titles holds: among the most used; where the search is narrowed, among what it is
 * narrowed to; and, unless these are many, wherever the index of titles names it. A materialized query with a limit is
 * planned as if all of it were read, so by the index, and runs only as far as the limit asks.
 */
export function candidatesOf(
  ctx: Context,
  narrowing: Narrowing,
  { holds, isIndexed, columns, unless, isEnough }: Sought,
): Candidates {
  const base = searchable(ctx, narrowing);
  const isNarrowed =
    ctx.viewer.role === 'guest' || Object.values(narrowing).some((only) => only !== null);
  const walked = Prisma.sql`by_use as materialized (select ${columns}
      from (select ${candidateColumns} from resource r where ${ofWorkspace(ctx)}
        order by r.external_usage desc, r.id desc limit ${limit(maxWalked)}) r
      where not (${unless}) and ${base} and ${holds})`;
  const narrowed = Prisma.sql`narrowed as materialized (
      select ${candidateColumns} from resource r where not (${unless}) and ${base} limit ${limit(maxWalked)}),
    by_narrowing as materialized (select ${columns} from narrowed r where ${holds})`;
  const compared = isNarrowed
    ? Prisma.sql`narrowed`
    : Prisma.sql`(select from resource r where ${ofWorkspace(ctx)} limit ${limit(maxWalked)}) x`;
  const found = isNarrowed
    ? Prisma.sql`(select count(*) from by_use) + (select count(*) from by_narrowing)`
    : Prisma.sql`(select count(*) from by_use)`;
  // Asked for once, however often it is needed.
  const judged = Prisma.sql`compared as materialized (
      select count(*) < ${maxWalked} as is_all from ${compared}),
    judged as materialized (
      select is_all, not is_all and ${found} >= ${commonFrom} as is_common from compared)`;
  const isAll = Prisma.sql`(select is_all from judged)`;
  const isCommon = Prisma.sql`(select is_common from judged)`;
  const indexed = Prisma.sql`by_title as materialized (select ${columns} from (
      select ${candidateColumns} from resource r where ${searchableByWord(ctx, narrowing)} and ${holds}
        and not (${isEnough}) and not ${isCommon} and not ${isAll} limit ${limit(maxRanked + 1)}) r)`;
  return {
    queries: [walked, ...(isNarrowed ? [narrowed] : []), judged, ...(isIndexed ? [indexed] : [])],
    names: [
      Prisma.sql`by_use`,
      ...(isNarrowed ? [Prisma.sql`by_narrowing`] : []),
      ...(isIndexed ? [Prisma.sql`by_title`] : []),
    ],
    isCommon,
    isAll,
    isCut: isIndexed
      ? Prisma.sql`(select count(*) from by_title) > ${maxRanked}`
      : Prisma.sql`false`,
  };
}
