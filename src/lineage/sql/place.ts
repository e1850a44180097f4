// Finds where in the text a name of the tree stands, for the tree itself holds no places.
import type { Place } from './answer.ts';
import type { Identifier } from './node.ts';
import type { Piece } from './split.ts';
import { placeOf, type Token, unquote } from './tokens.ts';

/**
 * The place of a reference: the first tokens of the statement that spell it and are no function,
 * no alias and no part of a longer name; else the first that spell it at all; else the statement.
 */
export function placeOfName(sql: string, piece: Piece, path: readonly Identifier[]): Place {
  const { tokens } = piece;
  let fallback: Token | undefined;
  for (let i = 0; i < tokens.length && path.length > 0; i++) {
    if (!spells(tokens, i, path)) continue;
    const first = tokens[i];
    const after = tokens[i + 2 * path.length - 1]?.word;
    const before = tokens[i - 1]?.word;
    fallback ??= first;
    if (first && after !== '(' && before !== '.' && before !== 'AS') return placeOf(sql, first.start);
  }
  return placeOf(sql, fallback?.start ?? piece.start);
}

function spells(tokens: readonly Token[], at: number, path: readonly Identifier[]): boolean {
  return path.every((part, i) => {
    const token = tokens[at + 2 * i];
    const dotted = i === 0 || tokens[at + 2 * i - 1]?.word === '.';
    return dotted && token !== undefined && isSpelled(token, part.name);
  });
}

function isSpelled(token: Token, name: string): boolean {
  if (token.kind !== 'word' && token.kind !== 'name') return false;
  return unquote(token).toLowerCase() === name.toLowerCase();
}
