// What a value of a custom property may be: pure, but for whom and what it refers to.

import { type CatalogError, invalid } from '../errors.ts';
import { isDay, isStorable, isWebAddress, parseDateTime } from '../text/text.ts';
import { isUuid } from '../text/uuid.ts';

/** The types of values. All of them travel as strings. */
export const valueTypes = [
  'string',
  'text',
  'number',
  'boolean',
  'date',
  'select',
  'multiselect',
  'user',
  'resource',
  'url',
] as const;

/** A type of values. */
export type ValueType = (typeof valueTypes)[number];

/** What of a property decides which values it takes. */
export interface ValueRule {
  readonly id: string;
  readonly name: string;
  readonly valueType: string;
  /** The values that a select or multiselect allows. */
  readonly options: readonly string[];
}

/** Whether a string names a type of values. */
export function isValueType(type: string): type is ValueType {
  return valueTypes.some((known) => known === type);
}

/**
 * The stored form of a value that a client sent: numbers without spaces, `true` or `false`, dates
 * as YYYY-MM-DD, several options joined by commas, ids in lower case. Throws BAD_REQUEST that
 * names the property and its type. That a user or resource exists is left to the caller.
 */
export function parseValue(rule: ValueRule, text: string): string {
  const result = isStorable(text) ? parsers[typeOf(rule)](text.trim(), rule) : null;
  if (result !== null) return result;
  throw wrongValue(rule, text);
}

/** The refusal of a value: it names the property, its type, and what that takes. */
export function wrongValue(rule: ValueRule, text: string): CatalogError {
  const type = typeOf(rule);
  const said = mayBeSecret(type) ? '' : `, not ${shown(text)}`;
  const message = `The property "${rule.name}" is a ${type}: ${takes[type](rule)}${said}.`;
  return invalid(message, [{ field: `properties.${rule.id}`, message }]);
}

const shown = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}...` : text);

/** An address may hold a password, and what is given for an id and is none may be one. */
function mayBeSecret(type: ValueType): boolean {
  return type === 'user' || type === 'resource' || type === 'url';
}

// What an older or newer version stored may be no type of this one: text takes everything.
function typeOf({ valueType }: ValueRule): ValueType {
  return isValueType(valueType) ? valueType : 'text';
}

const maxString = 255;
const maxTextLength = 100_000;
const maxUrl = 2_000;

const takes: Record<ValueType, (rule: ValueRule) => string> = {
  string: () => `it takes at most ${maxString} characters`,
  text: () => `it takes at most ${maxTextLength} characters`,
  number: () => 'it takes a decimal number such as 12.5',
  boolean: () => 'it takes true or false',
  date: () => 'it takes a date as YYYY-MM-DD',
  select: (rule) => `it takes one of ${rule.options.join(', ')}`,
  multiselect: (rule) => `it takes any of ${rule.options.join(', ')}, separated by commas`,
  user: () => 'it takes the id of a user of this workspace',
  resource: () => 'it takes the id of a resource of this workspace',
  url: () => 'it takes an http or https address without blanks and without a password',
};

const parsers: Record<ValueType, (text: string, rule: ValueRule) => string | null> = {
  string: (text) => (text.length <= maxString ? text : null),
  text: (text) => (text.length <= maxTextLength ? text : null),
  number: parseNumber,
  boolean: (text) => (/^(true|false)$/i.test(text) ? text.toLowerCase() : null),
  date: parseDate,
  select: (text, { options }) => (options.includes(text) ? text : null),
  multiselect: parseOptions,
  user: parseId,
  resource: parseId,
  url: parseUrl,
};

const numberForm = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** Kept as it was written: a float would round an account number of 20 digits. */
function parseNumber(text: string): string | null {
  if (text.length > maxString || !numberForm.test(text)) return null;
  return Number.isFinite(Number(text)) ? text : null;
}

/** A day of the calendar; of a date-time its day in UTC. */
function parseDate(text: string): string | null {
  if (text.length === '2026-01-31'.length) return isDay(text) ? text : null;
  return parseDateTime(text)?.toISOString().slice(0, 10) ?? null;
}

/** Options in the property's own order, from a list in JSON or separated by commas. */
function parseOptions(text: string, { options }: ValueRule): string | null {
  const chosen = new Set(readList(text));
  const known = options.filter((option) => chosen.has(option));
  return known.length > 0 && known.length === chosen.size ? known.join(',') : null;
}

function readList(text: string): string[] | null {
  if (!text.startsWith('[')) return text.split(',').map((part) => part.trim());
  try {
    const list: unknown = JSON.parse(text);
    if (Array.isArray(list) && list.every((item) => typeof item === 'string')) return list;
  } catch {
    // What is no JSON is no list: the caller says what a value looks like.
  }
  return null;
}

function parseId(text: string): string | null {
  return isUuid(text) ? text.toLowerCase() : null;
}

function parseUrl(text: string): string | null {
  return text.length <= maxUrl && isWebAddress(text) ? text : null;
}
