// Typos: titles whose words differ from those searched for by a letter or two.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { searchable } from './match.ts';
import type { Guesses, Narrowing } from './terms.ts';

/** Titles that share runs of letters with the words and are compared with them at most. */
const maxCompared = 20_000;
/** The nearest of them, which are looked at letter by letter. */
const maxGuesses = 500;
/** Words of fewer letters must be right: too many others are one letter away. */
const shortestGuess = 4;

/** Titles that hold every word but for a few letters, among what is searched. */
export async function guessTitles(
  ctx: Context,
  words: readonly string[],
  narrowing: Narrowing,
): Promise<Guesses> {
  const long = words.filter((word) => [...word].length >= shortestGuess);
  if (long.length === 0) return { near: [], isCapped: false };
  const alike = await transaction(ctx, async (tx) => {
    // Two letters swapped in a short word leave a third of its runs of three letters.
    await rows(tx, `select set_config('pg_trgm.word_similarity_threshold', '0.3', true)`);
    return rows<Alike>(tx, similarTitles(tx, long, narrowing));
  });
  const near = alike.flatMap(({ id, title }) => {
    const nearness = nearnessOf(words, title);
    return nearness === null ? [] : [{ id, nearness }];
  });
  // The nearest come first: where the last one still is near, there may be more.
  const isFull = alike.length === maxGuesses && near.at(-1)?.id === alike.at(-1)?.id;
  return { near, isCapped: isFull || (alike[0]?.isCapped ?? false) };
}

interface Alike {
  readonly id: string;
  readonly title: string;
  readonly isCapped: boolean;
}

function similarTitles(ctx: Context, words: readonly string[], narrowing: Narrowing): Prisma.Sql {
  const alike = words.map((word) => Prisma.sql`lower(${word}) <% lower(r.title)`);
  const likeness = words.map((word) => Prisma.sql`word_similarity(lower(${word}), lower(title))`);
  return Prisma.sql`with similar_titles as materialized (
      select r.id, r.title from resource r
        where ${searchable(ctx, narrowing)} and ${Prisma.join(alike, ' and ')})
    select id, title, count(*) over () = ${maxCompared} as "isCapped"
      from (select * from similar_titles limit ${maxCompared}) s
      order by ${Prisma.join(likeness, ' + ')} desc, length(title), id limit ${maxGuesses}`;
}

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
