// Typed filters: `{ kind: { in: [table] }, or: [...] }` as a condition, member by member.

import { Prisma } from '../generated/prisma/client.ts';
import { isUuid, notAnId } from '../text/uuid.ts';
import type { FilterField, FilterFields } from './field.ts';
import {
  conditionOn,
  type Filter,
  isEstimable,
  maxTerms,
  type operators,
  parseSort,
} from './filter.ts';
import { wrong } from './filter-value.ts';
import type { Listing, SortTerm } from './listing.ts';

/** A member that is a field of the row itself. */
interface OwnField {
  readonly field: FilterField;
}

/** A member that is a column, or an expression, of the listing. */
export function column(sql: string, type: FilterField['type'] = 'text'): OwnField {
  return { field: { sql: Prisma.raw(sql), type } };
}

/** A column that each row has a value in. */
export function required(sql: string, type: FilterField['type'] = 'text'): OwnField {
  return { field: { sql: Prisma.raw(sql), type, always: true } };
}

/** The fields of some members by their names, to be ordered by. */
export function fieldsOf(members: Readonly<Record<string, OwnField>>): FilterFields {
  return Object.fromEntries(Object.entries(members).map(([name, { field }]) => [name, field]));
}

/** A member that is another thing, which the listing has joined to the row. */
interface Joined {
  readonly joined: Members;
}

/** A member that is a set of ids: what is asked of the things that they name. */
interface SetOfThings {
  /** The array of ids, as a field: it says which of them the viewer may know of. */
  readonly field: FilterField;
  /** The table of the things with the alias that `members` speak of. */
  readonly from: Prisma.Sql;
  /** Which of them belong to the workspace, and the viewer may know of. */
  readonly seen: Prisma.Sql;
  /** The id of such a thing. */
  readonly id: Prisma.Sql;
  readonly members: Members;
}

/** A member with a condition of its own, on the id that it is given. */
interface OfId {
  readonly holds: (id: string) => Prisma.Sql;
}

/** A member that is one of many fields, each of which goes by an id. */
interface FieldOfId {
  /** What the condition calls the id, next to `value` and `isSet`. */
  readonly idName: string;
  readonly fieldOf: (id: string) => FilterField;
}

/** What a member of a typed filter stands for. */
export type FilterMember = OwnField | Joined | SetOfThings | OfId | FieldOfId;

/** The members of a typed filter, by their names. */
export type Members = Readonly<Record<string, FilterMember>>;

const maxDepth = 10;
const maxConditions = 100;

interface Compiling {
  readonly named: Set<string>;
  conditions: number;
  isEstimable: boolean;
}

/**
 * Compile a typed filter, whose members hold together; a member that is null or absent asks for nothing.
 * `and`, `or` and `not` nest to 10 levels, with 100 conditions in all. Throws BAD_REQUEST that names the
 * member, such as `where.or[1].owners.some.id.eq`, and what is allowed.
 */
export function compileWhere(given: unknown, members: Members, path = 'where'): Filter {
  const compiling: Compiling = { named: new Set(), conditions: 0, isEstimable: true };
  const where = allOf(given, members, path, 1, compiling);
  return { where, fields: compiling.named, isEstimable: compiling.isEstimable };
}

/** All members of an object hold. */
function allOf(
  given: unknown,
  members: Members,
  path: string,
  depth: number,
  compiling: Compiling,
): Prisma.Sql {
  if (depth > maxDepth) throw wrong(path, `Filters nest to ${maxDepth} levels at most.`);
  const parts = entriesOf(given, path).map(([name, value]) => {
    const at = `${path}.${name}`;
    if (name === 'and' || name === 'or') {
      return joined(name, value, members, at, depth, compiling);
    }
    if (name === 'not') return not(allOf(value, members, at, depth + 1, compiling));
    const member = Object.hasOwn(members, name) ? members[name] : undefined;
    if (!member)
      throw wrong(at, `Use one of ${[...Object.keys(members), 'and', 'or', 'not'].join(', ')}.`);
    compiling.named.add(name);
    return conditionOf(member, value, at, depth, compiling);
  });
  if (parts.length > 0) return Prisma.sql`(${Prisma.join(parts, ' and ')})`;
  // A filter that asks for nothing is read as any other.
  count(path, compiling);
  return Prisma.sql`true`;
}

