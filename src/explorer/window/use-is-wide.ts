// Whether the window is wide enough for a side column, as in the styles.

import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 701px)');

function onChange(listener: () => void): () => void {
  wide.addEventListener('change', listener);
  return () => wide.removeEventListener('change', listener);
}

/** Whether the window is wide. */
export function useIsWide(): boolean {
  return useSyncExternalStore(onChange, () => wide.matches);
}
