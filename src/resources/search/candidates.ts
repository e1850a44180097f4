// The statement of a search: candidates that one index of documents names, ranked in SQL.

import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import type { AskedQuery } from './asked.ts';
import { markOf, type Narrowing } from './narrowing.ts';
import { coarseOf, foundOf, scoreOf } from './score.ts';
import { type Sought, textQuery } from './sought.ts';

/** Hits that are ranked at most. */
const maxRanked = 2_000;
/** Limits stand in the statement itself: of a parameter the planner would not know how few rows are read. */
const limit = (rows: number) => Prisma.raw(String(rows));
/** Where more documents match than are ranked, so many of the most used are looked at; of these, so many are enough. */
const maxUsed = 1_000;
const enoughUsed = 150;
/** Hits of fewer of the words that are looked at; of any one of them, so many of each, so that rare words count. */
const maxPartial = 500;
/** Of more hits than these the best by their documents alone are scored: each costs as much as ten of the others. */
const maxScored = 300;
/** What stands between the scores of hits that were scored, and of those that were not. */
const unscored = -10;
/** Resources of one title, or that begin with what is typed, the most used first. */
const maxTitled = 200;

/** What the hits of a search are. */
export interface Search {
  readonly asked: AskedQuery;
  readonly sought: readonly Sought[];
  readonly narrowing: Narrowing;
  /** So many of the needed words are in each hit at least. */
  readonly least: number;
}

/**
 * Queries of a WITH clause, the last ones by the names of hits: id, score, found (which words), the best first; and of
 * ranked: is_capped, whether there are more matches than hits.
 *
 * Documents are matched first, and each resource is read by its key: given the limit and the conditions of both
 * tables at once, PostgreSQL walks the keys of the workspace in their order instead. What one workspace searches in is
 * read whole where it is little, so that a search does not read what the index has of others.
 */
export function hitsOf(ctx: Context, search: Search): Prisma.Sql {
  const { asked, sought, narrowing, least } = search;
  const isFilter = asked.phrase === '' && asked.phrases.length + asked.without.length === 0;
  if (isFilter) return filtered(ctx, narrowing);
  const queries = queriesOf(ctx, search);
  const workspace = Prisma.sql`${ctx.workspaceId}::uuid`;
  const { isMarked } = narrowing;
  const isWhole = least >= sought.filter(({ word }) => word.isNeeded).length;
  const most = limit(isWhole ? maxRanked + 1 : maxPartial);
  const matches = queries.map(
    (query, n) => Prisma.sql`${Prisma.raw(`m${n}`)} as materialized (
        select d.resource_id, d.doc from search_document d where d.workspace_id = ${workspace}
          and d.doc @@ ${query}::tsquery and not (select "is" from little)
        union all
        select d.resource_id, d.doc from search_document d where d.workspace_id = ${workspace}
          and (d.doc @@ ${query}::tsquery) is true and (select "is" from little)
        ${isMarked ? Prisma.sql`limit ${most}` : Prisma.empty})`,
  );
  const isWanted = isMarked ? Prisma.sql`not (select "is" from enough)` : Prisma.sql`true`;
  const read = queries.map(
    (_, n) => Prisma.sql`${Prisma.raw(`f${n}`)} as materialized (
      select ${candidateColumns} from ${Prisma.raw(`m${n}`)} d ${resourceOf(workspace)}
        where ${isWanted} and ${narrowing.holds} limit ${most})`,
  );
  const found = queries.map((_, n) => Prisma.sql`select * from ${Prisma.raw(`f${n}`)}`);
  const [all] = queries;
  const isCommon = Prisma.sql`(select "is" from common)`;
  // Where marks say who may see what and all filters, documents alone tell how many there are.
  const counted = Prisma.raw(isMarked ? 'm0' : 'f0');
  return Prisma.sql`little as materialized (select count(*) < ${limit(maxRanked)} as "is" from (
      select from search_document d where d.workspace_id = ${workspace} limit ${limit(maxRanked)}) d),
    ${Prisma.join(isMarked ? matches : [...matches, ...read])},
    common as materialized (select count(*) > ${limit(maxRanked)} as "is" from ${counted}),
    used as materialized (select ${candidateColumns} from (
        select r.id as resource_id from resource r where r.workspace_id = ${workspace} and ${isCommon} and ${narrowing.holds}
          order by r.external_usage desc, r.id desc limit ${limit(maxUsed)}) u
      ${documentOf(workspace, Prisma.sql`u.resource_id`)} ${resourceOf(workspace)} where d.doc @@ ${all}::tsquery),
    enough as materialized (select ${isCommon} and count(*) >= ${limit(enoughUsed)} as "is" from used),
    ${isMarked ? Prisma.sql`${Prisma.join(read)},` : Prisma.empty}
    titled as materialized (${titled(ctx, search)}),
    most as (select * from used union all select * from titled
      union all select * from (${Prisma.join(found, ' union all ')}) f where not (select "is" from enough)),
    candidates as materialized (select c.*, ${coarseOf(sought)} as coarse from (select distinct on (id) * from most) c),
    better as materialized (select c.*, ${foundOf(sought)} as found from (select * from titled
        union select * from (select ${candidateNames} from candidates c order by coarse desc, id limit ${limit(maxScored)}) b) c),
    scored as (select c.id, c.found, ${scoreOf(asked, sought)} as score from better c
      union all select c.id, '{}'::boolean[], c.coarse + ${limit(unscored)} from candidates c
        where (select count(*) from candidates) > ${limit(maxScored)} and c.id not in (select id from better)),
    hits as materialized (select id, score, found from scored
      order by score desc, id limit ${limit(maxRanked)}),
    ranked as materialized (select (select count(*) from scored) > ${limit(maxRanked)} or ${isCommon} as is_capped)`;
}

