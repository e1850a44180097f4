// The filter and sort language of lists, parsed from client input into conditions.

import { Prisma } from '../generated/prisma/client.ts';
import type { FilterField, FilterFields } from './field.ts';
import { checkText, clip, parseValue, sqlTypes, wrong } from './filter-value.ts';
import type { SortTerm } from './listing.ts';

/** A parsed filter: the condition, and which fields it speaks of. */
export interface Filter {
  readonly where: Prisma.Sql;
  readonly fields: ReadonlySet<string>;
  /** Whether the planner can estimate how many rows pass. */
  readonly isEstimable: boolean;
}

/** Operators on a value, and operators that join filters. */
export const operators = ['exact', 'contains', 'in', 'is_set', 'gt', 'gte', 'lt', 'lte'] as const;
const joiners = ['and', 'or', 'not'] as const;

const maxDepth = 10;
const maxNodes = 100;
const maxValues = 10_000;

interface Parsing {
  readonly fields: FilterFields;
  readonly named: Set<string>;
  nodes: number;
  isEstimable: boolean;
}

/**
 * Parse `{operator, field, value}` or `{operator: "and" | "or" | "not", operands: [...]}`, nested to 10
 * levels and 100 nodes. Throws BAD_REQUEST that names the operator, field or value below `path`, and
 * what is allowed.
 */
export function parseFilter(input: unknown, fields: FilterFields, path = 'filter'): Filter {
  const parsing: Parsing = { fields, named: new Set(), nodes: 0, isEstimable: true };
  const where = parseNode(input, path, 1, parsing);
  return { where, fields: parsing.named, isEstimable: parsing.isEstimable };
}

function parseNode(input: unknown, path: string, depth: number, parsing: Parsing): Prisma.Sql {
  if (depth > maxDepth) throw wrong(path, `Filters nest to ${maxDepth} levels at most.`);
  parsing.nodes += 1;
  if (parsing.nodes > maxNodes) throw wrong(path, `A filter has ${maxNodes} parts at most.`);
  if (!isRecord(input)) {
    throw wrong(
      path,
      'A filter is an object such as {"operator":"exact","field":"type","value":"table"}.',
    );
  }
  const operator = input.operator ?? 'exact';
  if (typeof operator !== 'string') throw wrong(`${path}.operator`, 'An operator is a string.');
  if (isOneOf(joiners, operator)) {
    return parseOperands(operator, input.operands, path, depth, parsing);
  }
  if (isOneOf(operators, operator)) return parseTerm(operator, input, path, parsing);
  throw wrong(
    `${path}.operator`,
    `"${clip(operator)}" is not an operator; use one of ${[...operators, ...joiners].join(', ')}.`,
  );
}

function parseOperands(
  operator: (typeof joiners)[number],
  operands: unknown,
  path: string,
  depth: number,
  parsing: Parsing,
): Prisma.Sql {
  if (!Array.isArray(operands) || operands.length === 0) {
    throw wrong(`${path}.operands`, `"${operator}" joins a list of filters, at least one.`);
  }
  const parts = operands.map((operand, i) =>
    parseNode(operand, `${path}.operands[${i}]`, depth + 1, parsing),
  );
  // A field that is null makes its comparison null; `not` has to count that as "no match" first.
  if (operator === 'not') {
    return Prisma.sql`not coalesce(${Prisma.join(parts, ') and (', '((', '))')}, false)`;
  }
  return Prisma.sql`(${Prisma.join(parts, ` ${operator} `)})`;
}

function parseTerm(
  operator: (typeof operators)[number],
  input: Record<string, unknown>,
  path: string,
  parsing: Parsing,
): Prisma.Sql {
  const name = nameIn(parsing.fields, input.field);
  const field = name === undefined ? undefined : parsing.fields[name];
  if (name === undefined || !field) {
    const given = `"${clip(String(input.field))}" is not a field`;
    throw wrong(`${path}.field`, `${given}; use one of ${Object.keys(parsing.fields).join(', ')}.`);
  }
  parsing.named.add(name);
  parsing.isEstimable &&= isEstimable(operator, field);
  return conditionOn(operator, field, input.value, `${path}.value`);
}

/** Whether the planner can estimate a condition: it can't for a text within others, nor for ids that a subquery yields. */
export function isEstimable(operator: (typeof operators)[number], field: FilterField): boolean {
  if (field.type === 'ids') return !field.among || operator === 'is_set';
  return operator !== 'contains' || !field.folded;
}

/** What a field is called here that a client names: titleFull is title_full as well. */
function nameIn(fields: FilterFields, given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const spelled = given.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return [given, spelled].find((name) => Object.hasOwn(fields, name));
}

/** The condition that an operator makes of a field and a value. Throws BAD_REQUEST that names `path`. */
export function conditionOn(
  operator: (typeof operators)[number],
  field: FilterField,
  value: unknown,
  path: string,
): Prisma.Sql {
  switch (operator) {
    case 'is_set':
      return isSet(field, value, path);
    case 'exact':
      return value === null ? Prisma.sql`not (${set(field)})` : equals(field, [value], path);
    case 'in':
      if (!Array.isArray(value)) throw wrong(path, '"in" takes a list of values.');
      if (value.length > maxValues) throw wrong(path, `"in" takes ${maxValues} values at most.`);
      return value.length === 0 ? Prisma.sql`false` : equals(field, value, path);
    case 'contains':
      return contains(field, value, path);
    default:
      return compare(operator, field, value, path);
  }
}

function isSet(field: FilterField, value: unknown, path: string): Prisma.Sql {
  if (value === false || value === 'false') return Prisma.sql`not (${set(field)})`;
  if (value === undefined || value === null || value === true || value === 'true')
    return set(field);
  throw wrong(path, '"is_set" takes true or false.');
}

