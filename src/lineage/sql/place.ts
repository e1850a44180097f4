// Finds places in the text: of offsets, and of names, for the tree itself holds no places.
import type { TextPlace } from './answer.ts';
import type { Identifier } from './node.ts';
import type { Piece } from './tokens/piece.ts';
import { type Token, unquote } from './tokens/tokens.ts';

/** What comes before a name that is no reference to a column. */
const NO_REFERENCE = new Set(['.', 'AS', 'FROM', 'JOIN', 'INTO', 'UPDATE', 'TABLE']);

/** A text with the offsets at which its lines start. */
export interface Lines {
  readonly sql: string;
  readonly starts: readonly number[];
  /** Whether there are characters of two UTF-16 units. */
  readonly wide: boolean;
}

/** Find the lines once, for a script asks for many places. */
export function linesOf(sql: string): Lines {
  const starts = [0];
  for (let i = sql.indexOf('\n'); i >= 0; i = sql.indexOf('\n', i + 1)) starts.push(i + 1);
  return { sql, starts, wide: /[\ud800-\udbff]/.test(sql) };
}

/** Line and column, both from 1, of an offset; columns count characters, not UTF-16 units. */
export function placeOf({ sql, starts, wide }: Lines, offset: number): TextPlace {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const start = starts[low] ?? 0;
  const column = wide ? [...sql.slice(start, offset)].length : offset - start;
  return { line: low + 1, column: column + 1 };
}

/**
 * The place of a reference: the first tokens of the statement that spell it and are no function,
 * no alias and no part of a longer name; else the first that spell it at all; else the statement.
 */
export function placeOfName(lines: Lines, piece: Piece, path: readonly Identifier[]): TextPlace {
  const { tokens } = piece;
  let fallback: Token | undefined;
  for (let i = 0; i < tokens.length && path.length > 0; i++) {
    const first = tokens[i];
    if (!spells(tokens, i, path)) {
      if (first && endsWith(first, path)) fallback ??= first;
      continue;
    }
    const after = tokens[i + 2 * path.length - 1]?.word;
    const before = tokens[i - 1]?.word;
    fallback ??= first;
    if (first && after !== '(' && after !== '.' && !(before && NO_REFERENCE.has(before)))
      return placeOf(lines, first.start);
  }
  return placeOf(lines, fallback?.start ?? piece.start);
}

function spells(tokens: readonly Token[], at: number, path: readonly Identifier[]): boolean {
  return path.every((part, i) => {
    const token = tokens[at + 2 * i];
    const dotted = i === 0 || tokens[at + 2 * i - 1]?.word === '.';
    return dotted && token !== undefined && isSpelled(token, part.name);
  });
}

/** Whether one pair of quotes holds a path that ends with these names, as in `a-b.c.d`. */
function endsWith(token: Token, path: readonly Identifier[]): boolean {
  const ending = `.${path.map(({ name }) => name).join('.')}`;
  return token.kind === 'name' && unquote(token).toLowerCase().endsWith(ending.toLowerCase());
}

function isSpelled(token: Token, name: string): boolean {
  if (token.kind !== 'word' && token.kind !== 'name') return false;
  return unquote(token).toLowerCase() === name.toLowerCase();
}
