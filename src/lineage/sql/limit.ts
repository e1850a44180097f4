// Refuses statements that are beyond the parser, before it spends seconds to find that out.
import type { Failure } from './failure.ts';
import type { Piece } from './tokens/piece.ts';

/** The parser's own limit on nesting, which also counts the branches of a set operation. */
const DEEPEST = 512;
const MOST_TOKENS = 500_000;

/** Why a statement can't be parsed, judged by its tokens alone; null when it may be tried. */
export function beyondLimits(piece: Piece): Failure | null {
  if (piece.tokens.length > MOST_TOKENS) return refuse(piece, 'has too many tokens', MOST_TOKENS);
  let depth = 0;
  let branches = 0;
  for (const { word } of piece.tokens) {
    if (word === '(' || word === '[') depth++;
    else if (word === ')' || word === ']') depth--;
    else if (depth === 0 && (word === 'UNION' || word === 'INTERSECT')) branches++;
    if (depth > DEEPEST) return refuse(piece, 'is nested too deeply', DEEPEST);
    if (branches > DEEPEST) return refuse(piece, 'combines too many queries', DEEPEST);
  }
  return null;
}

function refuse(piece: Piece, what: string, limit: number): Failure {
  const message = `The statement ${what} (the limit is ${limit}).`;
  return { message, expected: null, offset: piece.start, final: true };
}
