// Difference of a text: added and removed, each with a sign and a word for screen readers.

import { useMemo, useState } from 'react';
import { words } from '../words.ts';
import { diffOf } from './diff.ts';

const signs = { both: ' ', before: '−', after: '+' };

/** Lines that are shown until their reader asks for all of them. */
const mostAtFirst = 2_000;

/** The lines of both texts. */
export function Difference({ before, after }: { before: string; after: string }) {
  const [isWhole, setWhole] = useState(false);
  const lines = useMemo(() => diffOf(before, after), [before, after]);
  const isCut = !isWhole && lines.length > mostAtFirst;
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys */}
      <pre className="difference" tabIndex={0}>
        {(isCut ? lines.slice(0, mostAtFirst) : lines).map(({ of, text, at }) => (
          <span key={at} className={of}>
            <span aria-hidden="true">{signs[of]} </span>
            {of !== 'both' && <span className="spoken">{words.diff[of]}</span>}
            {text}
            {'\n'}
          </span>
        ))}
      </pre>
      {isCut && (
        <p>
          <span className="quiet">{words.diff.cut(mostAtFirst, lines.length)}</span>{' '}
          <button type="button" onClick={() => setWhole(true)}>
            {words.showAll}
          </button>
        </p>
      )}
    </>
  );
}
