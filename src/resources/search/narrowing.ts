// Narrowing of a search: filters of its query and of its arguments, as conditions on resources and as marks of documents.

import { visibleResources } from '../../auth/permission.ts';
import type { Context } from '../../context.ts';
import { Prisma } from '../../generated/prisma/client.ts';
import { nearest } from '../../text/nearest.ts';
import { isKind, type Kind, kindNames } from '../kind.ts';
import { teamsAmong, usersAmong } from '../seen.ts';
import type { AskedFilter } from './asked.ts';
import { type Named, namesOf } from './facet-names.ts';
import { type Conditions, states, things } from './filter-values.ts';
import { kindsNamed, nativeTypes } from './vocabulary.ts';
import { singular, wordsIn } from './word.ts';

/** Where to search; null for everywhere. */
export interface Given {
  readonly kinds: readonly Kind[] | null;
  readonly integrationIds: readonly string[] | null;
  readonly tagIds: readonly string[] | null;
  readonly teamIds: readonly string[] | null;
  readonly ownerIds: readonly string[] | null;
}

/** A filter of a query as it was understood. */
export interface ReadFilter {
  readonly key: string;
  readonly value: string;
  readonly isNot: boolean;
  /** As it was typed. */
  readonly text: string;
}

/** Where a search looks. */
export interface Narrowing {
  /** What holds for each hit, alias `r`: what the viewer may see, and all filters. */
  readonly holds: Prisma.Sql;
  /** What the index of documents knows of that, as parts of a tsquery that all hold. */
  readonly marks: readonly string[];
  /** Whether the marks say all of it: what has them holds. */
  readonly isMarked: boolean;
  readonly filters: readonly ReadFilter[];
  /** What is wrong with values that are not known. */
  readonly hints: readonly string[];
}

/** A part of a condition: in SQL, and as far as documents know it. */
interface Part {
  readonly holds: Prisma.Sql;
  readonly marks?: readonly string[];
  /** False where the marks find more than it holds for. */
  readonly isSaid?: boolean;
}

/** A mark of a document: which it is stands in the migration that made them. */
export const markOf = (letter: 'i' | 't' | 'o' | 'm' | 'w', id: string) =>
  `'${letter}:${id.slice(-8)}'`;

/** Where the viewer looks, with the filters of the query and of the arguments. */
export async function narrowingOf(
  ctx: Context,
  given: Given,
  filters: readonly AskedFilter[],
  named: readonly Named[],
): Promise<Narrowing> {
  const parts = [...sightOf(ctx), ...givenParts(ctx, given)];
  const read: ReadFilter[] = [];
  const hints: string[] = [];
  for (const filter of filters) {
    const { key, values, isNot, text } = filter;
    const known = values.flatMap((value) => partOf(ctx, key, value, named) ?? []);
    if (known.length < values.length) hints.push(await hintOf(ctx, filter, named));
    const holds = Prisma.sql`(${Prisma.join(known.length > 0 ? known.map((one) => one.holds) : [Prisma.sql`false`], ' or ')})`;
    parts.push(isNot ? { holds: Prisma.sql`not coalesce(${holds}, false)` } : anyOf(holds, known));
    read.push({ key, value: values.join(','), isNot, text });
  }
  return {
    holds: Prisma.join(
      parts.map(({ holds }) => holds),
      ' and ',
    ),
    isMarked: parts.every(({ marks, isSaid = true }) => marks !== undefined && isSaid),
    marks: parts.flatMap(({ marks = [] }) => (marks.length > 0 ? [`(${marks.join('|')})`] : [])),
    filters: read,
    hints,
  };
}

/** One of some parts holds; the marks are those of all, where each has some. */
function anyOf(holds: Prisma.Sql, parts: readonly Part[]): Part {
  if (parts.length === 0 || parts.some(({ marks = [] }) => marks.length === 0)) return { holds };
  return {
    holds,
    marks: parts.flatMap(({ marks = [] }) => marks),
    isSaid: parts.every(({ isSaid = true }) => isSaid),
  };
}

/** What the viewer may see: the condition decides, the marks find it sooner. */
function sightOf(ctx: Context): Part[] {
  const { role, teamIds } = ctx.viewer;
  const holds = Prisma.sql`not r.archived and ${visibleResources(ctx)}`;
  switch (role) {
    case 'admin':
    case 'editor':
      return [{ holds, marks: [] }];
    case 'viewer':
      return [{ holds, marks: [`'p'`] }];
    case 'guest':
      return [
        { holds, marks: teamIds.length > 0 ? teamIds.map((id) => markOf('m', id)) : [`'-'`] },
      ];
  }
}

function givenParts(ctx: Context, given: Given): Part[] {
  const { kinds, integrationIds, tagIds, teamIds, ownerIds } = given;
  const ids = (all: readonly string[]) => Prisma.sql`${[...all]}::uuid[]`;
  return [
    ...(kinds ? [ofKinds(kinds)] : []),
    ...(integrationIds ? [ofSources(integrationIds)] : []),
    ...(tagIds ? [withTags(tagIds)] : []),
    ...(teamIds ? [ofTeams(ctx, teamIds)] : []),
    ...(ownerIds
      ? [
          {
            holds: Prisma.sql`r.owner_ids && ${usersAmong(ctx, ids(ownerIds))}`,
            marks: ownerIds.map((id) => markOf('o', id)),
            isSaid: false,
          },
        ]
      : []),
  ];
}

const ofKinds = (kinds: readonly Kind[]): Part => ({
  holds: Prisma.sql`r.kind = any(${[...kinds]}::text[])`,
  marks: kinds.map((kind) => `'k:${kind}'`),
});

