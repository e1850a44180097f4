// An answer as a recording keeps it: its structure and its counts, with all that its source alone may know replaced.

import { DIALECT_NAMES } from '../../src/lineage/sql/dialect.ts';
import { type Pseudonyms, pseudonyms } from './pseudonyms.ts';
import type { Vocabulary } from './vocabulary.ts';

/** Fields whose numbers say how much of an answer there is. */
const counts =
  /^(?:count|.*(?:rows|rowcount|row_count|chunk_count|chunk_index|expires_in)|scale|total)$/i;
/** Fields that hold what opens a source: nothing of them is kept, not even the form. */
const secrets = /^(?:token|(?:access|refresh|id)_token|private_key|.*password.*|.*secret.*)$/i;
const moment = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?)?(?: ?(?:Z|[+-]\d\d:?\d\d))?$/;

/** Takes the values out of answers, the same one always in the same way. */
export function anonymizer(vocabulary: Vocabulary): (body: string) => string {
  const stand = pseudonyms(vocabulary);
  return (body) => {
    const parsed = jsonOf(body);
    return parsed === undefined
      ? stand.text(body)
      : JSON.stringify(standIn(parsed, '', vocabulary, stand));
  };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function standIn(given: unknown, key: string, known: Vocabulary, stand: Pseudonyms): unknown {
  if (Array.isArray(given)) return given.map((one) => standIn(one, key, known, stand));
  if (typeof given === 'object' && given !== null) {
    return Object.fromEntries(
      Object.entries(given).map(([name, value]) => [
        known.fields.has(name.toLowerCase()) ? name : stand.text(name),
        standIn(value, name, known, stand),
      ]),
    );
  }
  if (typeof given === 'number') return counts.test(key) ? given : stand.number(given);
  return typeof given === 'string' ? textOf(given, key, known, stand) : given;
}

function textOf(given: string, key: string, known: Vocabulary, stand: Pseudonyms): string {
  if (given === '' || (counts.test(key) && /^\d+$/.test(given))) return given;
  if (secrets.test(key)) return 'dropped';
  // Settings are often JSON in a text.
  const inner = /^\s*[[{]/.test(given) ? jsonOf(given) : undefined;
  if (inner !== undefined) return JSON.stringify(standIn(inner, key, known, stand));
  if (known.words.has(given.toLowerCase()) || isType(given, known)) return given;
  if (key === 'engine' && DIALECT_NAMES.includes(given)) return given;
  if (moment.test(given))
    return given.replace(/^(\d{4})-\d\d-\d\d/, '$1-01-01').replace(clock, zero);
  const isCode = /\b(?:select|with)\s/i.test(given) || isStruct(given, known);
  return isCode ? stand.sql(given) : stand.text(given);
}

const clock = /\d\d:\d\d(?::\d\d(?:\.\d+)?)?/;
const zero = (time: string) => time.replaceAll(/\d/g, '0');

/** Whether a text is a type that names fields, such as `STRUCT<city STRING>`. */
function isStruct(text: string, { types }: Vocabulary): boolean {
  const [, first = ''] = /^\s*(\w+)\s*[<(]/.exec(text) ?? [];
  return types.has(first.toLowerCase());
}

/** Whether a text is a type of columns, such as `NUMBER(38,0)`. */
function isType(text: string, { types }: Vocabulary): boolean {
  const words = text.toLowerCase().match(/[\p{L}_][\p{L}\p{N}_]*/gu) ?? [];
  return words.length > 0 && /^[\w\s(),<>]+$/.test(text) && words.every((word) => types.has(word));
}