function count(path: string, compiling: Compiling): void {
  compiling.conditions += 1;
  if (compiling.conditions <= maxConditions) return;
  throw wrong(path, `A filter has ${maxConditions} conditions at most.`);
}

function joined(
  joiner: 'and' | 'or',
  given: unknown,
  members: Members,
  path: string,
  depth: number,
  compiling: Compiling,
): Prisma.Sql {
  if (!Array.isArray(given) || given.length === 0) {
    throw wrong(path, `"${joiner}" joins a list of filters, at least one.`);
  }
  const parts = given.map((one, i) => allOf(one, members, `${path}[${i}]`, depth + 1, compiling));
  return Prisma.sql`(${Prisma.join(parts, ` ${joiner} `)})`;
}

// A field that is null makes its comparison null, which counts as "no match" before it is turned around.
function not(condition: Prisma.Sql): Prisma.Sql {
  return Prisma.sql`not coalesce(${condition}, false)`;
}

function conditionOf(
  member: FilterMember,
  value: unknown,
  path: string,
  depth: number,
  compiling: Compiling,
): Prisma.Sql {
  count(path, compiling);
  if ('joined' in member) return allOf(value, member.joined, path, depth + 1, compiling);
  if ('from' in member) return ofSet(member, value, path, depth, compiling);
  if ('fieldOf' in member) return ofFieldOfId(member, value, path, compiling);
  if ('holds' in member) {
    if (typeof value !== 'string' || !isUuid(value)) throw wrong(path, notAnId);
    compiling.isEstimable = false;
    return member.holds(value);
  }
  return ofField(member.field, value, path, compiling);
}

/** How conditions are called, and the operator that each of them is. */
const conditions: Readonly<Record<string, (typeof operators)[number]>> = {
  eq: 'exact',
  in: 'in',
  contains: 'contains',
  isSet: 'is_set',
  gt: 'gt',
  gte: 'gte',
  lt: 'lt',
  lte: 'lte',
};

function ofField(
  field: FilterField,
  given: unknown,
  path: string,
  compiling: Compiling,
): Prisma.Sql {
  if (typeof given === 'boolean') return conditionOn('exact', field, given, path);
  const parts = entriesOf(given, path).map(([name, value]) => {
    const operator = conditions[name];
    const at = `${path}.${name}`;
    if (operator === undefined)
      throw wrong(at, `Use some of ${Object.keys(conditions).join(', ')}.`);
    compiling.isEstimable &&= isEstimable(operator, field);
    return conditionOn(operator, field, value instanceof Date ? value.toISOString() : value, at);
  });
  return parts.length === 0 ? Prisma.sql`true` : Prisma.sql`(${Prisma.join(parts, ' and ')})`;
}

function ofFieldOfId(
  { idName, fieldOf }: FieldOfId,
  given: unknown,
  path: string,
  compiling: Compiling,
): Prisma.Sql {
  const asked = new Map(entriesOf(given, path));
  const id = asked.get(idName);
  if (typeof id !== 'string' || !isUuid(id)) throw wrong(`${path}.${idName}`, notAnId);
  asked.delete(idName);
  compiling.isEstimable = false;
  const parts = [...asked].map(([name, value]) => {
    if (name === 'isSet') return conditionOn('is_set', fieldOf(id), value, `${path}.isSet`);
    return ofField(fieldOf(id), value, `${path}.${name}`, compiling);
  });
  if (parts.length === 0) throw wrong(path, `Say with ${idName} what holds: value or isSet.`);
  return Prisma.sql`(${Prisma.join(parts, ' and ')})`;
}

