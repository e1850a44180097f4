// In charge of answers that wait for their clients to read them: how much of them there is, and for how long.

/** Shorter ones are not looked at, in characters: as many as there may be connections are little. */
export const leastUnsent = 65_536;

/** What answers may wait. */
export interface UnsentLimits {
  /** Characters of all that wait in one process; bytes of those that are packed. */
  readonly most: number;
  /** Each may wait for so many milliseconds, */
  readonly patienceMs: number;
  /** and for as long as it takes to read it at this pace, in characters a second. */
  readonly leastPace: number;
}

/** Four of the longest answers, or hundreds of a megabyte. */
const usual: UnsentLimits = { most: 256_000_000, patienceMs: 60_000, leastPace: 100_000 };

/** An answer that waits. */
interface Waiting {
  readonly owner: string;
  readonly characters: number;
  readonly giveUp: () => void;
  readonly late: NodeJS.Timeout;
}

/** The answers of a process that wait. */
export interface Unsent {
  /**
   * Note an answer; call the answered function when it is sent, or its client has gone. Where it waits for too long, or
   * too much waits and it is the oldest of whoever has most, it is given up.
   */
  wait(owner: string, characters: number, giveUp: () => void): () => void;
}

export function createUnsent({ most, patienceMs, leastPace }: UnsentLimits = usual): Unsent {
  const waiting = new Set<Waiting>();
  let characters = 0;

  function leave(one: Waiting): void {
    if (!waiting.delete(one)) return;
    clearTimeout(one.late);
    characters -= one.characters;
  }

  /** The oldest answer of the owner who has most of them. */
  function first(): Waiting | undefined {
    const sums = new Map<string, number>();
    for (const one of waiting) sums.set(one.owner, (sums.get(one.owner) ?? 0) + one.characters);
    const largest = Math.max(...sums.values());
    return [...waiting].find(({ owner }) => sums.get(owner) === largest);
  }

  return {
    wait(owner, length, giveUp) {
      const ms = patienceMs + (length / leastPace) * 1_000;
      const late = setTimeout(() => {
        leave(one);
        giveUp();
      }, ms);
      late.unref();
      const one = { owner, characters: length, giveUp, late };
      waiting.add(one);
      characters += length;
      while (characters > most) {
        const oldest = first();
        if (!oldest) break;
        leave(oldest);
        oldest.giveUp();
      }
      return () => leave(one);
    },
  };
}

/** The answers of this process. */
export const unsent: Unsent = createUnsent();
