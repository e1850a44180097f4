// Unsaved input: the browser asks before a reload or a closed tab loses it.

import { useEffect } from 'react';

let isWritten = false;

function isInForm(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest('form') !== null;
}

addEventListener('input', ({ target }) => {
  if (isInForm(target)) isWritten = true;
});
// What the server refuses stays in the form; by then it was sent once, and the one who leaves knows of it.
addEventListener('submit', () => {
  isWritten = false;
});
addEventListener('beforeunload', (event) => {
  if (isWritten) event.preventDefault();
});

/** Anyone who goes to another page has left the form behind. */
export function useUnsaved(path: string): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is all that it depends on
  useEffect(() => {
    isWritten = false;
  }, [path]);
}
