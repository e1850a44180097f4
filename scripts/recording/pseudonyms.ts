// Stands for words and numbers in a recording: the same for the same one, of the same form, and made of nothing that it says.

import type { Vocabulary } from './vocabulary.ts';

/** What stands for texts and numbers of one recording. */
export interface Pseudonyms {
  /** A text whose every word and number is replaced; a name, or a path of names, keeps the known ones. */
  text(given: string): string;
  /** SQL, whose keywords, known names and spelling stay. */
  sql(given: string): string;
  number(given: number): number;
}

/** Pseudonyms of one recording: numbered in the order of their first use, from the end of what has their form. */
export function pseudonyms({ words }: Pick<Vocabulary, 'words'>): Pseudonyms {
  const known = new Map<string, string>();
  const used = new Map<string, bigint>();
  const next = (
    form: string,
    alphabet: string,
    length: number,
    isTaken: (one: string) => boolean,
  ) => {
    const size = BigInt(alphabet.length) ** BigInt(length);
    for (;;) {
      const at = used.get(form) ?? 0n;
      used.set(form, at + 1n);
      // Where there are more words of a form than the form has, the last ones share theirs.
      const one = written(at < size ? size - 1n - at : 0n, alphabet, length);
      if (at >= size || !isTaken(one)) return one;
    }
  };
  // Ids that are numbers stay apart: what begins with a zero, which a number loses, stands for nothing that does not.
  const digits = (isZeroed: boolean, length: number) => {
    if (isZeroed) return `0${next(`zero and ${length}`, decimals, length - 1, () => false)}`;
    return next(`digits ${length}`, decimals, length, (one) => length > 1 && one.startsWith('0'));
  };
  const stand = (word: string): string => {
    const folded = word.toLowerCase();
    const own = known.get(folded);
    if (own !== undefined) return own;
    const { length } = [...folded];
    const made = /^\p{N}/u.test(folded)
      ? digits(length > 1 && folded.startsWith('0'), length)
      : next(`letters ${length}`, letters, length, (one) => length > 2 && words.has(one));
    known.set(folded, made);
    return made;
  };
  const replaced = (given: string, keeps: (word: string) => boolean) =>
    given.replaceAll(/[\p{L}\p{N}_$]+|[^\x20-\x7e\s]/gu, (word) => {
      if (!/[\p{L}\p{N}]/u.test(word)) return word.replaceAll(/[^\x20-\x7e]/gu, '?');
      if (keeps(word.toLowerCase())) return word;
      // A name that the connector makes of a word of its own and an id, such as card__12.
      const [, own = ''] = /^([a-z]+__)\d+$/.exec(word) ?? [];
      const kept = own !== '' && keeps(own) ? own : '';
      const rest = word.slice(kept.length);
      return kept + rest.replaceAll(/\p{L}+|\p{N}+/gu, (part) => inCaseOf(part, stand(part)));
    });
  const isKnown = (word: string) => words.has(word);
  return {
    text: (given) => replaced(given, /\s/.test(given) ? () => false : isKnown),
    sql: (given) =>
      given
        .split(apart)
        .map((part) => {
          if (position.test(part)) return part;
          return replaced(part, part.startsWith("'") ? () => false : isKnown);
        })
        .join(''),
    number: (given) => {
      const [digits = '', exponent = ''] = String(given).split('e');
      const made = replaced(digits, () => false);
      return Number(exponent === '' ? made : `${made}e${exponent}`);
    },
  };
}

/** Quoted texts of SQL, and the positions of columns that it groups and orders by. */
const apart = /('(?:[^']|'')*'|\b(?:group|order)\s+by\s+\d{1,2}(?:\s*,\s*\d{1,2})*\b)/i;
const position = /^(?:group|order)\s+by\s+\d/i;

const decimals = '0123456789';
const letters = 'abcdefghijklmnopqrstuvwxyz';

function written(value: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let text = '';
  for (let left = value; text.length < length; left /= base) {
    text = alphabet.charAt(Number(left % base)) + text;
  }
  return text;
}

function inCaseOf(word: string, made: string): string {
  const cases = [...word];
  return [...made]
    .map((letter, at) => (/\p{Lu}/u.test(cases[at] ?? '') ? letter.toUpperCase() : letter))
    .join('');
}
