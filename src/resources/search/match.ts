// In charge of what matches a search, in SQL: bounded candidates of each index, and their scores.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { teamsAmong, usersAmong } from '../seen.ts';
import type { Guesses, Narrowing, Terms } from './terms.ts';

/** Candidates that each source gives at most; of a very common word no more are seen. */
const maxCandidates = 2_000;

/**
 * Queries of a WITH clause, the last one by the name of hits: id, score, capped (whether a source
 * had more candidates than are ranked) and what facets count.
 *
 * Each source reads one index in a materialized query, which PostgreSQL plans as if all of it were
 * read, so by the index, and runs only as far as the limit asks.
 */
export function hitsOf(
  ctx: Context,
  terms: Terms,
  narrowing: Narrowing,
  guesses: Guesses,
): Prisma.Sql {
  const sources = [
    { name: 'by_name', tier: null, where: hasName(terms) },
    { name: 'by_start', tier: null, where: startsWith(terms) },
    ...(isTitleWords(terms) ? [{ name: 'by_title', tier: null, where: hasWords(terms) }] : []),
    ...(terms.words.length > 0
      ? [
          { name: 'by_description', tier: 2, where: describedBy(terms) },
          { name: 'by_documentation', tier: 1, where: documentedBy(terms) },
        ]
      : []),
  ];
  const base = searchable(ctx, narrowing);
  const queries = sources.map(
    ({ name, where }) => Prisma.sql`${Prisma.raw(name)} as materialized (
      select r.id from resource r where ${base} and ${where})`,
  );
  const found = sources.map(
    ({ name, tier }) => Prisma.sql`(select id, ${tier}::int as tier, null::float8 as nearness,
        count(*) over () > ${maxCandidates} as capped
      from (select id from ${Prisma.raw(name)} limit ${maxCandidates + 1}) x
      limit ${maxCandidates})`,
  );
  return Prisma.sql`${Prisma.join(queries)},
    found as (${Prisma.join([...found, guessed(guesses)], ' union all ')}),
    best as (select id, bool_or(tier is null) as titled, max(tier) as tier,
      max(nearness) as nearness, bool_or(capped) as capped from found group by id),
    hits as materialized (
      select r.workspace_id, r.id, r.kind, r.integration_id, r.tag_ids, r.team_ids, r.owner_ids,
        b.capped,
        round((case when b.titled then ${titleTier(terms)} else b.tier end + ${weight(terms)}
          )::numeric, 6)::float8 as score
      from best b join resource r
        on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = b.id)`;
}

