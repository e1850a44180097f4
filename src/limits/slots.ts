// In charge of how many requests of one key are worked on at once.

import { onAbort } from '../aborting.ts';
import { Lane } from '../database/lane.ts';
import { TooManyRequests } from '../errors.ts';

export interface SlotOptions {
  /** Requests of one key that are worked on at once. */
  readonly perKey: number;
  /** Milliseconds that others wait at most. */
  readonly waitMs: number;
  /** Requests of one key that wait at most. */
  readonly mayWait: number;
}

/** The requests of this process, by whose they are. */
export interface Slots {
  /**
   * Wait until a request of `owner` may be worked on; call the answered function when that is done.
   * Throws TOO_MANY_REQUESTS when it waited too long, or too many wait, and the reason of the signal
   * when that aborts.
   */
  enter(owner: string, signal: AbortSignal): Promise<() => void>;
}

/** Nobody has entered yet. */
export function openSlots({ perKey, waitMs, mayWait }: SlotOptions): Slots {
  const lanes = new Map<string, Lane>();
  return {
    async enter(owner, signal) {
      const lane = lanes.get(owner) ?? new Lane(perKey);
      if (lane.size >= perKey + mayWait) throw tooMany(perKey);
      lanes.set(owner, lane);
      const leave = await (lane.isFull ? enterInTime(lane, signal) : lane.enter(signal));
      return () => {
        leave();
        if (lane.size === 0) lanes.delete(owner);
      };
    },
  };

  async function enterInTime(lane: Lane, signal: AbortSignal): Promise<() => void> {
    const giveUp = new AbortController();
    const late = setTimeout(() => giveUp.abort(tooMany(perKey)), waitMs);
    const stopHearing = onAbort(signal, () => giveUp.abort(signal.reason));
    try {
      return await lane.enter(giveUp.signal);
    } finally {
      clearTimeout(late);
      stopHearing();
    }
  }
}

function tooMany(perKey: number): TooManyRequests {
  return new TooManyRequests(
    `${perKey} requests of this key are being worked on, the most at once; try again in 1 s.`,
    1,
  );
}