function set({ sql, type, among, also }: FilterField): Prisma.Sql {
  if (also) return Prisma.sql`(${sql} is not null or ${also} <> '{}')`;
  if (among) return Prisma.sql`cardinality(${among(type === 'ids' ? sql : asArray(sql))}) > 0`;
  if (type === 'ids') return Prisma.sql`cardinality(${sql}) > 0`;
  if (type === 'text') return Prisma.sql`coalesce(${sql}, '') <> ''`;
  return Prisma.sql`${sql} is not null`;
}

function equals(field: FilterField, values: readonly unknown[], path: string): Prisma.Sql {
  const parsed = values.map((value) => parseValue(field, value, path));
  const [first] = parsed;
  const given = Prisma.sql`${parsed}::${Prisma.raw(sqlTypes[field.type])}[]`;
  const known = field.current ? field.current(given) : given;
  const array = field.among ? field.among(known) : known;
  if (field.type === 'ids') return Prisma.sql`${field.sql} && ${array}`;
  if (field.also) {
    // Few rows have any: an index holds those.
    return Prisma.sql`(${field.sql} = any(${array})
      or (${field.also} <> '{}' and ${field.also} && ${array}))`;
  }
  if (parsed.length > 1 || field.among || field.current)
    return Prisma.sql`${field.sql} = any(${array})`;
  return Prisma.sql`${field.sql} = ${first}::${Prisma.raw(sqlTypes[field.type])}`;
}

function contains(field: FilterField, value: unknown, path: string): Prisma.Sql {
  if (field.type === 'ids') return equals(field, [value], path);
  if (field.type !== 'text') throw wrong(path, '"contains" works on text and on sets of ids.');
  if (typeof value !== 'string') throw wrong(path, '"contains" takes a string.');
  const pattern = `%${checkText(value, path).replace(/[\\%_]/g, '\\$&')}%`;
  if (field.folded) return Prisma.sql`${field.folded} like lower(${pattern})`;
  return Prisma.sql`${field.sql} ilike ${pattern}`;
}

const comparisons = { gt: '>', gte: '>=', lt: '<', lte: '<=' } as const;

function compare(
  operator: keyof typeof comparisons,
  field: FilterField,
  value: unknown,
  path: string,
): Prisma.Sql {
  if (field.type !== 'time' && field.type !== 'number') {
    throw wrong(path, `"${operator}" works on times and numbers.`);
  }
  const parsed = parseValue(field, value, path);
  return Prisma.sql`${field.sql} ${Prisma.raw(comparisons[operator])} ${parsed}::${Prisma.raw(sqlTypes[field.type])}`;
}

/**
 * Parse `{field, order: "asc" | "desc", tie_breaker?: {field, order}}` into sort terms, to which the
 * caller adds a unique one. Rows without a value, or with an id that does not count, come where the empty
 * value would.
 */
export function parseSort(input: unknown, fields: FilterFields, path = 'sort'): SortTerm[] {
  if (!isRecord(input)) {
    throw wrong(path, 'A sort is an object such as {"field":"title","order":"asc"}.');
  }
  const name = nameIn(fields, input.field);
  const field = name === undefined ? undefined : fields[name];
  if (!field || field.type === 'ids') {
    const allowed = Object.keys(fields).filter((key) => fields[key]?.type !== 'ids');
    throw wrong(
      `${path}.field`,
      `"${clip(String(input.field))}" is not a sort field; use one of ${allowed.join(', ')}.`,
    );
  }
  const order = String(input.order ?? 'asc').toLowerCase();
  if (order !== 'asc' && order !== 'desc') {
    throw wrong(`${path}.order`, `"${clip(order)}" is not an order; use asc or desc.`);
  }
  const by = field.head ?? sortable(field);
  const term: SortTerm = { by, type: sqlTypes[field.type], descending: order === 'desc' };
  const next = input.tie_breaker ?? input.tieBreaker;
  if (next === undefined || next === null) return [term];
  if (path !== 'sort')
    throw wrong(`${path}.tie_breaker`, 'A tie breaker cannot have one of its own.');
  return [term, ...parseSort(next, fields, 'sort.tie_breaker')];
}

/** Terms that an order has at most: each is a column of the statement. */
export const maxTerms = 10;

/** The terms of a list of such sorts, most significant first. Throws BAD_REQUEST for more than 10 of them. */
export function parseSorts(
  given: readonly unknown[] | null | undefined,
  fields: FilterFields,
): SortTerm[] {
  if (given && given.length > maxTerms) throw wrong('sort', `Use ${maxTerms} terms at most.`);
  return (given ?? []).flatMap((term) => parseSort(term, fields));
}

// A cursor compares values, and null compares with nothing: each type has a value that stands for it.
const empties = {
  id: "'00000000-0000-0000-0000-000000000000'::uuid",
  ids: '0',
  text: "''",
  boolean: 'false',
  time: "'-infinity'::timestamptz",
  number: "'-infinity'::float8",
} as const;

function sortable({ sql, type, always, among }: FilterField): Prisma.Sql {
  if (always) return sql;
  // A cursor holds what rows are sorted by: an id that does not count is none.
  const value = among ? Prisma.sql`(${among(asArray(sql))})[1]` : sql;
  return Prisma.sql`coalesce(${value}, ${Prisma.raw(empties[type])})`;
}

const asArray = (sql: Prisma.Sql) => Prisma.sql`array[${sql}]`;

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isOneOf<T extends string>(list: readonly T[], value: string): value is T {
  return list.some((item) => item === value);
}
