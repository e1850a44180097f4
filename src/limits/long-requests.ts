// In charge of how many requests of one key are worked on at once that may take as long as they need, such as imports.

import { OwnLanes } from './turn.ts';

/** Seconds after which a client is told to try again: few imports are over sooner. */
const retryAfterSeconds = 10;

/** Keeps a place of a request, also when that is answered, until something is over. */
export type KeepPlace = (until: Promise<unknown>) => void;

/** The long requests of all keys of one process. */
export class LongRequests {
  readonly #lanes: OwnLanes;

  constructor(perKey: number) {
    this.#lanes = new OwnLanes({ places: perKey, whose, retryAfter: retryAfterSeconds });
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
    const leave = await this.#lanes.enter(owner, signal);
    const kept: Promise<unknown>[] = [];
    try {
      return await work((until) => kept.push(until));
    } finally {
      void Promise.allSettled(kept).then(leave);
    }
  }
}

const whose = 'of this key that may take long, such as imports,';
