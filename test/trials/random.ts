// Random numbers that are the same in every run.

/** A stream of random numbers that its seed decides. */
export interface Random {
  /** Evenly from 0 up to 1. */
  even(): number;
  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number;
  /** One of a list. */
  pick<T>(list: readonly [T, ...T[]]): T;
  /** Normal, with mean 0 and standard deviation 1. */
  normal(): number;
  /** Student's t: normal in the middle, wild at the ends. */
  student(freedom: number): number;
  /** Waiting time with a mean. */
  waiting(mean: number): number;
  /** How many events come when `mean` are expected. */
  events(mean: number): number;
}

/** A stream for a seed (mulberry32 under the Box-Muller transform). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  const even = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = (): number =>
    Math.sqrt(-2 * Math.log(1 - even())) * Math.cos(2 * Math.PI * even());
  return {
    even,
    normal,
    whole: (low, high) => low + Math.floor(even() * (high - low + 1)),
    pick: (list) => list[Math.floor(even() * list.length)] ?? list[0],
    student(freedom) {
      let squares = 0;
      for (let i = 0; i < freedom; i++) squares += normal() ** 2;
      return normal() / Math.sqrt(squares / freedom);
    },
    waiting: (mean) => -mean * Math.log(1 - even()),
    events(mean) {
      if (mean > 60) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      let count = -1;
      for (let left = 1; left > Math.exp(-mean); left *= even()) count++;
      return count;
    },
  };
}
