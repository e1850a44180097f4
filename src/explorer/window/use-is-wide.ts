// Whether the window is wide enough for something, as in the styles.

import { useSyncExternalStore } from 'react';

/** From how many pixels there is room for a side column, and for a third one. */
const widths = { side: 701, third: 1200 };
type Room = keyof typeof widths;

const queryOf = (room: Room) => matchMedia(`(min-width: ${widths[room]}px)`);

/** Whether the window has room for a side column, or for what else is named. */
export function useIsWide(room: Room = 'side'): boolean {
  return useSyncExternalStore(
    (listener) => {
      const query = queryOf(room);
      query.addEventListener('change', listener);
      return () => query.removeEventListener('change', listener);
    },
    () => queryOf(room).matches,
  );
}
