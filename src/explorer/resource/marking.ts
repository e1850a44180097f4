// The keys that mark text in the editor: bold, italic, a link.

import type { KeyboardEvent } from 'react';

const marks: Readonly<Record<string, readonly [string, string]>> = {
  b: ['**', '**'],
  i: ['*', '*'],
  k: ['[', '](https://)'],
};

/** The text with marks around what is chosen in it; null where the key does nothing of the kind. */
export function applyKey(event: KeyboardEvent<HTMLElement>): string | null {
  const { target, key, ctrlKey, metaKey } = event;
  const mark = marks[key];
  if (!mark || !(ctrlKey || metaKey) || !(target instanceof HTMLTextAreaElement)) return null;
  event.preventDefault();
  const { selectionStart: start, selectionEnd: end, value } = target;
  const chosen = value.slice(start, end);
  target.setRangeText(`${mark[0]}${chosen}${mark[1]}`, start, end, 'end');
  return target.value;
}
