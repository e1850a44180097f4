// Search: what of the catalog answers a few words, the best of it first.

import { isAllowed, visibleTeams } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { rows } from '../../database/rows.ts';
import { invalidField } from '../../errors.ts';
import { Prisma, type Resource } from '../../generated/prisma/client.ts';
import { idsIn } from '../../lists/filter-value.ts';
import { defaultPageSize, maxPageSize } from '../../lists/page.ts';
import { checkText } from '../../text/text.ts';
import { isUuid } from '../../text/uuid.ts';
import type { Kind } from '../kind.ts';
import { usersAmong } from '../seen.ts';
import { type Shown, shownColumns } from '../shown.ts';
import { guessedHits, hitsOf } from './match.ts';
import type { Narrowing, Terms } from './terms.ts';
import { guessTitles, noGuesses } from './typo.ts';

/** What to search for, and where. Absent, null or empty filters nothing. */
export interface SearchQuery {
  /** 1 to 200 characters. */
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
}

/** A resource that answers the search. */
export interface SearchHit {
  readonly resource: Resource;
  /**
   * The whole part says how it was found: 6 by its exact title, 5 by how its title starts, 4 by a
   * part of it, 3 by words of it, 2 by its description, 1 by its documentation, 0 by a title of
   * nearly these letters. The fraction is its weight among those: verified, used, close in length.
   */
  readonly score: number;
  readonly cursor: string;
  readonly terms: Terms;
}

/** How many of the hits share a value. */
export interface FacetCount {
  /** The value as filters take it: a kind, or an id. */
  readonly value: string;
  /** What people call it. */
  readonly label: string;
  readonly count: number;
}

const facetNames = ['kind', 'integration', 'tag', 'team', 'owner'] as const;
export type Facets = Readonly<Record<(typeof facetNames)[number], readonly FacetCount[]>>;

/** One page of what was found. */
export interface SearchPage {
  readonly hits: readonly SearchHit[];
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  readonly total: number;
  /** True when more matches than are ranked: the total is then a lower bound. */
  readonly isCapped: boolean;
  /**
   * The most frequent values among all hits, as far as the viewer may know what has them. One statement,
   * run once at most.
   */
  readonly facets: () => Promise<Facets>;
}

const fullName = Prisma.raw(
  "coalesce(nullif(btrim(x.first_name || ' ' || x.last_name), ''), x.email)",
);

const maxQuery = 200;
const maxWords = 10;
const maxFacetValues = 50;
/** With fewer hits than this, titles that differ by a typo are looked for, too. */
const fewHits = 10;
/** The score from which on a title is the query itself. */
const exactScore = 6;

/**
 * Search what the viewer may see, without what is archived. Throws BAD_REQUEST for a query that is
 * empty, too long or no text, and for a page out of range.
 */
export async function search(ctx: Context, query: SearchQuery): Promise<SearchPage> {
  const terms = termsOf(query.query);
  const asked = { size: sizeOf(query.first), after: cursorOf(query.after), shown: query.shown };
  const { size, after } = asked;
  const narrowing = narrowingOf(query);
  const literalHits = hitsOf(ctx, terms, narrowing, noGuesses);
  const literal = await readPage(ctx, literalHits, asked);
  const isGuessed = literal.total < fewHits && literal.best < exactScore;
  const guesses = isGuessed ? await guessTitles(ctx, terms.words, narrowing) : noGuesses;
  const hits =
    literal.total === 0 ? guessedHits(ctx, guesses) : hitsOf(ctx, terms, narrowing, guesses);
  const page = guesses.near.length === 0 ? literal : await readPage(ctx, hits, asked);
  let reading: Promise<Facets> | undefined;
  return {
    hits: page.found.slice(0, size).map((resource) => ({
      resource,
      score: resource.score,
      cursor: JSON.stringify([resource.score, resource.id]),
      terms,
    })),
    hasNextPage: page.found.length > size,
    hasPreviousPage: after !== null,
    total: page.total,
    isCapped: page.isCapped,
    facets: () => {
      reading ??= readFacets(ctx, hits);
      return reading;
    },
  };
}