/** The resources, alias `r`, among which is searched. */
export function searchable(ctx: Context, narrowing: Narrowing): Prisma.Sql {
  const { kinds, integrationIds, tagIds, teamIds, ownerIds } = narrowing;
  const conditions = [
    Prisma.sql`r.workspace_id = ${ctx.workspaceId}::uuid and not r.archived`,
    visibleResources(ctx),
    ...(kinds ? [Prisma.sql`r.kind = any(${[...kinds]}::text[])`] : []),
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

// The expressions are those of the indexes, to the letter, or PostgreSQL would not use these.
const indexedTitle = Prisma.sql`left(lower(r.title), 256) collate "C"`;
/** A title, or the phrase, with one space for whatever stands between its words. */
const inWords = (text: Prisma.Sql) =>
  Prisma.sql`btrim(regexp_replace(lower(${text}), '[^[:alnum:]]+', ' ', 'g'))`;

/** The title is the phrase; or its last part, and the full title ends with the phrase. */
function hasName({ phrase }: Terms): Prisma.Sql {
  const last = phrase.slice(phrase.lastIndexOf('.') + 1);
  return Prisma.sql`${indexedTitle} in (lower(${phrase}), lower(${last}))
    and (lower(r.title) = lower(${phrase}) or ${isFullTitle(phrase)})`;
}

function isFullTitle(phrase: string): Prisma.Sql {
  return Prisma.sql`(lower(r.title_full) = lower(${phrase})
    or right(lower(r.title_full), length(lower(${phrase})) + 1) = '.' || lower(${phrase}))`;
}

// A range rather than LIKE: it reads the index also where the phrase is not known to the planner,
// and takes every character as it is.
function startsWith({ phrase }: Terms): Prisma.Sql {
  return Prisma.sql`${indexedTitle} >= lower(${phrase})
    and ${indexedTitle} < lower(${phrase}) || chr(1114111)`;
}

/** The index of titles holds runs of three letters: shorter words cannot be looked up in it. */
const shortestWord = 3;

function isTitleWords({ words }: Terms): boolean {
  return words.some((word) => word.length >= shortestWord);
}

/** The title holds all words, in any order. Words are letters and digits: none is a wildcard. */
function hasWords({ words }: Terms): Prisma.Sql {
  return Prisma.join(
    words.map((word) =>
      word.length >= shortestWord
        ? Prisma.sql`lower(r.title) like lower(${`%${word}%`})`
        : Prisma.sql`strpos(lower(r.title), lower(${word})) > 0`,
    ),
    ' and ',
  );
}

function describedBy(terms: Terms): Prisma.Sql {
  return Prisma.sql`r.description is not null
    and to_tsvector('simple', left(r.description, 100000)) @@ ${textQuery(terms)}`;
}

function documentedBy(terms: Terms): Prisma.Sql {
  return Prisma.sql`r.definition <> ''
    and to_tsvector('simple', left(r.definition, 100000)) @@ ${textQuery(terms)}`;
}

// All words, the last one as far as it is typed. Texts also hold names such as shop.public.orders
// as one word; so the phrase is looked for as PostgreSQL itself would take it apart, too.
function textQuery({ phrase, words }: Terms): Prisma.Sql {
  const typed = (text: string) =>
    Prisma.sql`(nullif(plainto_tsquery('simple', ${text})::text, '') || ':*')::tsquery`;
  const apart = words.join(' ');
  if (phrase.toLowerCase() === apart) return typed(apart);
  return Prisma.sql`coalesce(${typed(apart)} || ${typed(phrase)}, ${typed(apart)})`;
}

function guessed({ near, isCapped }: Guesses): Prisma.Sql {
  return Prisma.sql`select g.id, 0, g.nearness, ${isCapped}
    from unnest(${near.map(({ id }) => id)}::uuid[],
      ${near.map(({ nearness }) => nearness)}::float8[]) g(id, nearness)`;
}

/** 6 to 3: how the title holds the phrase. */
function titleTier({ phrase, words }: Terms): Prisma.Sql {
  const isOneWord = words.length === 1 && words[0] === phrase.toLowerCase();
  // A word is a part of the title as it stands; only of a phrase it matters what is between words.
  const parts = isOneWord || words.length === 0 ? Prisma.sql`3` : wordTier(phrase);
  const isPart = Prisma.sql`strpos(lower(r.title), lower(${phrase})) > 0`;
  return Prisma.sql`case
    when lower(r.title) = lower(${phrase}) or ${isFullTitle(phrase)} then 6
    when starts_with(lower(r.title), lower(${phrase})) then 5
    else greatest(${parts}, case when ${isPart} then 4 else 3 end) end`;
}

function wordTier(phrase: string): Prisma.Sql {
  const title = inWords(Prisma.sql`r.title`);
  const sought = inWords(Prisma.sql`${phrase}`);
  return Prisma.sql`(select case
      when t.sought = '' or strpos(t.title, t.sought) = 0 then 3
      when t.title = t.sought then 6
      when starts_with(t.title, t.sought) then 5
      else 4 end
    from (select ${title} as title, ${sought} as sought offset 0) t)`;
}

/** From 0 to less than 1: it orders what was found alike and lifts nothing above what is better. */
function weight({ phrase }: Terms): Prisma.Sql {
  const usage = Prisma.sql`ln(1 + greatest(0, r.external_usage + r.internal_usage))`;
  const closeness = Prisma.sql`least(1, length(${phrase})::float8 / greatest(1, length(r.title)))`;
  return Prisma.sql`(0.3 * r.verified::int + 0.4 * (${usage} / (5 + ${usage}))
    + 0.1 * (r.kind not in ('column', 'event_property'))::int
    + 0.1 * coalesce(b.nearness, ${closeness}))`;
}