function ofSet(
  { field, from, seen, id, members }: SetOfThings,
  given: unknown,
  path: string,
  depth: number,
  compiling: Compiling,
): Prisma.Sql {
  const some = (value: unknown, at: string) => {
    const ids = idsAlone(value);
    // The planner knows how frequent these are, and of those that a subquery yields it does not.
    if (ids !== null) {
      count(at, compiling);
      return ofField(field, ids, `${at}.id`, compiling);
    }
    const where = allOf(value, members, at, depth + 1, compiling);
    compiling.isEstimable = false;
    return Prisma.sql`${field.sql} && array(select ${id} from ${from} where ${seen} and ${where})`;
  };
  const parts = entriesOf(given, path).map(([name, value]) => {
    const at = `${path}.${name}`;
    if (name === 'isSet') return conditionOn('is_set', field, value, at);
    if (name !== 'some' && name !== 'none') throw wrong(at, 'Use some of some, none, isSet.');
    return name === 'some' ? some(value, at) : Prisma.sql`not (${some(value, at)})`;
  });
  return parts.length === 0 ? Prisma.sql`true` : Prisma.sql`(${Prisma.join(parts, ' and ')})`;
}

/** What is asked of the id of a thing, where nothing else is: that it is one of some; null otherwise. */
function idsAlone(given: unknown): object | null {
  if (typeof given !== 'object' || given === null) return null;
  const [[name, id] = [], ...others] = entriesOf(given, '');
  if (name !== 'id' || typeof id !== 'object' || id === null || others.length > 0) return null;
  const asked = Object.entries(id).filter(([, value]) => value !== null && value !== undefined);
  const areIds = asked.length > 0 && asked.every(([condition]) => ['eq', 'in'].includes(condition));
  return areIds ? id : null;
}

/** The members that are given: null means what leaving one out means. */
function entriesOf(given: unknown, path: string): [string, unknown][] {
  if (given === null || given === undefined) return [];
  if (typeof given !== 'object' || Array.isArray(given) || given instanceof Date) {
    throw wrong(path, 'Use an object of conditions, such as { eq: "..." }.');
  }
  return Object.entries(given).filter(([, value]) => value !== null && value !== undefined);
}

/** A term of an order as clients give it: `{ updatedAt: desc }`. */
export type OrderTerm = Readonly<Record<string, string | null | undefined>>;

/**
 * The terms of an order, most significant first, to which the caller adds a unique one; none where none is
 * given. Throws BAD_REQUEST for a term that names no field of `fields`, or several.
 */
export function orderTerms(
  given: readonly OrderTerm[] | null | undefined,
  fields: FilterFields,
): SortTerm[] {
  if (given && given.length > maxTerms) throw wrong('orderBy', `Use ${maxTerms} terms at most.`);
  return (given ?? []).flatMap((term, i) => {
    const path = `orderBy[${i}]`;
    const [first, ...others] = entriesOf(term, path);
    if (!first || others.length > 0) throw wrong(path, 'Name one field in each term of an order.');
    const [field, order] = first;
    return parseSort({ field, order }, fields, path);
  });
}

/**
 * The listing in a typed order, where one is given: its own last term, which is unique, decides on ties. An order
 * by one of `indexed` alone is read from an index; others are refused for very many rows.
 */
export function inOrder(
  listing: Listing,
  given: readonly OrderTerm[] | null | undefined,
  fields: FilterFields,
  indexed: readonly string[],
): Listing {
  const terms = orderTerms(given, fields);
  if (terms.length === 0) return listing;
  const order = [...terms, ...listing.order.slice(-1)];
  const names = (given ?? []).flatMap((term) => entriesOf(term, 'orderBy').map(([name]) => name));
  const isIndexed = names.length === 1 && names.every((name) => indexed.includes(name));
  return isIndexed
    ? { ...listing, order }
    : { ...listing, order, sorted: { field: 'orderBy', instead: indexed } };
}