function termsOf(query: string): Terms {
  const phrase = checkText('query', query, maxQuery).normalize('NFC').trim();
  if (phrase === '') throw invalidField('query', 'Say what to search for.');
  const words = phrase.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  return { phrase, words: [...new Set(words)].slice(0, maxWords) };
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

function narrowingOf({ kinds, integrationIds, tagIds, teamIds, ownerIds }: SearchQuery): Narrowing {
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
  readonly shown: Shown | undefined;
}

type FoundResource = Resource & { readonly score: number };

interface Totals {
  readonly total: number;
  readonly isCapped: boolean;
  /** The score of the best hit of all pages, 0 where there is none. */
  readonly best: number;
}

interface FoundPage extends Totals {
  /** One more than the page holds where there is a next one. */
  readonly found: readonly FoundResource[];
}

async function readPage(
  ctx: Context,
  hits: Prisma.Sql,
  { size, after, shown }: AskedPage,
): Promise<FoundPage> {
  const beyond = after
    ? Prisma.sql`(h.score < ${after.score}::float8
        or (h.score = ${after.score}::float8 and h.id > ${after.id}::uuid))`
    : Prisma.sql`true`;
  // The outer join keeps the totals where the page is empty.
  const read = await rows<Totals & (FoundResource | { id: null })>(
    ctx,
    Prisma.sql`with ${hits}
      select s.total, s."isCapped", s.best, p.score, ${shownColumns(shown)}
      from (select (select count(*) from hits) as total,
          (select coalesce(max(score), 0) from hits) as best, k.is_capped as "isCapped"
        from ranked k) s
      left join (select h.id, h.score from hits h where ${beyond}
        order by h.score desc, h.id limit ${size + 1}) p on true
      left join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = p.id
      order by p.score desc, p.id`,
  );
  const [first] = read;
  return {
    total: first?.total ?? 0,
    isCapped: first?.isCapped ?? false,
    best: first?.best ?? 0,
    found: read.filter((row): row is typeof row & FoundResource => row.id !== null),
  };
}

async function readFacets(ctx: Context, hits: Prisma.Sql): Promise<Facets> {
  const named = (table: string) => Prisma.raw(`${table} x on x.workspace_id = h.workspace_id`);
  const mayName = isAllowed(ctx, 'read integrations');
  const found = await rows<FacetCount & { facet: string }>(
    ctx,
    Prisma.sql`with ${hits}, h as materialized (
        select r.workspace_id, r.kind, r.integration_id, r.tag_ids, r.team_ids, r.owner_ids
        from hits join resource r on r.workspace_id = ${ctx.workspaceId}::uuid and r.id = hits.id),
      counts as (
        select 'kind' as facet, h.kind as value, h.kind as label, count(*) as count
          from h group by h.kind
        union all
        select 'integration', x.id::text, x.name, count(*) from h
          join ${named('integration')} and x.id = h.integration_id and ${mayName}::boolean
          group by x.id, x.name
        union all
        select 'tag', x.id::text, x.name, count(*) from h
          join ${named('tag')} and x.id = any(h.tag_ids) group by x.id, x.name
        union all
        select 'team', x.id::text, x.name, count(*) from h
          join ${named('team')} and x.id = any(h.team_ids) and ${visibleTeams(ctx, 'x')}
          group by x.id, x.name
        union all
        select 'owner', x.id::text, ${fullName}, count(*) from h
          join ${named('user_account')} and x.id = any(${usersAmong(ctx, Prisma.sql`h.owner_ids`)})
          group by x.id, x.first_name, x.last_name, x.email),
      placed as (
        select *, row_number() over (partition by facet order by count desc, label, value) as place
          from counts)
      select facet, value, label, count from placed where place <= ${maxFacetValues}
        order by facet, place`,
  );
  const of = (name: (typeof facetNames)[number]) =>
    found
      .filter(({ facet }) => facet === name)
      .map(({ value, label, count }) => ({ value, label, count }));
  return {
    kind: of('kind'),
    integration: of('integration'),
    tag: of('tag'),
    team: of('team'),
    owner: of('owner'),
  };
}
