// Makes the sets of words that the tables of keywords are.

/** The words of some lines of text, separated by blanks. */
export function words(...lines: string[]): ReadonlySet<string> {
  return new Set(lines.join(' ').split(' '));
}
