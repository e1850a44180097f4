// Reads the texts in which PostgreSQL sends values: lists and times by the short way where they have one.

import pg from 'pg';

const { builtins } = pg.types;
// node-postgres names the types of PostgreSQL, but not those of arrays.
const TEXT_ARRAY: number = 1009;
const VARCHAR_ARRAY = 1015;
const BIGINT_ARRAY = 1016;
const TIMESTAMP_ARRAY = 1115;
const DATE_ARRAY = 1182;
const UUID_ARRAY = 2951;

const asText = (text: string): string => text;
const parseAnyArray: (text: string) => (string | null)[] = pg.types.getTypeParser(TEXT_ARRAY);

/** What only stands in a list of which an item is quoted, a list itself, or null. */
const notPlain = /["{\\]|null/i;

/** The items of a list; most hold no character that makes them hard to tell apart. */
export function parseTextArray(text: string): (string | null)[] {
  if (text === '{}') return [];
  const inner = text.slice(1, -1);
  const isPlain = text.startsWith('{') && !notPlain.test(inner);
  return isPlain ? inner.split(',') : parseAnyArray(text);
}

const parseOf =
  <T>(parse: (text: string) => T) =>
  (text: string) =>
    parseTextArray(text).map((item) => (item === null ? null : parse(item)));

function parseBigint(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

const parseAnyTime: (text: string) => Date = pg.types.getTypeParser(builtins.TIMESTAMPTZ);
/** A time in UTC, in which sessions are, of a year with a century: `2026-03-01 12:00:00.123456+00`. */
const usualTime = /^(?!00)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:\.\d{1,6})?\+00$/;
const zero = '0'.charCodeAt(0);

/** A time, to the millisecond; further digits are cut off. */
export function parseTime(text: string): Date {
  if (!usualTime.test(text)) return parseAnyTime(text);
  const two = (at: number) => (text.charCodeAt(at) - zero) * 10 + text.charCodeAt(at + 1) - zero;
  const year = two(0) * 100 + two(2);
  const ms = text.charAt(19) === '.' ? Number(text.slice(20, -3).slice(0, 3).padEnd(3, '0')) : 0;
  return new Date(Date.UTC(year, two(5) - 1, two(8), two(11), two(14), two(17), ms));
}

const parseTimestamp = (text: string): Date => parseTime(`${text}+00`);

const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, parseBigint],
  [BIGINT_ARRAY, parseOf(parseBigint)],
  [TEXT_ARRAY, parseTextArray],
  [VARCHAR_ARRAY, parseTextArray],
  [UUID_ARRAY, parseTextArray],
  [builtins.TIMESTAMP, parseTimestamp],
  [builtins.TIMESTAMPTZ, parseTime],
  [TIMESTAMP_ARRAY, parseOf(parseTimestamp)],
  [builtins.DATE, asText],
  [DATE_ARRAY, parseOf(asText)],
]);

/** node-postgres asks for a parser by type and format; ours are for text, which is what is sent. */
export function getTypeParser(type: number, format?: 'text' | 'binary') {
  return parsers.get(type) ?? pg.types.getTypeParser(type, format);
}
