// Position of what opens over a page: below its field, or above it where there is more room.

import { type RefObject, useLayoutEffect } from 'react';

const gap = 4;
const margin = 8;
const narrowest = 280;
const tallest = 360;

/** Keep a popover at its field while it is open, also where the page scrolls or the field grows. */
export function useAnchor(
  pop: RefObject<HTMLElement | null>,
  field: RefObject<HTMLElement | null>,
  isOpen: boolean,
): void {
  useLayoutEffect(() => {
    const [shown, anchor] = [pop.current, field.current];
    if (!isOpen || !shown || !anchor) return undefined;
    // A browser without popovers shows it in its place within the page.
    shown.showPopover?.();
    const move = () => place(shown, anchor.getBoundingClientRect());
    const sizes = new ResizeObserver(move);
    sizes.observe(anchor);
    addEventListener('scroll', move, { capture: true, passive: true });
    addEventListener('resize', move);
    return () => {
      sizes.disconnect();
      removeEventListener('scroll', move, { capture: true });
      removeEventListener('resize', move);
    };
  }, [pop, field, isOpen]);
}

function place({ style }: HTMLElement, { top, bottom, left, width }: DOMRect): void {
  const { clientWidth, clientHeight } = document.documentElement;
  const below = clientHeight - bottom - gap - margin;
  const above = top - gap - margin;
  const isBelow = below >= Math.min(tallest, above);
  const wide = Math.min(Math.max(width, narrowest), clientWidth - 2 * margin);
  style.width = `${wide}px`;
  style.left = `${Math.max(margin, Math.min(left, clientWidth - wide - margin))}px`;
  style.maxHeight = `${Math.min(tallest, isBelow ? below : above)}px`;
  style.top = isBelow ? `${bottom + gap}px` : 'auto';
  style.bottom = isBelow ? 'auto' : `${clientHeight - top + gap}px`;
}
