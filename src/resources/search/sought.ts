// What is looked for in documents: words of a query with all that may stand for each, as queries of the index.

import type { AskedQuery, Word } from './asked.ts';
import type { Named } from './facet-names.ts';
import { markOf } from './narrowing.ts';
import { synonymsOf } from './vocabulary.ts';
import { beginningsOf, lexemesOf, singular } from './word.ts';

/** A word of the query, and what may stand for it. Each is a tsquery, or empty where nothing is of that sort. */
export interface Sought {
  readonly word: Word;
  /** The word itself, in the singular as well. */
  readonly whole: string;
  /** What begins as words of its family do, and what it may have been meant to be. */
  readonly text: string;
  /** Kinds and types of a source that it names. */
  readonly kinds: string;
  /** Tags, people, teams and sources that it names. */
  readonly names: string;
  /** Any of these. */
  readonly any: string;
  /** How much it counts among the words. */
  readonly weight: number;
  /** Words of titles that it may have been meant to be, the nearest first: each made of words that all stand there. */
  readonly meant: readonly (readonly string[])[];
}

const weights = { soft: 0.35, kind: 0.8, meant: 0.95 };

/** What is looked for of a word. */
export function soughtOf(word: Word, named: readonly Named[]): Sought {
  const { text, kinds, nativeType, isNeeded } = word;
  const whole = [...new Set([text, singular(text)])].map((one) => adjacent(one)).join('|');
  const beginnings = beginningsOf(text);
  const texts = [
    ...(beginnings.length > 0 ? beginnings.map((one) => `${quoted(one)}:*`) : [adjacent(text)]),
    ...[text, singular(text)].flatMap(synonymsOf).map((one) => adjacent(one)),
  ].join('|');
  const kindMarks = [
    ...kinds.map((kind) => `'k:${kind}'`),
    ...(nativeType ? [`'n:${nativeType}'`] : []),
  ].join('|');
  const names = text.length < 2 ? '' : namesWith(text, named).join('|');
  return {
    word,
    whole,
    text: texts,
    kinds: kindMarks,
    names,
    any: [texts, kindMarks, names].filter((one) => one !== '').join('|'),
    weight: (isNeeded ? 1 : weights.soft) * (kindMarks === '' ? 1 : weights.kind),
    meant: [],
  };
}

/** The same of a word that may have been meant to be others. */
export function spelledOtherwise(sought: Sought, meant: Sought['meant']): Sought {
  const others = meant.map((parts) => `(${parts.map((part) => adjacent(part)).join('&')})`);
  const add = (query: string) => [query, ...others].join('|');
  return {
    ...sought,
    text: add(sought.text),
    any: add(sought.any),
    weight: sought.weight * weights.meant,
    meant,
  };
}

const letters = { tag: 't', owner: 'o', team: 'm', source: 'i' } as const;

function namesWith(text: string, named: readonly Named[]): string[] {
  const one = singular(text);
  const fitting = named.filter(({ words }) => words.includes(text) || words.includes(one));
  return [...new Set(fitting.map(({ facet, id }) => markOf(letters[facet], id)))];
}

/** A word as a lexeme. Words are letters and digits, so that nothing in them is an operator. */
const quoted = (text: string) => `'${text.replaceAll(/['\\]/g, '')}'`;

/** A word, or words, whose lexemes stand next to each other. */
const adjacent = (...words: readonly string[]) => {
  const all = words.flatMap(lexemesOf).map(quoted);
  return all.length === 1 ? (all[0] ?? '') : `(${all.join('<->')})`;
};

/** Choices of some of the words that one query of the index may hold. */
const maxChoices = 100;

/**
 * The query of the index for documents that hold at least so many of the needed words, all phrases and marks, and
 * none of what must not be there. Where these are too many choices, any of the words is enough.
 */
export function textQuery(
  { phrases, without }: Pick<AskedQuery, 'phrases' | 'without'>,
  sought: readonly Sought[],
  marks: readonly string[],
  least: number,
): string {
  const choices = choicesOf(
    sought.filter(({ word }) => word.isNeeded),
    least,
  );
  return [
    ...(choices === '' ? [] : [choices]),
    ...phrases.map((words) => adjacent(...words)),
    ...without.map(
      (words) => `!${words.length > 1 ? adjacent(...words) : `(${unwanted(words[0] ?? '')})`}`,
    ),
    ...marks,
  ].join('&');
}

const unwanted = (word: string) =>
  [...beginningsOf(word).map((one) => `${quoted(one)}:*`), adjacent(word)].join('|');

/** At least so many of the words; of these one that names no kind, unless all do. */
function choicesOf(words: readonly Sought[], least: number): string {
  const all = words.map(({ any }) => `(${any})`);
  if (least >= words.length) return all.join('&');
  const isOfKind = (n: number) => words[n]?.kinds !== '';
  const haveOthers = words.some(({ kinds }) => kinds === '');
  const choices: string[] = [];
  const choose = (from: number, chosen: readonly number[]): void => {
    if (choices.length > maxChoices) return;
    if (chosen.length === least) {
      if (haveOthers && chosen.every(isOfKind)) return;
      choices.push(`(${chosen.map((n) => all[n]).join('&')})`);
      return;
    }
    for (let n = from; n <= words.length - (least - chosen.length); n += 1)
      choose(n + 1, [...chosen, n]);
  };
  choose(0, []);
  return `(${(choices.length > maxChoices ? all : choices).join('|')})`;
}

/** A query in texts of some weights alone: of marks, which have none, it finds nothing. */
export function inWeights(query: string, weight: 'A' | 'B' | 'C' | 'D' | 'AB'): string {
  return query.replaceAll(
    /('[^']*')(:\*)?/g,
    (_found, lexeme, star) => `${lexeme}${star ?? ':'}${weight}`,
  );
}

/** A word, its lexemes next to each other, or what begins with it where it is one. */
export function lexemeQuery(word: string): string {
  const [lexeme, ...others] = lexemesOf(word);
  return others.length === 0 && lexeme ? `${quoted(lexeme)}:*` : adjacent(word);
}
