// Matches of a search in SQL: bounded candidates of each index, with their scores.

import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import {
  candidateColumns,
  candidatesOf,
  limit,
  maxRanked,
  ofWorkspace,
  searchable,
  searchableByWord,
} from './candidates.ts';
import { guessScore, isFullTitle, textScore, titleScore } from './score.ts';
import type { Guesses, Narrowing, Terms } from './terms.ts';

/**
 * Queries of a WITH clause, the last ones by the names of hits: id, score, the best first; and of ranked: is_capped,
 * whether there are more matches than hits.
 *
 * Exact titles and those that begin with the phrase come from one index, of each title the most used first. Where
 * they alone are more than is ranked, nothing else is looked for: it would be ranked below.
 */
export function hitsOf(
  ctx: Context,
  terms: Terms,
  narrowing: Narrowing,
  guesses: Guesses,
): Prisma.Sql {
  const base = searchable(ctx, narrowing);
  const byWord = searchableByWord(ctx, narrowing);
  const score = titleScore(terms);
  const areTooMany = (name: string) =>
    Prisma.sql`(select count(*) from ${Prisma.raw(name)}) > ${maxRanked}`;
  const areTooManyStart = Prisma.sql`(${areTooMany('by_name')} or ${areTooMany('by_start')})`;
  const isIndexed = isTitleWords(terms);
  const titled = candidatesOf(ctx, narrowing, {
    holds: isIndexed ? hasWords(terms) : startsWith(terms),
    isIndexed,
    columns: Prisma.sql`r.id, ${score} as score`,
    unless: areTooMany('by_name'),
    isEnough: areTooManyStart,
  });
  const isEnough = Prisma.sql`${areTooManyStart} or ${titled.isCommon}`;
  const texts = terms.words.length === 0 ? [] : textsOf(terms);
  const queries = [
    Prisma.sql`by_name as materialized (select r.id, ${score} as score from (
      ${named(ctx, terms)}) r where ${base})`,
    Prisma.sql`by_start as materialized (select r.id, ${score} as score from (
      ${startingWith(ctx, terms)}) r where ${base} and not (${areTooMany('by_name')}))`,
    ...titled.queries,
    ...texts.map(
      ({ name, tier, where }) => Prisma.sql`${name} as materialized (
        select r.id, ${textScore(terms, tier)} as score from (select ${candidateColumns}
          from resource r where ${byWord} and ${where} and not (${isEnough}) limit ${limit(maxRanked + 1)}) r)`,
    ),
    ...(guesses.near.length > 0 ? [guessed(ctx, guesses)] : []),
  ];
  const names = [...[Prisma.sql`by_name`, Prisma.sql`by_start`], ...titled.names];
  const others = [
    ...texts.map(({ name }) => name),
    ...(guesses.near.length > 0 ? [Prisma.sql`by_guess`] : []),
  ];
  const found = [...names, ...others].map((name) => Prisma.sql`select id, score from ${name}`);
  const areTextsCut = texts.map(
    ({ name }) => Prisma.sql`or (select count(*) from ${name}) > ${maxRanked}`,
  );
  // What the index of titles has, or all that is searched, holds what begins with the phrase as well.
  const areTitlesCut = isIndexed
    ? titled.isCut
    : Prisma.sql`(select count(*) from (${startingWith(ctx, terms)}) r) > ${maxRanked}`;
  const isCapped = Prisma.sql`${guesses.isCapped}::boolean
    or ${isEnough} or (not (${titled.isAll}) and ${areTitlesCut})
    ${Prisma.join(areTextsCut.length > 0 ? areTextsCut : [Prisma.empty], ' ')}`;
  return Prisma.sql`${Prisma.join(queries)}, ${ranking(found, isCapped)}`;
}

/** The same where nothing but guesses answers. */
export function guessedHits(ctx: Context, guesses: Guesses): Prisma.Sql {
  const found = [Prisma.sql`select id, score from by_guess`];
  return Prisma.sql`${guessed(ctx, guesses)}, ${ranking(found, Prisma.sql`${guesses.isCapped}::boolean`)}`;
}

/** The hits of what the sources found, and whether there are more. */
function ranking(found: readonly Prisma.Sql[], isCapped: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`best as materialized (select id, max(score) as score
      from (${Prisma.join(found, ' union all ')}) found group by id),
    hits as materialized (select id, score from best order by score desc, id limit ${limit(maxRanked)}),
    ranked as materialized (select (select count(*) from best) > ${maxRanked} or ${isCapped} as is_capped)`;
}

// The expressions are those of the indexes, to the letter, or PostgreSQL would not use these.
const indexedTitle = Prisma.sql`left(lower(r.title), 256) collate "C"`;

/** The most used whose title is the phrase; or its last part, and the full title ends with the phrase. */
function named(ctx: Context, terms: Terms): Prisma.Sql {
  const { phrase } = terms;
  const last = phrase.slice(phrase.lastIndexOf('.') + 1);
  const parts = [phrase, ...(last === phrase ? [] : [last])].map(
    (title) => Prisma.sql`(select ${candidateColumns} from resource r
      where ${ofWorkspace(ctx)} and ${indexedTitle} = left(lower(${title}), 256)
        and (lower(r.title) = lower(${phrase}) or ${isFullTitle(terms)})
      order by r.external_usage desc limit ${limit(maxRanked + 1)})`,
  );
  return Prisma.join(parts, ' union all ');
}

/** Those whose title begins with the phrase, as far as they are ranked. */
function startingWith(ctx: Context, terms: Terms): Prisma.Sql {
  return Prisma.sql`select ${candidateColumns} from resource r
    where ${ofWorkspace(ctx)} and ${startsWith(terms)} limit ${limit(maxRanked + 1)}`;
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

/** The texts in which words are looked for, and how far below titles they rank. */
function textsOf(terms: Terms) {
  const described = Prisma.sql`r.description is not null
    and to_tsvector('simple', left(r.description, 100000)) @@ ${textQuery(terms)}`;
  const documented = Prisma.sql`r.definition <> ''
    and to_tsvector('simple', left(r.definition, 100000)) @@ ${textQuery(terms)}`;
  return [
    { name: Prisma.sql`by_description`, tier: 2, where: described },
    { name: Prisma.sql`by_documentation`, tier: 1, where: documented },
  ] as const;
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

function guessed(ctx: Context, { near }: Guesses): Prisma.Sql {
  const given = Prisma.sql`unnest(${near.map(({ id }) => id)}::uuid[],
    ${near.map(({ nearness }) => nearness)}::float8[]) g(id, nearness)`;
  return Prisma.sql`by_guess as (select r.id, ${guessScore(Prisma.sql`g.nearness`)} as score
    from ${given} join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = g.id)`;
}