/** What decides on a hit and its score: of many rows no more is carried along. */
const candidateColumns = Prisma.raw(
  `r.id, r.kind, r.title, r.title_full, r.verified, r.stale or r.deprecated_at is not null as stale, r.external_usage, r.internal_usage, d.doc`,
);

const candidateNames = Prisma.raw(
  `c.id, c.kind, c.title, c.title_full, c.verified, c.stale, c.external_usage, c.internal_usage, c.doc`,
);

const resourceOf = (workspace: Prisma.Sql) => Prisma.sql`cross join lateral (
  select r.* from resource r where r.workspace_id = ${workspace} and r.id = d.resource_id limit 1) r`;

const documentOf = (workspace: Prisma.Sql, id: Prisma.Sql) => Prisma.sql`cross join lateral (
  select d.resource_id, d.doc from search_document d where d.workspace_id = ${workspace} and d.resource_id = ${id} limit 1) d`;

/** The queries of the index: for what holds so many words; where one is enough, one query for each. */
function queriesOf(
  ctx: Context,
  { asked, sought, narrowing, least }: Search,
): readonly [string, ...string[]] {
  const marks = [markOf('w', ctx.workspaceId), ...narrowing.marks];
  const isWordless = sought.length === 0 && asked.phrases.length + asked.without.length === 0;
  // Of signs that are no words nothing stands in documents: only titles begin so.
  if (isWordless) return [`'-'`];
  const needed = sought.filter(({ word }) => word.isNeeded);
  if (least > 1 || needed.length < 2) return [textQuery(asked, sought, marks, least)];
  const telling = needed.filter(({ kinds }) => kinds === '');
  const [first, ...others] = telling.length > 0 ? telling : needed;
  const queryOf = (one: Sought) => textQuery(asked, [one], marks, 1);
  return first ? [queryOf(first), ...others.map(queryOf)] : [`'-'`];
}

// The expression is that of the index, to the letter, or PostgreSQL would not use it.
const indexedTitle = Prisma.sql`left(lower(r.title), 256) collate "C"`;

/** A phrase of so many letters may be the beginning of a title that has no word in it as it stands. */
const shortBeginning = 2;

/** Resources whose title is the phrase; and, of a phrase that is short or no word, those that begin with it. */
function titled(ctx: Context, { asked, sought, narrowing }: Search): Prisma.Sql {
  const { phrase, phrases, without } = asked;
  const isBare = phrase !== '' && phrases.length + without.length === 0;
  const last = phrase.slice(phrase.lastIndexOf('.') + 1);
  const isPath = last !== phrase && last !== '';
  const isBegun = sought.length === 0 || [...phrase].length <= shortBeginning;
  const begins = Prisma.sql`(${indexedTitle} >= lower(${phrase})
    and ${indexedTitle} < lower(${phrase}) || chr(1114111))`;
  const is = (title: string) => Prisma.sql`${indexedTitle} = left(lower(${title}), 256)`;
  const workspace = Prisma.sql`${ctx.workspaceId}::uuid`;
  const mostUsed = Prisma.sql`order by r.external_usage desc limit ${limit(maxTitled)}`;
  const part = (
    condition: Prisma.Sql,
    bound = mostUsed,
  ) => Prisma.sql`(select ${candidateColumns} from (
      select r.* from resource r where r.workspace_id = ${workspace} and ${isBare}::boolean
        and ${condition} and ${narrowing.holds} ${bound}) r
    ${documentOf(workspace, Prisma.sql`r.id`)})`;
  return Prisma.join(
    [
      part(is(phrase)),
      ...(isPath
        ? [
            part(
              Prisma.sql`${is(last)} and right(lower(r.title_full), length(${phrase})) = lower(${phrase})`,
            ),
          ]
        : []),
      ...(isBegun ? [part(begins, Prisma.sql`limit ${limit(maxUsed)}`)] : []),
    ],
    ' union all ',
  );
}

/** All that the filters leave, the most used first. */
function filtered(ctx: Context, { holds }: Narrowing): Prisma.Sql {
  return Prisma.sql`filtered as materialized (select r.id, r.external_usage, r.internal_usage from resource r
      where r.workspace_id = ${ctx.workspaceId}::uuid and ${holds}
      order by r.external_usage desc, r.id desc limit ${limit(maxRanked + 1)}),
    hits as materialized (select r.id, round((0.3 * ${usageOf})::numeric, 6)::float8 as score, '{}'::boolean[] as found
      from filtered r order by score desc, id limit ${limit(maxRanked)}),
    ranked as materialized (select (select count(*) from filtered) > ${limit(maxRanked)} as is_capped)`;
}

const usageOf = Prisma.sql`(ln(1 + greatest(0, r.external_usage + r.internal_usage))
  / (5 + ln(1 + greatest(0, r.external_usage + r.internal_usage))))`;
