// A text with the words in it that were looked for.

interface Piece {
  readonly text: string;
  readonly matches: readonly { readonly start: number; readonly end: number }[];
}

interface MarkedProps {
  readonly piece: Piece;
  /** True where the text is Markdown: shown in a line, without the signs that make letters bold or code. */
  readonly isMarkdown?: boolean;
}

/** The text, with each match marked. Matches are in order and do not overlap. */
export function Marked({ piece: { text, matches }, isMarkdown = false }: MarkedProps) {
  const plain = (part: string) => (isMarkdown ? part.replaceAll(/\*\*|`/g, '') : part);
  const parts = matches.map(({ start, end }, at) => ({
    start,
    before: plain(text.slice(matches[at - 1]?.end ?? 0, start)),
    match: plain(text.slice(start, end)),
  }));
  return (
    <>
      {parts.map(({ start, before, match }) => (
        <span key={start}>
          {before}
          <mark>{match}</mark>
        </span>
      ))}
      {plain(text.slice(matches.at(-1)?.end ?? 0))}
    </>
  );
}
