// The editor of a text, which is loaded when someone begins to write.

import { later } from '../window/later.tsx';

export const LaterEditor = later(async () => (await import('./editor.tsx')).Editor, 8);
