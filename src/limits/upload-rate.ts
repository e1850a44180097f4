// Rate limit of uploads by key: a minute of this process. Programs send them, which come again later.

import { overloaded } from '../errors.ts';

/** Counts uploads before their files are read. */
export interface UploadRate {
  /** Count an upload of an owner. Throws UNAVAILABLE, with the seconds to wait, where it is one too many. */
  count(owner: string): void;
}

const minuteMs = 60_000;

/** Limit the uploads of each owner to so many in a minute; 0 sets no limit. */
export function createUploadRate(
  perMinute: number,
  now: () => number = () => performance.now(),
): UploadRate {
  const minutes = new Map<string, { readonly began: number; count: number }>();
  return {
    count(owner) {
      if (perMinute === 0) return;
      const at = now();
      // Few keys upload: those whose minute is over are left out with the next one that begins.
      for (const [one, { began }] of minutes) if (at - began >= minuteMs) minutes.delete(one);
      const minute = minutes.get(owner) ?? { began: at, count: 0 };
      minutes.set(owner, minute);
      minute.count += 1;
      if (minute.count <= perMinute) return;
      const seconds = Math.max(1, Math.ceil((minute.began + minuteMs - at) / 1_000));
      throw overloaded(
        `A key may upload ${perMinute} times a minute; try again in ${seconds} s.`,
        seconds,
      );
    },
  };
}
