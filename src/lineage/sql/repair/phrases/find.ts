// Small parts that finders of phrases are made of.
import { reads } from '../../tokens/tokens.ts';
import { cut, type Edit, type Finder } from '../text-edit.ts';
import type { Written } from '../written.ts';

/** Asks each token of a statement whether a phrase begins there. */
export function atEach(find: (written: Written, at: number) => Edit[]): Finder {
  return (written) => written.tokens.flatMap((_token, at) => find(written, at));
}

/** Leaves words out wherever they stand one behind the other. */
export function leaveOut(what: string, ...words: string[]): Finder {
  return atEach(({ tokens }, at) =>
    reads(tokens, at, ...words) ? cut(tokens, at, at + words.length - 1, what) : [],
  );
}
