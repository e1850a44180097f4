// In charge of what somebody fills in: it follows what the server says until they write, and is then theirs.

import { useState } from 'react';

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

/** A form for a value that others may change meanwhile; values are compared by what they hold. */
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
