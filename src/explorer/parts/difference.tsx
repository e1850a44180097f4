// Difference of a text: added and removed, each with a sign and a word for screen readers.

import { words } from '../words.ts';
import { diffOf } from './diff.ts';

const signs = { both: ' ', before: '−', after: '+' };

/** The lines of both texts. */
export function Difference({ before, after }: { before: string; after: string }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what is wider than the page is moved by keys
    <pre className="difference" tabIndex={0}>
      {diffOf(before, after).map(({ of, text, at }) => (
        <span key={at} className={of}>
          <span aria-hidden="true">{signs[of]} </span>
          {of !== 'both' && <span className="spoken">{words.diff[of]}</span>}
          {text}
          {'\n'}
        </span>
      ))}
    </pre>
  );
}
