// Reads an operation's parameters from a request, naming each one that doesn't fit.

import {
  type GraphQLInputObjectType,
  type GraphQLInputType,
  type GraphQLLeafType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isScalarType,
  isSpecifiedScalarType,
} from 'graphql';
import { type FieldError, invalid, notFound } from '../errors.ts';
import { maxDepth } from '../limits/request-size.ts';
import { isStorable } from '../text/text.ts';
import type { Operation, Parameter } from './operations/operation.ts';
import type { MeetUnknown } from './unknown.ts';

/** The parts of a request that parameters come from. */
export interface RequestParts {
  readonly path: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The parameters of one call, every one checked against its type; those that were not sent are absent. */
export type Arguments = Readonly<Record<string, unknown>>;

type Report = (field: string, message: string) => void;

// One wrong list of a million ids needs no error of a million lines.
const maxErrors = 20;

/**
 * Read the parameters that the operation declares. What else the body carries is left alone; what else is in
 * an object that is a parameter is for `meetUnknown`.
 * Throws BAD_REQUEST with every documented field that is missing or of the wrong type.
 */
export function readArguments(
  operation: Operation,
  parts: RequestParts,
  meetUnknown: MeetUnknown,
): Arguments {
  const errors: FieldError[] = [];
  const report: Report = (field, message) => {
    if (errors.length < maxErrors) errors.push({ field, message });
  };
  const values: Record<string, unknown> = {};
  for (const parameter of operation.parameters) {
    if (parameter.ignored) continue;
    const { name, type, defaultValue } = parameter;
    const given = find(parameter, parts);
    if (given === undefined) {
      if (isNonNullType(type) && defaultValue === undefined) report(name, 'is required');
      continue;
    }
    const harm = harmIn(given, 0);
    // Whatever can't be an id names nothing that exists.
    if (harm && parameter.place === 'path') throw notFound('Record');
    if (harm) report(name, harm);
    const value = harm
      ? null
      : coerce(given, parameter, parameter.type, name, { report, meetUnknown });
    values[name] = value;
  }
  if (errors.length > 0) {
    const list = errors.map(({ field, message }) => `${field} ${message}`).join('; ');
    throw invalid(`${list}.`, errors);
  }
  return values;
}

/** The names that an operation reads, worked out when it is first asked for. */
const namesRead = new WeakMap<Operation, Record<'query' | 'body', readonly string[]>>();

function namesOf(operation: Operation): Record<'query' | 'body', readonly string[]> {
  const known = namesRead.get(operation);
  if (known) return known;
  const inPlace = (wanted: Parameter['place']) =>
    operation.parameters
      .filter(({ place }) => place === wanted)
      .flatMap(({ name, also }) => [name, ...also]);
  const query = inPlace('query').flatMap((name) => [name, `${name}[]`]);
  const made = { query, body: inPlace('body') };
  namesRead.set(operation, made);
  return made;
}

/** The names that parameters of the query may have: lists with brackets as well. */
export function queryNamesOf(operation: Operation): readonly string[] {
  return namesOf(operation).query;
}

/** The names that fields of the body may have. */
export function bodyNamesOf(operation: Operation): readonly string[] {
  return namesOf(operation).body;
}

/** The raw value of a parameter; undefined where it was not sent. */
function find(parameter: Parameter, { path, query, body }: RequestParts): unknown {
  const { name, place, also, type } = parameter;
  if (place === 'path') return path[name];
  const names = [name, ...also];
  if (place === 'body') {
    const sent = names.find((one) => Object.hasOwn(body, one));
    return sent === undefined ? undefined : body[sent];
  }
  // Common clients spell lists with brackets, and merge links.next with a page of their own.
  const texts = names.flatMap((one) => [...query.getAll(one), ...query.getAll(`${one}[]`)]);
  if (!isListType(getNullableType(type))) {
    const last = texts.filter((text) => text !== '').at(-1);
    return last === undefined ? undefined : fromText(last, type);
  }
  const items = texts.flatMap((text) => itemsIn(text, itemOf(type)));
  return items.length === 0 ? undefined : items;
}

/** The items that a text of the query lists: a JSON array, or separated by commas where it can be. */
function itemsIn(text: string, type: GraphQLInputType): unknown[] {
  const list: unknown = text.trimStart().startsWith('[') ? parseJson(text) : undefined;
  if (Array.isArray(list)) return list;
  const items = isPlain(type) ? text.split(',') : [text];
  const sent = items.map((item) => item.trim()).filter((item) => item !== '');
  return sent.map((item) => fromText(item, type));
}

/** The value that a text of the query or path stands for; the text itself where it stands for none. */
function fromText(text: string, type: GraphQLInputType): unknown {
  const inner = getNullableType(type);
  if (isInputObjectType(inner)) return parseJson(text);
  if (!isLeafType(inner)) return text;
  if (inner.name === 'Boolean') return booleans.get(text.toLowerCase()) ?? text;
  if (inner.name === 'Int' || inner.name === 'SafeInt')
    return /^[+-]?\d+$/.test(text) ? Number(text) : text;
  if (inner.name === 'Float') return numeric.test(text) ? Number(text) : text;
  return inner.name.startsWith('JSON') ? parseJson(text) : text;
}

const booleans = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const numeric = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** What is told of values that do not fit, and of members that no one reads. */
interface Told {
  readonly report: Report;
  readonly meetUnknown: MeetUnknown;
}

/** The value as the schema takes it. Tells what doesn't fit. */
function coerce(
  value: unknown,
  parameter: Parameter,
  type: GraphQLInputType,
  field: string,
  told: Told,
): unknown {
  if (isNonNullType(type)) {
    if (value === null) told.report(field, 'must not be null');
    return value === null ? null : coerce(value, parameter, type.ofType, field, told);
  }
  if (value === null) return null;
  if (isListType(type)) {
    if (!Array.isArray(value)) told.report(field, 'must be a list');
    else return value.map((one, at) => coerce(one, parameter, type.ofType, `${field}.${at}`, told));
  } else if (isInputObjectType(type)) {
    if (!isObject(value)) told.report(field, 'must be a JSON object');
    else return coerceObject(value, parameter, type, field, told);
  } else {
    const taken = parameter.place === 'body' ? lenient(value, parameter, type) : value;
    if (taken !== null && !accepts(type, taken)) told.report(field, expected(type, taken));
    return taken;
  }
  return null;
}

function coerceObject(
  value: Readonly<Record<string, unknown>>,
  parameter: Parameter,
  type: GraphQLInputObjectType,
  field: string,
  told: Told,
): unknown {
  const coerced: Record<string, unknown> = {};
  const within = (names: string[]) => names.map((name) => `${field}.${name}`);
  const known = within(Object.keys(type.getFields()));
  told.meetUnknown({ noun: 'member', given: within(Object.keys(value)), known });
  for (const { name, type: inner, defaultValue } of Object.values(type.getFields())) {
    const place = `${field}.${name}`;
    if (Object.hasOwn(value, name)) {
      coerced[name] = coerce(value[name], parameter, inner, place, told);
    } else if (isNonNullType(inner) && defaultValue === undefined)
      told.report(place, 'is required');
  }
  return coerced;
}

/** What old clients mean: an empty id is none, and text is a boolean or a number where that is due. */
function lenient(value: unknown, parameter: Parameter, type: GraphQLLeafType): unknown {
  if (value === '' && type.name === 'ID' && !isNonNullType(parameter.type)) return null;
  if (typeof value !== 'string' || !sentAsText.has(type.name)) return value;
  return value === '' ? null : fromText(value, type);
}

const sentAsText: ReadonlySet<string> = new Set(['Boolean', 'Int', 'SafeInt', 'Float']);

function accepts(type: GraphQLLeafType, value: unknown): boolean {
  // GraphQL takes numbers for ids; the ids of this catalog are strings.
  if (type.name === 'ID') return typeof value === 'string';
  try {
    return type.parseValue(value) !== undefined;
  } catch {
    return false;
  }
}

function expected(type: GraphQLLeafType, given: unknown): string {
  if (isEnumType(type)) {
    const names = type.getValues().map(({ name }) => name);
    return `must be one of ${names.join(', ')}`;
  }
  // Only for a number that is too large is it news how large they may be.
  if (type.name === 'Int' && !Number.isInteger(given)) return 'must be a whole number';
  return expectations.get(type.name) ?? `must be a ${type.name}`;
}

const expectations = new Map([
  ['Int', 'must be a whole number from -2147483648 to 2147483647'],
  ['SafeInt', 'must be a whole number from -9007199254740991 to 9007199254740991'],
  ['Float', 'must be a number'],
  ['Boolean', 'must be true or false'],
  ['String', 'must be a string'],
  ['ID', 'must be an id, which is a string'],
  ['UUID', 'must be a UUID'],
  ['DateTime', 'must be a date-time such as 2024-05-01T12:00:00Z'],
  ['Date', 'must be a date such as 2024-05-01'],
  ['JSONObject', 'must be a JSON object'],
]);

/** Why a value must not reach the database: text that it can't store, or nesting that it can't bear. */
function harmIn(value: unknown, depth: number): string | undefined {
  if (typeof value === 'string') {
    return isStorable(value) ? undefined : 'must be Unicode text without U+0000';
  }
  if (typeof value !== 'object' || value === null) return undefined;
  if (depth > maxDepth) return `must not be nested deeper than ${maxDepth} levels`;
  for (const [key, inner] of Object.entries(value)) {
    const harm = harmIn(key, depth) ?? harmIn(inner, depth + 1);
    if (harm) return harm;
  }
  return undefined;
}

/** Whether SOFA binds it from text without a loss: one value of a built-in scalar, or of an enum. */
function isPlain(type: GraphQLInputType): boolean {
  const inner = getNullableType(type);
  return isEnumType(inner) || (isScalarType(inner) && isSpecifiedScalarType(inner));
}

function itemOf(type: GraphQLInputType): GraphQLInputType {
  const list = getNullableType(type);
  return isListType(list) ? list.ofType : type;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
