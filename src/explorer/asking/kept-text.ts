// In charge of texts that are written and not sent: they stay in their tab until they are, or somebody signs out.

import { useEffect, useState } from 'react';

const prefix = 'headwater:draft:';

/** What was kept under a name; null where nothing was. */
export function readText(name: string): string | null {
  return sessionStorage.getItem(prefix + name);
}

/** Keep a text under a name; an empty one is forgotten. */
export function keepText(name: string, text: string): void {
  if (text === '') sessionStorage.removeItem(prefix + name);
  else sessionStorage.setItem(prefix + name, text);
}

/** Whoever signs out leaves none of their texts to the next one. */
export function forgetTexts(): void {
  for (const key of Object.keys(sessionStorage)) {
    if (key.startsWith(prefix)) sessionStorage.removeItem(key);
  }
}

/** A text of a form: another page, or a reload, doesn't lose it. Write an empty one when it was sent. */
export function useKeptText(name: string): readonly [string, (text: string) => void] {
  const [text, setText] = useState(() => readText(name) ?? '');
  // The same form may be shown for something else.
  useEffect(() => setText(readText(name) ?? ''), [name]);
  const write = (next: string) => {
    keepText(name, next);
    setText(next);
  };
  return [text, write];
}
