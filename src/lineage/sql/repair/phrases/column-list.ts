// Phrases in lists of columns, which several dialects share: commas at the end, stars with patterns.

import { reads, wordAt } from '../../tokens/tokens.ts';
import { closing, cut } from '../text-edit.ts';
import { atEach } from './find.ts';

const BEHIND_LIST = /^(?:\)|\]|FROM|WHERE|GROUP|ORDER|HAVING|LIMIT|QUALIFY|UNION)$/;

/** `SELECT a, b, FROM t` and `(a, b,)`: a comma behind the last item. */
export const trailingCommas = atEach(({ tokens }, at) => {
  const ends = BEHIND_LIST.test(wordAt(tokens, at + 1)) && !/^[(,]$/.test(wordAt(tokens, at - 1));
  if (wordAt(tokens, at) !== ',' || !ends) return [];
  return cut(tokens, at, at, 'a comma at the end of a list was left out');
});

/**
 * Stands in the list of excluded names for `* ILIKE 'pattern'`, which columns a star shows; the kind of
 * the pattern and the pattern follow.
 */
export const STAR_PATTERN = 'only:';

/** `SELECT * LIKE 'a%'`, ILIKE, GLOB and SIMILAR TO, also with NOT. */
export const starPatterns = atEach(({ tokens }, at) => {
  const not = wordAt(tokens, at + 1) === 'NOT' ? 1 : 0;
  const first = at + 1 + not;
  const word = wordAt(tokens, first);
  const kind = not ? `NOT ${word}` : word;
  const isPattern = /^(?:LIKE|ILIKE|GLOB)$/.test(word);
  const length = not + (isPattern ? 2 : reads(tokens, first, 'SIMILAR', 'TO') ? 3 : 0);
  const pattern = tokens[at + length];
  const isStar =
    wordAt(tokens, at) === '*' && /^(?:SELECT|,|\.|DISTINCT)$/.test(wordAt(tokens, at - 1));
  if (!isStar || length === not || pattern?.kind !== 'string') return [];
  const text = pattern.text.slice(1, -1).replaceAll('"', '""');
  const what = 'the pattern of a star was read as a list of columns';
  return cut(tokens, at + 1, at + length, what, `EXCLUDE ("${STAR_PATTERN}${kind}:${text}")`);
});

/** `SELECT a AS 'b'`: an alias in single quotes. */
export const aliasTexts = atEach(({ tokens }, at) => {
  const text = tokens[at + 1];
  const behind = wordAt(tokens, at + 2);
  const isAlias =
    wordAt(tokens, at) === 'AS' && text?.kind === 'string' && /^(?:,|FROM)$/.test(behind);
  if (!isAlias || wordAt(tokens, at - 1) === ')') return [];
  const name = text.text.slice(1, -1).replaceAll('`', '');
  return cut(tokens, at + 1, at + 1, 'an alias in quotes was read as a name', `\`${name}\``);
});

/** `FROM VALUES 1, 2 AS t`: rows of one value without brackets. */
export const bareValues = atEach(({ tokens }, at) => {
  const first = tokens[at + 1];
  if (wordAt(tokens, at) !== 'VALUES' || !/^(?:number|string)$/.test(first?.kind ?? '')) return [];
  const edits = [];
  for (let i = at + 1; i < tokens.length; i += 2) {
    const value = tokens[i];
    if (!value || !/^(?:number|string)$/.test(value.kind)) break;
    edits.push(...cut(tokens, i, i, 'single values were put in brackets', `(${value.text})`));
    if (wordAt(tokens, i + 1) !== ',') break;
  }
  return edits;
});

/** `(VALUES (1, 2)) (a, b)`: a list of names without an alias before it. */
export const namesWithoutAlias = atEach(({ tokens }, at) => {
  const close = reads(tokens, at, '(', 'VALUES') ? closing(tokens, at) : -1;
  if (close < 0 || wordAt(tokens, close + 1) !== '(') return [];
  return cut(tokens, close, close, 'a list of names was given an alias', ') AS _values');
});
