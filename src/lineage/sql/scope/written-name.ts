// The names that functions are written with, which the parser keeps for those alone that it doesn't know.

import { kindOf, walk } from '../node.ts';
import type { Token } from '../tokens/tokens.ts';
import { words } from '../word-set.ts';

const names = new WeakMap<object, string>();

/** The name of a call as it was written, in lower case; null where that isn't known. */
export function writtenName(node: unknown): string | null {
  return (typeof node === 'object' && node !== null && names.get(node)) || null;
}

/** Kinds that are written with other names than their own. */
const ALIKE: Readonly<Record<string, RegExp>> = {
  ceil: /^ceil(?:ing)?$/,
  length: /^(?:char(?:acter)?_)?length$|^len$/,
  substring: /^substr(?:ing)?$/,
  str_position: /^(?:position|strpos)$/,
  power: /^pow(?:er)?$/,
};

/** Words with a bracket behind them that call nothing, and operators that are of one kind with a function. */
const NO_CALLS = words(
  'all and any between concat filter i_like in is like mod not or over row some using values',
);

/** Keep the names of the calls in a tree: of each kind as its statement writes it, where it does so in one way only. */
export function keepWrittenNames(root: unknown, tokens: readonly Token[]): unknown {
  const called = new Set<string>();
  for (const [at, { word, text }] of tokens.entries()) {
    if (word !== '' && tokens[at + 1]?.word === '(') called.add(text.toLowerCase());
  }
  const byKind = new Map<string, string | null>();
  const nameOf = (kind: string): string | null => {
    const known = byKind.get(kind);
    if (known !== undefined) return known;
    const own = plain(kind);
    const fits = (name: string) => ALIKE[kind]?.test(name) ?? plain(name) === own;
    const [only = null, another] = NO_CALLS.has(kind) ? [] : [...called].filter(fits);
    byKind.set(kind, another === undefined ? only : null);
    return another === undefined ? only : null;
  };
  walk(root, (node) => {
    const kind = called.size > 0 ? kindOf(node) : null;
    const name = kind === null ? null : nameOf(kind);
    if (name) names.set(node, name);
  });
  return root;
}

/** The parser's kinds part every capital, as in `j_s_o_n_array_length`. */
function plain(name: string): string {
  return name.replaceAll('_', '');
}
