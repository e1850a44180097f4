// Suggestions for typing errors: the known word that is most likely meant.

/** A word is told apart from others by its first letters; longer ones cost too much to compare. */
const longest = 60;
/** Of this many letters one may be wrong. */
const lettersPerSlip = 4;
/** Letters that a beginning has at least. */
const shortestBeginning = 3;

/**
 * The word that is nearest to what was given; undefined where none is near. What differs may be a letter
 * that is wrong, missing, too many or swapped with its neighbour, one in four; or all but the beginning.
 */
export function nearest(given: string, words: readonly string[]): string | undefined {
  const asked = given.slice(0, longest).toLowerCase();
  const allowed = Math.max(1, Math.floor(asked.length / lettersPerSlip));
  let best: { readonly word: string; readonly slips: number } | undefined;
  for (const word of words) {
    const slips = slipsBetween(asked, word.slice(0, longest).toLowerCase());
    if (slips <= allowed && (!best || slips < best.slips)) best = { word, slips };
  }
  return best?.word ?? words.find((word) => isLonger(asked, word.toLowerCase()));
}

/** Whether one begins with the whole of the other, as `filter[field]` and `filter` do. */
function isLonger(one: string, other: string): boolean {
  if (Math.min(one.length, other.length) < shortestBeginning) return false;
  return one.startsWith(other) || other.startsWith(one);
}

/** How many letters have to be changed, left out, put in or swapped to make one word of the other. */
function slipsBetween(one: string, other: string): number {
  let before: number[] = [];
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped =
        i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next[j] = Math.min(
        (row[j] ?? 0) + 1,
        (next[j - 1] ?? 0) + 1,
        (row[j - 1] ?? 0) + (isSame ? 0 : 1),
        isSwapped ? (before[j - 2] ?? 0) + 1 : Number.POSITIVE_INFINITY,
      );
    }
    before = row;
    row = next;
  }
  return row[other.length] ?? 0;
}
