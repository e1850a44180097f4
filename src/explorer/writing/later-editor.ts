// The editor of a text, which is loaded behind the page that it is of.

import { useEffect } from 'react';
import { later } from '../window/later.tsx';

const load = async () => (await import('./editor.tsx')).Editor;

export const LaterEditor = later(load, 9);

/** Have the editor once the page is there, for those who may write: they begin without a network, too. */
export function useEditorAhead(mayWrite: boolean): void {
  useEffect(() => {
    if (mayWrite) load().catch(() => undefined);
  }, [mayWrite]);
}
