// Takes the fields out of one JSON object of a file, each checked as it is taken.

import { isWebAddress, parseDateTime } from '../../text/text.ts';
import { badField, badLine, type FilePlace, shown } from './place.ts';

/** Longest text of each sort, in characters. */
export const textLimits = {
  /** Keys stand in an index, whose entries are at most 2,700 bytes. */
  key: 500,
  /** Titles, names, addresses of people. */
  name: 500,
  /** Types: that of a wide struct names each of its fields. */
  type: 100_000,
  url: 2_000,
  /** Descriptions and documentation; the line itself is bounded too. */
  text: 1_000_000,
} as const;

const maxListLength = 100;
/** The largest number that the database keeps as an integer. */
export const maxInteger = 2_147_483_647;

/**
 * One JSON object and where it stands. Each method answers `undefined` for an absent field, the
 * emptiest value of its sort for a null, and throws BAD_REQUEST naming line, field and what is allowed.
 */
export class JsonRecord {
  readonly place: FilePlace;
  readonly fields: Record<string, unknown>;
  /** Where this object lies within its line, such as `from_identifier.`. */
  readonly path: string;

  constructor(place: FilePlace, value: unknown, path = '') {
    if (!isObject(value)) {
      const message = `must be a JSON object, not ${shown(value)}.`;
      throw path ? badField(place, path.slice(0, -1), message) : badLine(place, message);
    }
    this.place = place;
    this.fields = value;
    this.path = path;
  }

  /** Refuse every field but these. */
  only(allowed: ReadonlySet<string>): void {
    for (const name in this.fields) {
      if (allowed.has(name)) continue;
      throw this.fail(shown(name), `is not a field; allowed are ${[...allowed].join(', ')}.`);
    }
  }

  /** The error for a field of this object. */
  fail(name: string, message: string) {
    const field = name.startsWith('"') ? name : `${this.path}${name}`;
    return badField(this.place, field, message);
  }

  text(name: string, limit: number = textLimits.name): string | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (value === null) return '';
    if (typeof value !== 'string') throw this.fail(name, `must be text, not ${shown(value)}.`);
    if (value.length > limit) {
      throw this.fail(name, `is ${value.length} characters long; at most ${limit} are allowed.`);
    }
    return value;
  }

  /** A text that must be there and not be empty. */
  required(name: string, limit: number = textLimits.name): string {
    const value = this.text(name, limit)?.trim();
    if (!value) throw this.fail(name, 'is required.');
    return value;
  }

  integer(name: string): number | undefined {
    const value = this.number(name);
    if (value === undefined || (Number.isInteger(value) && value <= maxInteger)) return value;
    throw this.fail(name, `must be a whole number from 0 to ${maxInteger}, not ${shown(value)}.`);
  }

  number(name: string): number | undefined {
    const value = this.fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'number' && Number.isFinite(value) && value >= 0) return value;
    throw this.fail(name, `must be a number, 0 or more, not ${shown(value)}.`);
  }

  boolean(name: string): boolean | undefined {
    const value = this.fields[name];
    if (value === undefined || value === null) return undefined;
    if (typeof value === 'boolean') return value;
    throw this.fail(name, `must be true or false, not ${shown(value)}.`);
  }

  date(name: string): Date | undefined {
    const text = this.text(name);
    if (!text) return undefined;
    const date = parseDateTime(text);
    if (date) return date;
    throw this.fail(
      name,
      `must be an ISO 8601 date-time such as 2026-01-31T12:00:00Z, not ${shown(text)}.`,
    );
  }

  /** A list of texts that are not empty, each once. */
  texts(name: string): string[] | undefined {
    const value = this.fields[name];
    if (value === undefined) return undefined;
    if (value === null) return [];
    if (!Array.isArray(value))
      throw this.fail(name, `must be a list of texts, not ${shown(value)}.`);
    if (value.length > maxListLength) {
      throw this.fail(name, `has ${value.length} entries; at most ${maxListLength} are allowed.`);
    }
    const texts = new Set<string>();
    for (const entry of value) {
      if (typeof entry !== 'string' || entry.trim() === '' || entry.length > textLimits.name) {
        throw this.fail(
          name,
          `must hold texts of 1 to ${textLimits.name} characters, not ${shown(entry)}.`,
        );
      }
      texts.add(entry.trim());
    }
    return [...texts];
  }

  /** A web address. Others could run code in the browser of the one who follows them. */
  url(name: string): string | undefined {
    const value = this.text(name, textLimits.url);
    if (!value || isWebAddress(value)) return value;
    throw this.fail(
      name,
      'must be an http or https address without blanks and without a password.',
    );
  }

  /** An object of its own within this one. */
  nested(name: string): JsonRecord | undefined {
    const value = this.fields[name];
    if (value === undefined || value === null) return undefined;
    return new JsonRecord(this.place, value, `${this.path}${name}.`);
  }
}

/** Bytes that a key made of names may have; the entry of an index has room for 2,700. */
const maxKeyBytes = 2_500;

/** Throw BAD_REQUEST where names, each of them short enough, are too long a key together. */
export function checkKeyLength(place: FilePlace, field: string, key: string): void {
  // No character of a text takes more than three bytes as UTF-8.
  if (key.length * 3 <= maxKeyBytes) return;
  const length = Buffer.byteLength(key);
  if (length <= maxKeyBytes) return;
  const message = `makes ${length} bytes with what holds it; at most ${maxKeyBytes} are allowed.`;
  throw badField(place, field, message);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
