// Search: what of the catalog answers a few words, the best of it first.

import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { idsIn } from '../../lists/filter-value.ts';
import { defaultPageSize, maxPageSize } from '../../lists/page.ts';
import { checkText } from '../../text/text.ts';
import { isUuid } from '../../text/uuid.ts';
import type { Kind } from '../kind.ts';
import { type Shown, shownColumns } from '../shown.ts';
import { type AskedQuery, askedOf } from './asked.ts';
import { hitsOf, type Search } from './candidates.ts';
import { namedBy } from './facet-names.ts';
import { type Facets, readFacets } from './facets.ts';
import { type MatchedField, readMatched } from './matched.ts';
import { type Given, narrowingOf, type ReadFilter } from './narrowing.ts';
import { meantBy } from './respelled.ts';
import { goodScore } from './score.ts';
import { type Sought, soughtOf, spelledOtherwise } from './sought.ts';
import { suggestionOf } from './suggestion.ts';

/** What to search for, and where. Absent, null or empty filters nothing. */
export interface SearchQuery {
  /** Words and filters, up to 200 characters; it may be empty where the others say what is searched for. */
  readonly query: string;
  readonly kinds?: readonly Kind[] | null | undefined;
  readonly integrationIds?: readonly string[] | null | undefined;
  readonly tagIds?: readonly string[] | null | undefined;
  readonly teamIds?: readonly string[] | null | undefined;
  readonly ownerIds?: readonly string[] | null | undefined;
  /** Hits on a page: 0 to 1,000; 50 by default. */
  readonly first?: number | null | undefined;
  readonly after?: string | null | undefined;
  /** Columns of the hits that are read; all where nothing is said. */
  readonly shown?: Shown;
  /** Whether facets may be asked for: the ids of all hits are then read, unless said otherwise. */
  readonly hasFacets?: boolean;
}

/** A resource that answers the search. */
export interface SearchHit {
  readonly resource: Resource;
  /** How well it answers, to be compared with other hits of this search alone. */
  readonly score: number;
  readonly cursor: string;
  /** What was looked for, so that it can be marked. */
  readonly sought: readonly Sought[];
  readonly phrase: string;
  /** Where it holds what was looked for: of all hits of the page in one statement, run once at most. */
  readonly matchedFields: () => Promise<readonly MatchedField[]>;
}

/** One page of what was found. */
export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly total: number;
  /** True when more matches than are ranked: the total is then a lower bound. */
  readonly isCapped: boolean;
  /** True where no hit has all words, and these are hits of some of them. */
  readonly isPartial: boolean;
  /** Of those, the words that the best hit lacks. */
  readonly missingWords: readonly string[];
  /** The query with words spelled as the best hit has them, where it was found so. */
  readonly suggestion: string | null;
  /** The filters of the query as they were understood. */
  readonly filters: readonly ReadFilter[];
  /** What is wrong with the filters, and what may have been meant. */
  readonly hints: readonly string[];
  /**
   * The most frequent values among all hits, as far as the viewer may know what has them. One statement,
   * run once at most.
   */
  readonly facets: () => Promise<Facets>;
}

const maxQuery = 200;
/** With fewer hits than this, other spellings are looked for, too. */
const fewHits = 10;

/**
 * Search what the viewer may see, without what is archived. Throws BAD_REQUEST for a query that is
 * empty, too long or no text, and for a page out of range.
 */
export async function search(ctx: Context, query: SearchQuery): Promise<SearchPage> {
  const given = givenOf(query);
  const text = textOf(
    query.query,
    Object.values(given).some((only) => only !== null),
  );
  const { shown: columns, hasFacets = true } = query;
  const page = { size: sizeOf(query.first), after: cursorOf(query.after), columns, hasFacets };
  const asked = askedOf(text);
  const named = await namedBy(ctx, asked);
  const narrowing = await narrowingOf(ctx, given, asked.filters, named);
  const sought = asked.words.map((word) => soughtOf(word, named));
  const needed = sought.filter(({ word }) => word.isNeeded).length;
  const answer = await answerOf(ctx, { asked, sought, narrowing, least: needed }, page);
  const { found, best } = answer;
  const suggestion = best && (await suggestionOf(ctx, text, best.id, answer.search.sought));
  const missing = missingOf(asked, best);
  const shown = found.slice(0, page.size);
  let matched: Promise<ReadonlyMap<string, readonly MatchedField[]>> | undefined;
  let facets: Promise<Facets> | undefined;
  return {
    hits: shown.map((resource) => ({
      resource,
      score: resource.score,
      cursor: JSON.stringify([resource.score, resource.id]),
      sought: answer.search.sought,
      phrase: asked.phrase,
      matchedFields: async () => {
        matched ??= readMatched(
          ctx,
          shown.map(({ id }) => id),
          answer.search.sought,
        );
        return (await matched).get(resource.id) ?? [];
      },
    })),
    hasNextPage: found.length > page.size,
    hasPreviousPage: page.after !== null,
    total: answer.total,
    isCapped: answer.isCapped,
    isPartial: missing.length > 0,
    missingWords: missing,
    suggestion,
    filters: narrowing.filters,
    hints: narrowing.hints,
    facets: () => {
      facets ??= readFacets(ctx, answer.ids);
      return facets;
    },
  };
}

interface Answer extends FoundPage {
  readonly search: Search;
}

/**
 * The steps of a search: all words; these spelled otherwise; fewer of them. Each is taken only where the ones before
 * found little, and adds to what they found.
 */
