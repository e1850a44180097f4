// In charge of lists that are longer than what is shown of them: showing more, as far as one answer goes.

import { useState } from 'react';
import { words } from '../words.ts';

/** Rows of one answer at most. */
const most = 1_000;

/** How much of a list is shown. */
export interface HowMany {
  readonly first: number;
  /** Show as many more as it began with. */
  grow(): void;
  /** Show as many as at the beginning. */
  restart(): void;
}

/** Show some of a list, and as many more with each click. */
export function useShown(atOnce: number): HowMany {
  const [first, setFirst] = useState(atOnce);
  return {
    first,
    grow: () => setFirst(Math.min(most, first + atOnce)),
    restart: () => setFirst(atOnce),
  };
}

interface MoreProps {
  readonly shown: HowMany;
  /** Whether the list goes on. */
  readonly has: boolean | undefined;
}

/** The button that shows more; where an answer can't hold more, that the list goes on. */
export function More({ shown: { first, grow }, has = false }: MoreProps) {
  if (!has) return null;
  if (first >= most) return <p className="quiet">{words.mostShown(most)}</p>;
  return (
    <button type="button" className="further" onClick={grow}>
      {words.more}
    </button>
  );
}
