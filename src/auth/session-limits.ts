// How long sessions of people last.

/** How long sessions last. */
export interface SessionLimits {
  /** Since it was last used, in milliseconds. */
  readonly idleMs: number;
  /** Since the person signed in, in milliseconds. */
  readonly maxAgeMs: number;
}

/** Uses of a session are noted to the minute. */
export const minuteMs = 60_000;

/** When a session ends if no one uses it from now on. */
export function endOf(
  { createdAt, lastUsedAt }: { readonly createdAt: Date; readonly lastUsedAt: Date },
  { idleMs, maxAgeMs }: SessionLimits,
): Date {
  // Uses are noted to the minute: one at its end is to count.
  const idle = lastUsedAt.getTime() + minuteMs + idleMs;
  return new Date(Math.min(idle, createdAt.getTime() + maxAgeMs));
}
