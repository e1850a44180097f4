// Forms: texts that are not sent yet stay in their tab, and fields follow the server until they are edited.

import { useEffect, useState } from 'react';

const prefix = 'headwater:draft:';
/** Where this browser keeps what was looked at last. */
export const recentPlace = 'headwater:recent';

/** What was kept under a name; null where nothing was. */
export function readText(name: string): string | null {
  return sessionStorage.getItem(prefix + name);
}

/** Keep a text under a name; an empty one is forgotten. */
export function keepText(name: string, text: string): void {
  if (text === '') sessionStorage.removeItem(prefix + name);
  else sessionStorage.setItem(prefix + name, text);
}

/** Forget all texts, and what was looked at: after signing out the next person must not find them. */
export function forgetTexts(): void {
  localStorage.removeItem(recentPlace);
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

/** What a form holds. */
export interface Form<Value> {
  readonly value: Value;
  write(value: Value): void;
  /** Give up what was written: the form follows the server again. */
  drop(): void;
  readonly isWritten: boolean;
  /** Whether somebody else changed the same since: to be said before it is saved. */
  readonly isOvertaken: boolean;
}

/** A form for a value that others may change at the same time; values are compared by content. */
export function useForm<Value>(now: Value): Form<Value> {
  const [own, setOwn] = useState<{ readonly value: Value; readonly from: Value } | null>(null);
  return {
    value: own === null ? now : own.value,
    write: (value) => setOwn({ value, from: own === null ? now : own.from }),
    drop: () => setOwn(null),
    isWritten: own !== null && !isSame(own.value, now),
    isOvertaken: own !== null && !isSame(own.from, now) && !isSame(own.value, now),
  };
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
