// The score of a search result, in SQL.

import { Prisma } from '../../generated/prisma/client.ts';
import type { AskedQuery } from './asked.ts';
import { inWeights, type Sought } from './sought.ts';
import { wordsIn } from './word.ts';

/** What each part of a score counts; set on half of the asks of the search bench, and measured on the other half. */
const worth = {
  /** Of words of which only the beginning is as asked. */
  beginning: 0.85,
  /** Of a tag, an owner, a team or a source that a word names. */
  name: 0.7,
  /** How much of the title is words of the query, and of the title with that of its parent. */
  cover: 0.35,
  all: 0.4,
  title: 1.2,
  path: 1,
  /** Of the query as a part of the title. */
  phrase: 0.05,
  usage: 0.3,
  verified: 0.12,
  stale: -0.4,
  /** A copy for staging, or of what was, ties with the table that people mean. */
  copy: -0.06,
  part: -0.12,
} as const;

/** A number in the statement itself: a parameter would be taken for an integer next to one. */
const exactly = (value: number) => Prisma.raw(`(${value})::float8`);

/** Worth of a word in documentation, descriptions, ancestry, titles; and what the best rank is divided by. */
const weights = Prisma.raw(`'{0.12,0.3,0.6,1}'::real[]`);
const bestRank = 1.6449;

/** Words of what is a copy: of a table before it is ready, or as it was. */
const copies = `'stg':AB|'staging':AB|'tmp':AB|'backup':AB|'raw':B|'test':B|'history':B|'nonprod':B`;

/** From this score on all words are in the title and what it lies in. */
export const goodScore = 1.4;

/** Which words a candidate `c` holds, in their order. */
export function foundOf(sought: readonly Sought[]): Prisma.Sql {
  if (sought.length === 0) return Prisma.sql`'{}'::boolean[]`;
  return Prisma.sql`array[${Prisma.join(sought.map(({ any }) => holds(any)))}]`;
}

const holds = (query: string) => Prisma.sql`c.doc @@ ${query}::tsquery`;

/**
 * The score of a candidate `c` with what of the words was found. All needed words count most; then where they stand,
 * each as well as the others; then how much else its title says; use and verification decide among what is alike.
 */
export function scoreOf({ phrase }: AskedQuery, sought: readonly Sought[]): Prisma.Sql {
  const needed = sought.flatMap(({ word }, n) => (word.isNeeded ? [n + 1] : []));
  const counted = needed.map((n) => Prisma.sql`c.found[${Prisma.raw(String(n))}]::int`);
  const found = counted.length > 0 ? Prisma.sql`(${Prisma.join(counted, ' + ')})` : Prisma.sql`0`;
  const part = Prisma.sql`(${found})::float8 / ${Prisma.raw(String(Math.max(1, needed.length)))}`;
  const joined = wordsIn(phrase)
    .map((word) => spelledAs(word, sought))
    .join('');
  const words =
    sought.length === 0
      ? Prisma.sql`0.5`
      : Prisma.sql`case when ${found} = 0 then 0 else power(${part}, 2) * (power(${placesOf(sought)}, 2) + ${coverOf(sought)}) end`;
  return rounded(Prisma.sql`(${words} + ${titleOf(joined, phrase)}
    + case when ${found} = ${Prisma.raw(String(needed.length))} then ${exactly(worth.all)} else 0 end
    + ${exactly(worth.usage)} * (ln(1 + greatest(0, c.external_usage + c.internal_usage))
      / (5 + ln(1 + greatest(0, c.external_usage + c.internal_usage))))
    + ${exactly(worth.verified)} * c.verified::int + ${exactly(worth.stale)} * c.stale::int
    + case when ${holds(copies)} then ${exactly(worth.copy)} else 0 end
    + case when c.kind in ('column', 'event_property', 'question_reply') then ${exactly(worth.part)} else 0 end)`);
}

