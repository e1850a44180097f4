// A query as it is meant: its words, phrases, what must not be there, and filters. It knows no database.

import type { Kind } from '../kind.ts';
import { kindsNamed, nativeTypes, softWords, stopWords } from './vocabulary.ts';
import { singular, wordsIn } from './word.ts';

/** A word that is looked for. */
export interface Word {
  readonly text: string;
  /** Kinds that it names, as "tables" and "report" do. */
  readonly kinds: readonly Kind[];
  /** The type of a source that it names, as "view" does. */
  readonly nativeType: string | null;
  /** Whether a hit needs it: "owns" counts where it stands, and "who owns orders" asks for orders. */
  readonly isNeeded: boolean;
}

/** `key:value` of a query. */
export interface AskedFilter {
  readonly key: FilterKey;
  /** Values, of which one is enough. */
  readonly values: readonly string[];
  readonly isNot: boolean;
  /** As it was typed. */
  readonly text: string;
}

/** A query, taken apart. */
export interface AskedQuery {
  /** What is not a filter, as typed: titles are compared with it. */
  readonly phrase: string;
  readonly words: readonly Word[];
  /** Words that must stand next to each other. */
  readonly phrases: readonly (readonly string[])[];
  /** Words, each next to the other, that must not stand there. */
  readonly without: readonly (readonly string[])[];
  readonly filters: readonly AskedFilter[];
}

/** Keys of filters, and what else they are called. */
const filterNames = {
  kind: ['kind', 'kinds', 'type', 'entity'],
  tag: ['tag', 'tags', 'label', 'labels'],
  owner: ['owner', 'owners', 'by'],
  team: ['team', 'teams'],
  source: ['source', 'integration', 'platform'],
  in: ['in', 'schema', 'database', 'db', 'dataset', 'parent', 'under', 'table'],
  title: ['title', 'name'],
  description: ['description', 'desc'],
  column: ['column', 'columns', 'field', 'fields'],
  is: ['is'],
  has: ['has'],
  no: ['no'],
} as const;

/** A filter of a query by its first name. */
export type FilterKey = keyof typeof filterNames;

/** The keys of filters. */
const filterKeys: readonly FilterKey[] = [
  ...(['kind', 'tag', 'owner', 'team', 'source', 'in', 'title', 'description'] as const),
  ...(['column', 'is', 'has', 'no'] as const),
];

const keyByName: ReadonlyMap<string, FilterKey> = new Map(
  filterKeys.flatMap((key) => filterNames[key].map((name) => [name, key] as const)),
);

const maxWords = 12;
const maxFilters = 10;
const maxPhrases = 5;

/** What a query means. Whatever stands in it that is no filter is words. */
export function askedOf(query: string): AskedQuery {
  const filters: AskedFilter[] = [];
  const phrases: string[][] = [];
  const without: string[][] = [];
  const free: string[] = [];
  const part = /(-?)(?:([a-z_]+):)?(?:"([^"]*)"|(\S+))/giu;
  for (const [text, minus, name, quoted, bare] of query.matchAll(part)) {
    const value = quoted ?? bare ?? '';
    const key = name === undefined ? undefined : keyByName.get(name.toLowerCase());
    const words = wordsIn(value);
    if (key && /[\p{L}\p{N}]/u.test(value) && filters.length < maxFilters) {
      const values = quoted === undefined ? value.split(',').filter((one) => one !== '') : [value];
      filters.push({ key, values, isNot: minus === '-', text });
    } else if (minus === '-' && words.length > 0 && name === undefined) {
      if (without.length < maxPhrases) without.push(words);
    } else if (quoted !== undefined && words.length > 0 && name === undefined) {
      if (phrases.length < maxPhrases) phrases.push(words);
    } else free.push(text);
  }
  const phrase = free.join(' ').trim();
  return { phrase, words: wordsOf(phrase), phrases, without, filters };
}

function wordsOf(phrase: string): Word[] {
  const all = [...new Set(wordsIn(phrase))];
  const telling = all.filter((text) => !stopWords.has(text));
  const texts = (telling.length > 0 ? telling : all).slice(0, maxWords);
  const areAllSoft = texts.every((text) => softWords.has(text));
  return texts.map((text) => {
    const one = singular(text);
    return {
      text,
      kinds: kindsNamed(one),
      nativeType: nativeTypes.has(one) ? one : null,
      isNeeded: areAllSoft || !softWords.has(text),
    };
  });
}
