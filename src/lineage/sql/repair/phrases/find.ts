// Small parts that finders of phrases are made of.
import type { Token } from '../../tokens/tokens.ts';
import { cut, type Edit, type Finder } from '../text-edit.ts';
import type { Written } from '../written.ts';

/** Asks each token of a statement whether a phrase begins there. */
export function atEach(find: (written: Written, at: number) => Edit[]): Finder {
  return (written) => written.tokens.flatMap((_token, at) => find(written, at));
}

/** The word at a place in upper case, a mark as it is, and nothing beyond the ends. */
export function wordAt(tokens: readonly Token[], at: number): string {
  return tokens[at]?.word ?? '';
}

/** Whether these words stand one behind the other from a place on. */
export function reads(tokens: readonly Token[], at: number, ...words: string[]): boolean {
  return words.every((word, i) => wordAt(tokens, at + i) === word);
}

/** Whether a token is a name, quoted or not. */
export function isName(token: Token | undefined): boolean {
  return token?.kind === 'name' || token?.kind === 'word';
}

/** Leaves words out wherever they stand one behind the other. */
export function leaveOut(what: string, ...words: string[]): Finder {
  return atEach(({ tokens }, at) =>
    reads(tokens, at, ...words) ? cut(tokens, at, at + words.length - 1, what) : [],
  );
}