const ofNativeType = (type: string): Part => ({
  holds: Prisma.sql`lower(r.native_type) = ${type}`,
  marks: /^[a-z0-9_ ]+$/.test(type) ? [`'n:${type.slice(0, 40)}'`] : [],
});

const withTags = (ids: readonly string[]): Part => ({
  holds: Prisma.sql`r.tag_ids && ${[...ids]}::uuid[]`,
  marks: ids.map((id) => markOf('t', id)),
});

/** What one of the integrations describes. */
const ofSources = (ids: readonly string[]): Part => ({
  holds: Prisma.sql`(r.integration_id = any(${[...ids]}::uuid[]) or r.source_ids && ${[...ids]}::uuid[])`,
  marks: ids.map((id) => markOf('i', id)),
});

const ofTeams = (ctx: Context, ids: readonly string[]): Part => ({
  holds: Prisma.sql`r.team_ids && ${teamsAmong(ctx, Prisma.sql`${[...ids]}::uuid[]`)}`,
  marks: ids.map((id) => markOf('m', id)),
  isSaid: false,
});

/** One value of a filter; null where it names nothing that is known. */
function partOf(
  ctx: Context,
  key: AskedFilter['key'],
  value: string,
  named: readonly Named[],
): Part | null {
  const ids = () => idsNamed(key, value, named);
  const folded = value.toLowerCase();
  switch (key) {
    case 'kind':
      return kindPart(folded);
    case 'tag': {
      const tags = ids();
      return tags.length > 0 ? withTags(tags) : null;
    }
    case 'team': {
      const teams = ids();
      return teams.length > 0 ? ofTeams(ctx, teams) : null;
    }
    case 'owner': {
      const owners = ids();
      if (owners.length === 0) return null;
      const array = Prisma.sql`${owners}::uuid[]`;
      return {
        holds: Prisma.sql`(r.owner_ids && ${array} or r.owner_group_ids && ${array})`,
        marks: owners.map((id) => markOf('o', id)),
      };
    }
    case 'source': {
      const sources = ids();
      return sources.length > 0 ? ofSources(sources) : null;
    }
    case 'in':
      return {
        holds: Prisma.sql`strpos('.' || lower(left(r.title_full, greatest(0, length(r.title_full) - length(r.title)))), ${`.${folded}.`}) > 0`,
      };
    case 'title':
      return { holds: Prisma.sql`strpos(lower(r.title), ${folded}) > 0` };
    case 'description':
      return { holds: Prisma.sql`strpos(lower(r.description), ${folded}) > 0` };
    case 'column':
      return {
        holds: Prisma.sql`exists (select from resource k where k.workspace_id = r.workspace_id and k.parent_id = r.id
          and k.kind in ('column', 'event_property') and not k.archived and ${visibleResources(ctx, 'k')}
          and strpos(lower(k.title), ${folded}) > 0)`,
      };
    case 'is':
      return holding(states, folded);
    case 'has':
      return holding(things(ctx), singular(folded));
    case 'no': {
      const thing = holding(things(ctx), singular(folded));
      return thing && { holds: Prisma.sql`not coalesce(${thing.holds}, false)` };
    }
  }
}

function kindPart(value: string): Part | null {
  const name = value.replaceAll(' ', '_');
  if (isKind(name)) return ofKinds([name]);
  const one = singular(name);
  if (isKind(one)) return ofKinds([one]);
  if (nativeTypes.has(one)) return ofNativeType(one);
  const kinds = kindsNamed(one);
  return kinds.length > 0 ? ofKinds(kinds) : null;
}

/** What a value names: all of its words are in the name; whose name it is, if one is just so. */
function idsNamed(key: string, value: string, named: readonly Named[]): string[] {
  const words = wordsIn(value);
  const fitting = named.filter(
    (one) =>
      one.facet === key && words.length > 0 && words.every((word) => one.words.includes(word)),
  );
  const same = fitting.filter(({ name }) => wordsIn(name).join(' ') === words.join(' '));
  return (same.length > 0 ? same : fitting).map(({ id }) => id);
}

function holding(conditions: Conditions, name: string): Part | null {
  const holds = Object.hasOwn(conditions, name) ? conditions[name] : undefined;
  return holds ? { holds } : null;
}

async function hintOf(
  ctx: Context,
  { key, values }: AskedFilter,
  named: readonly Named[],
): Promise<string> {
  const unknown = values.filter((value) => partOf(ctx, key, value, named) === null);
  const allowed = await valuesOf(ctx, key);
  const meant = unknown.map((value) => nearest(value, allowed)).filter((one) => one !== undefined);
  const said = `No ${key} is ${unknown.map((value) => `"${value}"`).join(' or ')}.`;
  if (meant.length > 0)
    return `${said} Did you mean ${meant.map((one) => `${key}:${quoted(one)}`).join(' or ')}?`;
  const isShort = allowed.length > 0 && allowed.length <= 20;
  return isShort ? `${said} Use one of ${allowed.join(', ')}.` : said;
}

const quoted = (value: string) => (/^[\w-]+$/.test(value) ? value : `"${value}"`);

async function valuesOf(ctx: Context, key: AskedFilter['key']): Promise<readonly string[]> {
  switch (key) {
    case 'kind':
      return kindNames;
    case 'is':
      return Object.keys(states);
    case 'has':
    case 'no':
      return Object.keys(things(ctx));
    case 'tag':
    case 'team':
    case 'owner':
    case 'source':
      return namesOf(ctx, key);
    default:
      return [];
  }
}
