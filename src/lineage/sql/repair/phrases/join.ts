// Joins that the parser does not know by all of their words.
import { cut } from '../text-edit.ts';
import { atEach, wordAt } from './find.ts';

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
  const before = tokens.slice(0, at).map(({ word }) => word);
  const isHead = before[0] === 'UPDATE' && !before.includes('SET');
  if (!isHead || wordAt(tokens, at) !== ',' || wordAt(tokens, at + 1) !== '(') return [];
  return cut(tokens, at, at, 'a comma was read as a join', ' CROSS JOIN ');
});
