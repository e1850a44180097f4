// Random numbers that are the same for the same seed.

/** A source of random choices. */
export interface Random {
  /** An integer from 0 to below a number. */
  below(n: number): number;
  /** Whether something happens that does so with this chance. */
  chance(share: number): boolean;
  /** One of several. */
  of<T>(list: readonly [T, ...T[]]): T;
}

/** Mulberry32: good enough for choices, and the same on every machine. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (n: number) => Math.floor(next() * n);
  return {
    below,
    chance: (share) => next() < share,
    of: (list) => list[below(list.length)] ?? list[0],
  };
}
