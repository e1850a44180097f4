// Score of a search result, in SQL.

import { Prisma } from '../../generated/prisma/client.ts';
import type { Terms } from './terms.ts';

/** The score of a resource `r` that was found by its title. */
export function titleScore(terms: Terms): Prisma.Sql {
  return rounded(Prisma.sql`${titleTier(terms)} + ${weight(closeness(terms))}`);
}

/** The score of a resource `r` that was found by a text: 2 for its description, 1 for its documentation. */
export function textScore(terms: Terms, tier: 2 | 1): Prisma.Sql {
  return rounded(Prisma.sql`${tier}::int + ${weight(closeness(terms))}`);
}

/** The score of a resource `r` whose title is nearly what was searched for, from 0 to 1. */
export function guessScore(nearness: Prisma.Sql): Prisma.Sql {
  return rounded(weight(nearness));
}

// A cursor says a score back: it has as many digits as that.
function rounded(score: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`round((${score})::numeric, 6)::float8`;
}

/** A title, or the phrase, with one space for whatever stands between its words. */
const inWords = (text: Prisma.Sql) =>
  Prisma.sql`btrim(regexp_replace(lower(${text}), '[^[:alnum:]]+', ' ', 'g'))`;

/** That the full title is the phrase, or ends with it. */
export function isFullTitle({ phrase }: Terms): Prisma.Sql {
  return Prisma.sql`(lower(r.title_full) = lower(${phrase})
    or right(lower(r.title_full), length(lower(${phrase})) + 1) = '.' || lower(${phrase}))`;
}

/** 6 to 3: how the title holds the phrase. */
function titleTier(terms: Terms): Prisma.Sql {
  const { phrase, words } = terms;
  const isOneWord = words.length === 1 && words[0] === phrase.toLowerCase();
  // A word is a part of the title as it stands; only of a phrase it matters what is between words.
  const parts = isOneWord || words.length === 0 ? Prisma.sql`3` : wordTier(phrase);
  const isPart = Prisma.sql`strpos(lower(r.title), lower(${phrase})) > 0`;
  return Prisma.sql`case
    when lower(r.title) = lower(${phrase}) or ${isFullTitle(terms)} then 6
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

const closeness = ({ phrase }: Terms) =>
  Prisma.sql`least(1, length(${phrase})::float8 / greatest(1, length(r.title)))`;

/** From 0 to less than 1: it orders what was found alike and lifts nothing above what is better. */
function weight(nearness: Prisma.Sql): Prisma.Sql {
  const usage = Prisma.sql`ln(1 + greatest(0, r.external_usage + r.internal_usage))`;
  return Prisma.sql`(0.3 * r.verified::int + 0.4 * (${usage} / (5 + ${usage}))
    + 0.1 * (r.kind not in ('column', 'event_property'))::int + 0.1 * ${nearness})`;
}
