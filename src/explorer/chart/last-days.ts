// The last days, with those on which nothing happened.

export interface UsedOn {
  /** In UTC, as YYYY-MM-DD. */
  readonly day: string;
  readonly external: number;
  readonly internal: number;
}

const dayMs = 86_400_000;

/** How often something was used on each of so many days, the oldest first; the last of them is that of a moment. */
export function lastDays(used: readonly UsedOn[], count: number, now: number) {
  const byDay = new Map(used.map(({ day, external, internal }) => [day, external + internal]));
  return Array.from({ length: count }, (_, at) => {
    const day = new Date(now - (count - 1 - at) * dayMs).toISOString().slice(0, 10);
    return { day, uses: byDay.get(day) ?? 0 };
  });
}
