// In charge of how many requests of one key are worked on at once that may take as long as they need, such as imports.

import { Lane } from '../lane.ts';
import { enterInTime } from './turn.ts';

/** Seconds after which a client is told to try again: few imports are over sooner. */
const retryAfterSeconds = 10;

/** Keeps a place of a request, also when that is answered, until something is over. */
export type KeepPlace = (until: Promise<unknown>) => void;

/** The long requests of all keys of one process. */
export class LongRequests {
  readonly #perKey: number;
  readonly #lanes = new Map<string, Lane>();

  constructor(perKey: number) {
    this.#perKey = perKey;
  }

  /**
   * Do work as soon as its owner has a place for it. Throws TOO_MANY_REQUESTS when that takes too long, and an error
   * that is nobody's fault when the signal aborts before.
   */
  async run<T>(
    owner: string,
    signal: AbortSignal,
    work: (keepPlace: KeepPlace) => Promise<T>,
  ): Promise<T> {
    const lane = this.#lanes.get(owner) ?? new Lane(this.#perKey);
    this.#lanes.set(owner, lane);
    const leave = await enterInTime(lane, signal, whose, retryAfterSeconds);
    const kept: Promise<unknown>[] = [];
    const over = () => {
      leave();
      if (lane.isEmpty) this.#lanes.delete(owner);
    };
    try {
      return await work((until) => kept.push(until));
    } finally {
      void Promise.allSettled(kept).then(over);
    }
  }
}

const whose = 'of this key that may take long, such as imports,';
