// Tabs wider than the window: the chosen one is in sight.

import { type RefObject, useEffect, useRef } from 'react';

/** For the element around the choices: it moves to the chosen one whenever that is another. */
export function useChosenInSight<Around extends HTMLElement>(
  chosen: string | undefined,
): RefObject<Around | null> {
  const around = useRef<Around>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: it moves when another one is chosen
  useEffect(() => {
    const { current } = around;
    const one = current?.querySelector<HTMLElement>('[aria-current], [aria-pressed="true"]');
    if (!current || !one) return;
    const { left, right } = current.getBoundingClientRect();
    const place = one.getBoundingClientRect();
    // Only sideways: the page stays where it is.
    if (place.left < left) current.scrollLeft += place.left - left;
    else if (place.right > right) current.scrollLeft += place.right - right;
  }, [chosen]);
  return around;
}