async function answerOf(ctx: Context, first: Search, page: AskedPage): Promise<Answer> {
  let answer = await readAnswer(ctx, first, page);
  const needed = first.least;
  if (needed === 0 || answer.total >= fewHits || (answer.best?.score ?? 0) >= goodScore)
    return answer;
  const meant = await meantBy(ctx, first.sought, answer.total === 0);
  let search = first;
  if (meant.size > 0) {
    const sought = first.sought.map((one) => {
      const parts = meant.get(one.word.text);
      return parts ? spelledOtherwise(one, parts) : one;
    });
    search = { ...first, sought };
    answer = await readAnswer(ctx, search, page);
  }
  for (const least of fewerOf(needed)) {
    if (answer.total > 0) break;
    answer = await readAnswer(ctx, { ...search, least }, page);
  }
  return answer;
}

/** All but one of the words, and any of them. */
function fewerOf(needed: number): readonly number[] {
  return [...new Set([needed - 1, 1])].filter((least) => least >= 1 && least < needed);
}

async function readAnswer(ctx: Context, search: Search, page: AskedPage): Promise<Answer> {
  const hits = hitsOf(ctx, search);
  return { ...(await readPage(ctx, hits, page)), search };
}

/** The needed words that the best hit lacks. */
function missingOf({ words }: AskedQuery, best: Best | null): string[] {
  if (!best) return [];
  return words.flatMap(({ text, isNeeded }, n) => (isNeeded && !best.found[n] ? [text] : []));
}

function textOf(query: string, isNarrowed: boolean): string {
  const text = checkText('query', query, maxQuery).normalize('NFC').trim();
  if (text === '' && !isNarrowed) throw invalidField('query', 'Say what to search for.');
  return text;
}

function sizeOf(first: number | null | undefined): number {
  if (first == null) return defaultPageSize;
  if (Number.isInteger(first) && first >= 0 && first <= maxPageSize) return first;
  throw invalidField('first', `Use an integer from 0 to ${maxPageSize}, not ${first}.`);
}

interface Cursor {
  readonly score: number;
  readonly id: string;
}

function cursorOf(after: string | null | undefined): Cursor | null {
  if (after == null) return null;
  try {
    const keys: unknown = JSON.parse(after);
    if (Array.isArray(keys)) {
      const [score, id]: unknown[] = keys;
      if (typeof score === 'number' && typeof id === 'string' && isUuid(id)) return { score, id };
    }
  } catch {
    // Falls through to the one message below.
  }
  throw invalidField('after', 'This is not a cursor of this search; take one from pageInfo.');
}

function givenOf({ kinds, integrationIds, tagIds, teamIds, ownerIds }: SearchQuery): Given {
  const ids = (field: string, set: readonly string[] | null | undefined) =>
    set && set.length > 0 ? idsIn(field, set) : null;
  return {
    kinds: kinds && kinds.length > 0 ? kinds : null,
    integrationIds: ids('integrationIds', integrationIds),
    tagIds: ids('tagIds', tagIds),
    teamIds: ids('teamIds', teamIds),
    ownerIds: ids('ownerIds', ownerIds),
  };
}

/** Which page of the hits is read, and which columns of them. */
interface AskedPage {
  readonly size: number;
  readonly after: Cursor | null;
  readonly columns: Shown | undefined;
  readonly hasFacets: boolean;
}

type FoundResource = Resource & { readonly score: number };

/** The best hit of all pages. */
interface Best {
  readonly id: string;
  readonly score: number;
  /** Which of the words it holds. */
  readonly found: readonly boolean[];
}

interface FoundPage {
  readonly total: number;
  readonly isCapped: boolean;
  readonly best: Best | null;
  /** All hits, where facets are asked for. */
  readonly ids: readonly string[];
  /** One more than the page holds where there is a next one. */
  readonly found: readonly FoundResource[];
}

interface Totals {
  readonly total: number;
  readonly isCapped: boolean;
  readonly bestId: string | null;
  readonly bestScore: number | null;
  readonly bestFound: boolean[] | null;
  readonly ids: string[] | null;
}

async function readPage(
  ctx: Context,
  hits: Prisma.Sql,
  { size, after, columns, hasFacets }: AskedPage,
): Promise<FoundPage> {
  const beyond = after
    ? Prisma.sql`(h.score < ${after.score}::float8
        or (h.score = ${after.score}::float8 and h.id > ${after.id}::uuid))`
    : Prisma.sql`true`;
  const ids = hasFacets ? Prisma.sql`(select array_agg(id) from hits)` : Prisma.sql`'{}'::uuid[]`;
  // The outer joins keep the totals where the page is empty.
  const read = await rows<Totals & (FoundResource | { id: null })>(
    ctx,
    Prisma.sql`with ${hits}
      select s.total, s."isCapped", b.id as "bestId", b.score as "bestScore", b.found as "bestFound",
        b.ids, p.score, ${shownColumns(columns)}
      from (select (select count(*) from hits) as total, k.is_capped as "isCapped" from ranked k) s
      left join (select *, ${ids} as ids from hits order by score desc, id limit 1) b on true
      left join (select h.id, h.score from hits h where ${beyond}
        order by h.score desc, h.id limit ${size + 1}) p on true
      left join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = p.id
      order by p.score desc, p.id`,
  );
  const [first] = read;
  const { bestId = null, bestScore = null, bestFound = null } = first ?? {};
  return {
    total: first?.total ?? 0,
    isCapped: first?.isCapped ?? false,
    ids: first?.ids ?? [],
    best: bestId === null ? null : { id: bestId, score: bestScore ?? 0, found: bestFound ?? [] },
    found: read.filter((row): row is typeof row & FoundResource => row.id !== null),
  };
}
