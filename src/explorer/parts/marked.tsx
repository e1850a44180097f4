// In charge of a text with the words in it that were looked for.

interface Piece {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}

/** The text, with each match marked. Matches are in order and do not overlap. */
export function Marked({ piece: { text, matches } }: { piece: Piece }) {
  const parts = matches.map(({ start, end }, at) => ({
    start,
    before: text.slice(matches[at - 1]?.end ?? 0, start),
    match: text.slice(start, end),
  }));
  return (
    <>
      {parts.map(({ start, before, match }) => (
        <span key={start}>
          {before}
          <mark>{match}</mark>
        </span>
      ))}
      {text.slice(matches.at(-1)?.end ?? 0)}
    </>
  );
}
