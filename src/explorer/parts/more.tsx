// Lists that are longer than what is shown of them: showing more, until all of it is there.

import { useEffect, useRef } from 'react';
import type { Rest } from '../asking/use-answer.ts';
import { words } from '../words.ts';
import { Problem } from './problem.tsx';

/** What can be reached by keyboard in a row. */
const reachable = 'a[href], button, summary, select, input';

/** The button below a list that shows more of it, and then leads to the first of what is new. */
export function More({ rest: { has, isLoading, error, load } }: { readonly rest: Rest }) {
  const place = useRef<HTMLDivElement>(null);
  /** How much could be reached when more was asked for; null where no one asked. */
  const before = useRef<number | null>(null);
  useEffect(() => {
    if (isLoading || before.current === null) return;
    const added = reachableAbove(place.current)[before.current];
    before.current = null;
    const { activeElement } = document;
    // Anyone who went elsewhere in the meantime stays there. The list stays where it is, too.
    const isHere = activeElement === document.body || place.current?.contains(activeElement);
    if (isHere) added?.focus({ preventScroll: true });
  });
  return (
    <div ref={place} className="further">
      {error && <Problem error={error} />}
      {has && (
        <button
          type="button"
          aria-disabled={isLoading}
          onClick={() => {
            before.current = reachableAbove(place.current).length;
            load();
          }}
        >
          {isLoading ? words.loading : words.more}
        </button>
      )}
    </div>
  );
}

function reachableAbove(place: HTMLElement | null): readonly HTMLElement[] {
  return [...(place?.previousElementSibling?.querySelectorAll<HTMLElement>(reachable) ?? [])];
}