/** How well a candidate `c` answers by its document and its use alone: most of what the score says, at a tenth of the cost. */
export function coarseOf(sought: readonly Sought[]): Prisma.Sql {
  const usage = Prisma.sql`${exactly(0.1)} * ln(1 + greatest(0, c.external_usage + c.internal_usage)) / 20`;
  const all = sought.map(({ any }) => any).join('|');
  const rank = all === '' ? Prisma.sql`0` : Prisma.sql`ts_rank(${weights}, c.doc, ${all}::tsquery)`;
  return rounded(Prisma.sql`(${rank} + ${usage})`);
}

// A cursor says a score back: it has as many digits as that.
const rounded = (score: Prisma.Sql) => Prisma.sql`(round(${score} * 1e6) / 1e6)::float8`;

/** A word of the query, or the nearest that it may have been meant to be. */
function spelledAs(text: string, sought: readonly Sought[]): string {
  const meant = sought.find(({ word }) => word.text === text)?.meant[0];
  return meant?.join('') ?? text;
}

/** How well the words are placed: of two that are, better than of one that is best placed. */
function placesOf(sought: readonly Sought[]): Prisma.Sql {
  const total = sought.reduce((sum, { weight }) => sum + weight, 0);
  const rank = (query: string) =>
    Prisma.sql`ts_rank(${weights}, c.doc, ${query}::tsquery) * ${exactly(bestRank)}`;
  const parts = sought.map(({ whole, text, kinds, names, weight }) => {
    const places = [
      rank(whole),
      Prisma.sql`${exactly(worth.beginning)} * ${rank(text)}`,
      ...(kinds === '' ? [] : [Prisma.sql`(${holds(kinds)})::int`]),
      ...(names === '' ? [] : [Prisma.sql`${exactly(worth.name)} * (${holds(names)})::int`]),
    ];
    return Prisma.sql`${exactly(weight / total)} * sqrt(least(1, greatest(${Prisma.join(places)})))`;
  });
  return Prisma.sql`(${Prisma.join(parts, ' + ')})`;
}

const signs = Prisma.raw(`'_-./:, '`);
const dense = (text: Prisma.Sql) => Prisma.sql`translate(lower(${text}), ${signs}, '')`;
const lettersOf = (text: Prisma.Sql) => Prisma.sql`length(translate(${text}, ${signs}, ''))`;
const ancestry = Prisma.raw(
  `left(c.title_full, greatest(0, length(c.title_full) - length(c.title) - 1))`,
);

/** How much of the title, and of the title with its parent's, is words of the query. */
function coverOf(sought: readonly Sought[]): Prisma.Sql {
  const letters = (weight: 'A' | 'AB') =>
    Prisma.join(
      sought.map(
        ({ word, text }) =>
          Prisma.sql`${Prisma.raw(String(word.text.length))} * (${holds(inWeights(text, weight))})::int`,
      ),
      ' + ',
    );
  const title = lettersOf(Prisma.sql`c.title`);
  const parent = lettersOf(Prisma.sql`substring(${ancestry} from '[^.]*$')`);
  return Prisma.sql`${exactly(worth.cover)} * (least(1, (${letters('A')})::float8 / greatest(1, ${title}))
    + least(1, (${letters('AB')})::float8 / greatest(1, ${title} + ${parent})))`;
}

/** The title is the query, or the title with what it lies in ends with it; whatever stands between the words. */
function titleOf(joined: string, phrase: string): Prisma.Sql {
  if (joined === '') {
    return Prisma.sql`case when lower(c.title) = lower(${phrase}) then ${exactly(worth.title)} else 0 end`;
  }
  const title = dense(Prisma.sql`c.title`);
  return Prisma.sql`case when ${title} = ${joined} or lower(c.title) = lower(${phrase}) then ${exactly(worth.title)}
    when length(${joined}) > length(${title})
      and right(${dense(Prisma.sql`c.title_full`)}, length(${joined})) = ${joined} then ${exactly(worth.path)}
    when strpos(${title}, ${joined}) > 0 then ${exactly(worth.phrase)} else 0 end`;
}
