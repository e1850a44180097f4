// Typos: titles whose words differ from those searched for by a letter or two.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { candidatesOf } from './candidates.ts';
import { everywhere, type Guesses, type Narrowing } from './terms.ts';

/** Words of titles that share runs of letters with a word and are compared with it letter by letter at most. */
const maxAlike = 300;
/** Of those that are near enough, so many are looked for in titles. */
const maxMeant = 10;
/** Titles that are looked at letter by letter. */
const maxGuesses = 500;
/** Words of fewer letters must be right: too many others are one letter away. */
const shortestGuess = 4;
/** In a title a word of fewer letters is not looked for as a part of one that was written together. */
const shortestPart = 3;

/**
 * Titles that hold every word but for a few letters, among what is searched. Words that titles hold which the viewer
 * may see are taken to be right, so that none are guessed where all of them are.
 */
export async function guessTitles(
  ctx: Context,
  words: readonly string[],
  narrowing: Narrowing,
): Promise<Guesses> {
  const long = words.filter((word) => [...word].length >= shortestGuess && !/^\p{N}/u.test(word));
  const wrong = long.length === 0 ? [] : await unknownWords(ctx, long);
  if (wrong.length === 0) return noGuesses;
  const meant = await meantBy(ctx, wrong);
  if (wrong.some((word) => !meant.has(word))) return noGuesses;
  const ways = long.map((word): Meant => meant.get(word) ?? [[word]]);
  const alike = await rows<Alike>(ctx, titlesWith(ctx, ways, narrowing));
  const near = alike.flatMap(({ id, title }) => {
    const nearness = nearnessOf(words, title);
    return nearness === null ? [] : [{ id, nearness }];
  });
  return { near, isCapped: alike[0]?.isCapped ?? false };
}

export const noGuesses: Guesses = { near: [], isCapped: false };

interface Alike {
  readonly id: string;
  readonly title: string;
  readonly isCapped: boolean;
}

/** What may stand in a title for a word: one of some, each of which is made of parts that all stand there. */
type Meant = readonly (readonly string[])[];

/** Those of the words with which no word of a title begins that the viewer may see. */
async function unknownWords(ctx: Context, words: readonly string[]): Promise<string[]> {
  const known = await rows<{ word: string }>(
    ctx,
    Prisma.sql`select distinct x.word from unnest(${[...words]}::text[]) x(word)
      where ${isBegun(ctx, Prisma.sql`x.word`)}`,
  );
  const seen = new Set<string>();
  for (const { word } of known) if (await isInSeenTitle(ctx, word)) seen.add(word);
  return [...new Set(words)].filter((word) => !seen.has(word));
}

/** Whether a word of a title begins so that the viewer may see: or else what is guessed would tell of the others. */
async function isInSeenTitle(ctx: Context, word: string): Promise<boolean> {
  const { queries, names } = candidatesOf(ctx, everywhere, {
    holds: Prisma.sql`${inTitle([word])}
      and exists (select from words_of_title(r.title) w where starts_with(w.word, ${word}))`,
    isIndexed: true,
    columns: Prisma.sql`r.id`,
    ...{ unless: Prisma.sql`false`, isEnough: Prisma.sql`exists (select from by_use)` },
  });
  const isThere = names.map((name) => Prisma.sql`exists (select from ${name})`);
  const found = await rows<{ isThere: boolean }>(
    ctx,
    Prisma.sql`with ${Prisma.join(queries)} select ${Prisma.join(isThere, ' or ')} as "isThere"`,
  );
  return found[0]?.isThere ?? false;
}

/** Whether a word of a title begins so. */
function isBegun(ctx: Context, part: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`exists (select from title_word w where w.workspace_id = ${ctx.workspaceId}::uuid
    and w.word >= ${part} collate "C" and w.word < (${part} || chr(1114111)) collate "C")`;
}

/** What each of the words may mean, the nearest first; a word is left out that is near to none. */
async function meantBy(ctx: Context, words: readonly string[]): Promise<Map<string, Meant>> {
  const found = await transaction(ctx, async (tx) => {
    // Two letters swapped in a short word leave a quarter of its runs of three letters.
    await rows(tx, `select set_config('pg_trgm.word_similarity_threshold', '0.25', true)`);
    return rows<{ sought: string; parts: string[] }>(tx, wordsLike(tx, words));
  });
  const meant = new Map<string, Meant>();
  for (const word of new Set(words)) {
    const sought = [...word];
    const near = found
      .filter((one) => one.sought === word)
      .map(({ parts }) => ({ parts, distance: distanceToStart(sought, [...parts.join('')]) }))
      .filter(({ distance }) => distance <= allowance(sought.length))
      .sort((a, b) => a.distance - b.distance);
    if (near.length > 0)
      meant.set(
        word,
        near.slice(0, maxMeant).map(({ parts }) => parts),
      );
  }
  return meant;
}

