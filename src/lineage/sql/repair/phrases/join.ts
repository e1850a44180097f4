// Joins that the parser does not know by all of their words.
import { type Token, wordAt } from '../../tokens/tokens.ts';
import { closing, cut } from '../text-edit.ts';
import { atEach } from './find.ts';

const KIND = /^(?:FULL|ANTI|SEMI|RIGHT|LEFT|INNER|OUTER|CROSS)$/;

/** DuckDB's `ASOF ANTI JOIN` and its like: which rows fit is no column's source. */
export const asOfJoins = atEach(({ tokens }, at) =>
  wordAt(tokens, at) === 'ASOF' && KIND.test(wordAt(tokens, at + 1))
    ? cut(tokens, at, at, 'ASOF was left out')
    : [],
);

/** Spark's `NATURAL ANTI JOIN` and `NATURAL CROSS JOIN`. */
export const naturalKinds = atEach(({ tokens }, at) => {
  const kinds = [wordAt(tokens, at + 1), wordAt(tokens, at + 2)];
  const isOdd = kinds.some((kind) => /^(?:ANTI|SEMI|CROSS)$/.test(kind));
  if (wordAt(tokens, at) !== 'NATURAL' || !isOdd) return [];
  return cut(tokens, at, at, 'NATURAL was left out');
});

/** Snowflake's `DIRECTED JOIN` only says in which order to join. */
export const directedJoins = atEach(({ tokens }, at) =>
  wordAt(tokens, at) === 'DIRECTED' ? cut(tokens, at, at, 'DIRECTED was left out') : [],
);

/** MySQL's `UPDATE t, (SELECT ...) AS d SET`: the parser takes tables there, and joins. */
export const joinsOfUpdate = atEach(({ tokens }, at) => {
  if (wordAt(tokens, at) !== ',' || wordAt(tokens, at + 1) !== '(') return [];
  const isHead = wordAt(tokens, 0) === 'UPDATE' && !tokens.slice(0, at).some(isSet);
  if (!isHead) return [];
  return cut(tokens, at, at, 'a comma was read as a join', ' CROSS JOIN ');
});

/** MySQL's `UPDATE t JOIN u USING (id) SET`: the parser takes nothing but ON there. */
export const usingOfUpdate = atEach(({ tokens }, at) => {
  if (wordAt(tokens, at) !== 'USING' || wordAt(tokens, at + 1) !== '(') return [];
  const isHead = wordAt(tokens, 0) === 'UPDATE' && !tokens.slice(0, at).some(isSet);
  const close = closing(tokens, at + 1);
  if (!isHead || close < 0) return [];
  const table = tokens[at - 1]?.text ?? '';
  const names = tokens.slice(at + 2, close).filter(({ word }) => word !== ',');
  const pairs = names.map(({ text }) => `${table}.${text} = ${table}.${text}`);
  return cut(tokens, at, close, 'USING was read as ON', `ON ${pairs.join(' AND ')}`);
});

function isSet({ word }: Token): boolean {
  return word === 'SET';
}
