// Words of a query that are in no name: the words of titles that they may have been meant to be.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { transaction } from '../../database/transaction.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { markOf } from './narrowing.ts';
import { inWeights, lexemeQuery, type Sought } from './sought.ts';

/** Words of titles that share runs of letters with a word and are compared with it letter by letter at most. */
const maxAlike = 1_000;
/** Of those that are near enough, so many are looked at, and so many looked for. */
const maxNear = 20;
const maxMeant = 5;
/** Words of fewer letters must be right: too many others are one letter away. */
const shortestGuess = 4;
/** In a title a word of fewer letters is not looked for as a part of one that was written together. */
const shortestPart = 3;

/** What may stand for a word: one of some, each of which is made of parts that all stand in a title. */
export type Meant = readonly (readonly string[])[];

/**
 * What each word may have been meant to be, of the words that no name begins with; where nothing was found also of those
 * that no name is. Both are asked of what the viewer may see, or the answer would tell of the rest.
 */
export async function meantBy(
  ctx: Context,
  sought: readonly Sought[],
  isNothingFound: boolean,
): Promise<ReadonlyMap<string, Meant>> {
  const guessed = sought.filter(
    ({ word, kinds, names }) =>
      word.isNeeded &&
      kinds === '' &&
      names === '' &&
      /^\P{N}/u.test(word.text) &&
      [...word.text].length >= shortestGuess,
  );
  const queries = guessed.map(({ text, whole }) => inWeights(isNothingFound ? whole : text, 'AB'));
  const known = await areSeen(ctx, queries);
  const wrong = guessed.flatMap(({ word }, n) => (known[n] ? [] : [word.text]));
  return wrong.length === 0 ? new Map() : nearWords(ctx, wrong);
}

/** Whether each query holds for a document that the viewer may see. */
async function areSeen(ctx: Context, queries: readonly string[]): Promise<readonly boolean[]> {
  if (queries.length === 0) return [];
  const workspace = Prisma.sql`${ctx.workspaceId}::uuid`;
  const mark = markOf('w', ctx.workspaceId);
  // Matched first, and each resource read by its key: see hitsOf.
  const parts = queries.map(
    (
      query,
      n,
    ) => Prisma.sql`${Prisma.raw(`m${n}`)} as materialized (select d.resource_id from search_document d
      where d.workspace_id = ${workspace} and d.doc @@ ${`(${query})&${mark}`}::tsquery)`,
  );
  const seen = queries.map(
    (_, n) => Prisma.sql`exists (select from ${Prisma.raw(`m${n}`)} d cross join lateral (
      select from resource r where r.workspace_id = ${workspace} and r.id = d.resource_id and not r.archived
        and ${visibleResources(ctx)} limit 1) r)`,
  );
  const [found] = await rows<{ seen: boolean[] }>(
    ctx,
    Prisma.sql`with ${Prisma.join(parts)} select array[${Prisma.join(seen)}] as seen`,
  );
  return found?.seen ?? [];
}

async function nearWords(
  ctx: Context,
  words: readonly string[],
): Promise<ReadonlyMap<string, Meant>> {
  const alike = await transaction(ctx, async (tx) => {
    // Two letters swapped in a word of five leave two of ten runs of three letters, in a longer one more.
    const threshold = words.some((word) => word.length <= 5) ? '0.15' : '0.25';
    const sql = Prisma.sql`select set_config('pg_trgm.word_similarity_threshold', ${threshold}, true)`;
    await rows(tx, sql);
    return rows<{ sought: string; parts: string[] }>(tx, wordsLike(tx, words));
  });
  const near = words.flatMap((word) => {
    const letters = [...word];
    return alike
      .filter(({ sought }) => sought === word)
      .map(({ parts }) => ({ word, parts, distance: distanceTo(letters, parts) }))
      .filter(({ distance }) => distance <= allowance(letters.length))
      .sort((a, b) => a.distance - b.distance || a.parts.join('').localeCompare(b.parts.join('')))
      .slice(0, maxNear);
  });
  const seen = await areSeen(
    ctx,
    near.map(({ parts }) => parts.map((part) => inWeights(lexemeQuery(part), 'AB')).join('&')),
  );
  const meant = new Map<string, (readonly string[])[]>();
  for (const [n, { word, parts }] of near.entries()) {
    const before = meant.get(word) ?? [];
    if (seen[n] && before.length < maxMeant) meant.set(word, [...before, parts]);
  }
  return meant;
}

/** How far a word of a title is: a longer one that holds the word is as far as one wrong letter. */
function distanceTo(letters: readonly string[], parts: readonly string[]): number {
  const whole = parts.join('');
  const distance = distanceToStart(letters, [...whole]);
  const near = whole.includes(letters.join('')) ? Math.min(distance, 1) : distance;
  // Of two that are as near, the one of this length was meant.
  return near + Math.min(0.2, Math.max(0, whole.length - letters.length) * 0.02);
}

/** Words of titles that are like those sought; and what is written as one word, where it is two in titles. */
function wordsLike(ctx: Context, words: readonly string[]): Prisma.Sql {
  const known = Prisma.sql`w.workspace_id = ${ctx.workspaceId}::uuid`;
  const alike = words.map(
    (word) => Prisma.sql`(select ${word}::text as sought, array[x.word::text] as parts from (
        select distinct w.word from title_word w where ${known}
          and (${word} <% w.word or w.word like ${`%${word}%`})) x
      order by word_similarity(${word}, x.word) desc, length(x.word), x.word limit ${maxAlike})`,
  );
  const isBegun = Prisma.sql`exists (select from title_word w where ${known}
    and w.word >= s.tail collate "C" and w.word < (s.tail || chr(1114111)) collate "C")`;
  const apart = Prisma.sql`select s.sought, array[s.head, s.tail] from (
      select word as sought, left(word, n) as head, substr(word, n + 1) as tail
      from unnest(${[...words]}::text[]) word, generate_series(${shortestPart}::int, length(word) - ${shortestPart}) n) s
    where exists (select from title_word w where ${known} and w.word = s.head collate "C") and ${isBegun}`;
  return Prisma.join([...alike, apart], ' union all ');
}

function allowance(letters: number): number {
  return (letters < 8 ? 1 : 2) + 0.2;
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