/** Words of titles that are like those sought; and what is written as one word, where it is two in titles. */
function wordsLike(ctx: Context, words: readonly string[]): Prisma.Sql {
  const known = Prisma.sql`w.workspace_id = ${ctx.workspaceId}::uuid`;
  const alike = words.map(
    (word) => Prisma.sql`(select ${word}::text as sought, array[x.word::text] as parts from (
        select distinct w.word from title_word w where ${known} and ${word} <% w.word) x
      order by word_similarity(${word}, x.word) desc, length(x.word), x.word limit ${maxAlike})`,
  );
  const apart = Prisma.sql`select s.sought, array[s.head, s.tail] from (
      select word as sought, left(word, n) as head, substr(word, n + 1) as tail
      from unnest(${[...words]}::text[]) word, generate_series(${shortestPart}::int, length(word) - ${shortestPart}) n) s
    where exists (select from title_word w where ${known} and w.word = s.head collate "C") and ${isBegun(ctx, Prisma.sql`s.tail`)}`;
  return Prisma.join([...alike, apart], ' union all ');
}

/** Titles that hold something of what each word may mean. */
function titlesWith(ctx: Context, meant: readonly Meant[], narrowing: Narrowing): Prisma.Sql {
  const holds = Prisma.join(
    meant.map((ways) => Prisma.sql`(${Prisma.join(ways.map(inTitle), ' or ')})`),
    ' and ',
  );
  const { queries, names, isCommon, isCut } = candidatesOf(ctx, narrowing, {
    holds,
    isIndexed: true,
    columns: Prisma.sql`r.id, r.title`,
    ...{ unless: Prisma.sql`false`, isEnough: Prisma.sql`false` },
  });
  const found = names.map((name) => Prisma.sql`select id, title from ${name}`);
  return Prisma.sql`with ${Prisma.join(queries)},
      found as (select distinct id, title from (${Prisma.join(found, ' union all ')}) f)
    select id, title, ${isCommon} or ${isCut} or count(*) over () > ${maxGuesses} as "isCapped"
      from found order by length(title), id limit ${maxGuesses}`;
}

const inTitle = (parts: readonly string[]) =>
  Prisma.join(
    parts.map((part) => Prisma.sql`lower(r.title) like ${`%${escaped(part)}%`}`),
    ' and ',
    '(',
    ')',
  );

/** A word of a title may hold what is a wildcard to LIKE. */
const escaped = (text: string) => text.replace(/[\\%_]/g, '\\$&');

/**
 * How near a title comes to holding every word, from 0 to 1; null when a word is too far from all
 * of the title. A word of 4 letters may be off by one, one of 8 by two, and begin a longer one.
 */
export function nearnessOf(words: readonly string[], title: string): number | null {
  const parts = title.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  // What is written as one word may be two in the title.
  const targets = [...parts.slice(0, 50), parts.join('').slice(0, 100)].map((part) => [...part]);
  let letters = 0;
  let wrong = 0;
  for (const word of words) {
    const sought = [...word];
    const distance = Math.min(...targets.map((target) => distanceToStart(sought, target)));
    if (distance > allowance(sought.length)) return null;
    letters += sought.length;
    wrong += distance;
  }
  return letters === 0 ? null : 1 - wrong / letters;
}

function allowance(letters: number): number {
  if (letters < shortestGuess) return 0;
  return letters < 8 ? 1 : 2;
}

/**
 * Letters to insert, drop, replace or swap with their neighbour until the word is the target or the
 * start of it: the optimal string alignment distance, its last row's least value.
 */
export function distanceToStart(word: readonly string[], target: readonly string[]): number {
  const goal = target.slice(0, word.length + 2);
  let before: number[] = [];
  let above = goal.map((_, j) => j + 1);
  let left = 0;
  for (const [i, letter] of word.entries()) {
    const row: number[] = [];
    left = i + 1;
    for (const [j, wanted] of goal.entries()) {
      const diagonal = j === 0 ? i : (above[j - 1] ?? 0);
      let cost = Math.min(left + 1, (above[j] ?? 0) + 1, diagonal + (letter === wanted ? 0 : 1));
      if (i > 0 && j > 0 && letter === goal[j - 1] && word[i - 1] === wanted) {
        cost = Math.min(cost, (j === 1 ? i - 1 : (before[j - 2] ?? 0)) + 1);
      }
      row.push(cost);
      left = cost;
    }
    before = above;
    above = row;
  }
  return Math.min(word.length, ...above);
}
