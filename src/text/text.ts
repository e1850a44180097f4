// Checks of text from clients, and the moments that text names.

import { invalidField } from '../errors.ts';
import { nearest } from './nearest.ts';

/** Whether PostgreSQL can store the text: no U+0000, no half of a surrogate pair. */
export function isStorable(text: string): boolean {
  return !text.includes('\0') && text.isWellFormed();
}

/** Characters that a name has at most, and a description. */
export const maxName = 255;
export const maxDescription = 10_000;

/** Text that can be stored, of at most `max` characters. Throws BAD_REQUEST that names the field. */
export function checkText(field: string, text: string, max: number = maxDescription): string {
  if (text.length > max) {
    throw invalidField(field, `Use at most ${max} characters, not ${text.length}.`);
  }
  if (!isStorable(text)) {
    throw invalidField(field, 'Use Unicode text without U+0000 and without half a surrogate pair.');
  }
  return text;
}

/** A name: one line that is more than white space; without the white space around it. */
export function checkName(field: string, text: string, max: number = maxName): string {
  const name = checkText(field, text, max).trim();
  if (name === '') throw invalidField(field, 'This must not be empty.');
  return checkLine(field, name);
}

/**
 * Characters that would make a name or title look like something else: those of control, lines and direction, and some that
 * are not visible. As a class of regular expressions, of JavaScript and of PostgreSQL.
 */
export const noneOfALine =
  '[\\u0001-\\u001f\\u007f-\\u009f\\u061c\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060\\u2066-\\u2069\\ufeff]';

const noLine = new RegExp(noneOfALine, 'u');
const noLines = new RegExp(`${noneOfALine}+`, 'gu');

/** What people give: they can mend it. Throws BAD_REQUEST that names the field. */
export function checkLine(field: string, text: string): string {
  if (!noLine.test(text)) return text;
  throw invalidField(field, 'Use one line, without characters of control or direction.');
}

/** What a source says: its names stay as they are there, so that what no line has becomes a space. */
export function lineOf(text: string): string {
  return text.replaceAll(noLines, ' ').trim();
}

/** What matches a text letter by letter within a regular expression. */
export function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

/** More words than these are not listed in a message. */
const mostListed = 30;

/** Check that a word, where there is one, is one of those that are known. Throws BAD_REQUEST with them. */
export function checkWord(
  field: string,
  word: string | null | undefined,
  known: readonly string[],
): void {
  if (word == null || known.includes(word)) return;
  const meant = nearest(word, known);
  const hint = meant === undefined ? '' : ` Did you mean ${meant}?`;
  const listed = known.slice(0, mostListed).join(', ');
  const all =
    known.length > mostListed ? `${listed} and ${known.length - mostListed} more` : listed;
  throw invalidField(field, `Use one of ${all}.${hint}`);
}

/**
 * Whether text is an address that a page may link to. Another scheme could be a script; browsers drop line
 * breaks and tabs, which would hide one; and what comes before an @ is a password, or passes for a host.
 */
export function isWebAddress(text: string): boolean {
  if (!webAddress.test(text) || !URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username === '' && password === '';
}

const webAddress = /^https?:\/\/[^\s\p{Cc}\\]+$/iu;

const dateTimeForm =
  /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(?:Z|([+-]\d{2}):?(\d{2})?)?$/i;

const lastMoment = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * The moment that an ISO 8601 date-time names, in UTC where it says no zone. Undefined for anything
 * else, for a day that the calendar does not have, and for what is not in the years 1 to 9999 of UTC.
 */
export function parseDateTime(text: string): Date | undefined {
  const [, day = '', time = '', hours, minutes = '00'] = dateTimeForm.exec(text) ?? [];
  const date = new Date(`${day}T${time}${hours ? `${hours}:${minutes}` : 'Z'}`);
  if (!isDay(day) || Number.isNaN(date.getTime())) return undefined;
  return date.getUTCFullYear() >= 1 && date.getTime() <= lastMoment ? date : undefined;
}

/** Whether the calendar has the day: JavaScript takes 2023-02-30 for 2 March. */
export function isDay(day: string): boolean {
  const date = new Date(`${day}T00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}
