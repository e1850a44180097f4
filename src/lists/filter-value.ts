// The values that filters compare with: checked by the type of the field, word for word.

import { type FieldError, invalid } from '../errors.ts';
import { checkWord, isStorable, parseDateTime } from '../text/text.ts';
import { isUuid, notAnId } from '../text/uuid.ts';
import type { FilterField } from './field.ts';

const maxText = 10_000;

/** The types of PostgreSQL that fields have. */
export const sqlTypes = {
  id: 'uuid',
  ids: 'uuid',
  text: 'text',
  boolean: 'boolean',
  time: 'timestamptz',
  number: 'float8',
} as const;

/** The value that a field of its type is compared with. Throws BAD_REQUEST that names `path`. */
export function parseValue(
  field: FilterField,
  value: unknown,
  path: string,
): string | number | boolean {
  switch (field.type) {
    case 'id':
    case 'ids':
      if (typeof value === 'string' && isUuid(value)) return value;
      throw wrong(path, notAnId);
    case 'text':
      if (typeof value !== 'string') throw wrong(path, `Use a string, not ${describe(value)}.`);
      if (field.words) checkWord(path, value, field.words);
      return field.parse ? field.parse(value) : checkText(value, path);
    case 'boolean':
      if (value === true || value === 'true') return true;
      if (value === false || value === 'false') return false;
      throw wrong(path, `Use true or false, not ${describe(value)}.`);
    case 'number': {
      const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
      if (typeof number === 'number' && Number.isFinite(number)) return number;
      throw wrong(path, `Use a number, not ${describe(value)}.`);
    }
    case 'time': {
      const time = typeof value === 'string' ? parseTime(value) : undefined;
      if (time && time.getTime() >= 0) return time.toISOString();
      throw wrong(path, `Use an ISO 8601 date-time from 1970 to 9999, not ${describe(value)}.`);
    }
  }
}

/** A day stands for its first moment. */
const parseTime = (text: string) => parseDateTime(text.includes(':') ? text : `${text}T00:00Z`);

/** Ids that a list is narrowed to. Throws BAD_REQUEST that names `path` for what is no id. */
export function idsIn(path: string, given: readonly string[]): readonly string[] {
  if (given.every(isUuid)) return given;
  throw wrong(path, notAnId);
}

/** A text that can be stored, of a bounded length. Throws BAD_REQUEST that names `path`. */
export function checkText(value: string, path: string): string {
  if (value.length > maxText) throw wrong(path, `Use at most ${maxText} characters.`);
  if (!isStorable(value))
    throw wrong(path, 'Use Unicode text without U+0000 and without half a surrogate pair.');
  return value;
}

/** The refusal of what a client sent at a path: it names the path, and what is allowed. */
export function wrong(path: string, message: string) {
  const fields: FieldError[] = [{ field: path, message }];
  return invalid(`${path}: ${message}`, fields);
}

function describe(value: unknown): string {
  return clip(JSON.stringify(value) ?? 'nothing');
}

/** A text that a message says back, cut. */
export function clip(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}
