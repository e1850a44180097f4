// In charge of showing how a text changed: what went and what came, each with a sign and in words for who listens.

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
