// The token of a connector that signs in to its source: made once for all its sessions.

import { onAbort } from '../../async/abort.ts';

/** A token, and for how many milliseconds the source takes it. */
export interface MintedToken {
  readonly token: string;
  readonly lifeMs: number;
}

export interface TokenCache {
  /** The token, a new one where the last is four fifths through its life. Throws what making one throws. */
  get(signal: AbortSignal): Promise<string>;
  /** Make a new one next time, unless somebody did already: this one was refused. */
  forget(token: string): void;
}

const mintTimeoutMs = 30_000;

/**
 * A cache of one token. `learn` is called with each one that is made, so that no message holds it; those who ask while
 * one is made wait for it.
 */
export function tokenCache(
  mint: (signal: AbortSignal) => Promise<MintedToken>,
  learn: (secret: string) => void,
  now: () => number = Date.now,
): TokenCache {
  let kept: { token: string; until: number } | null = null;
  let flight: Promise<string> | null = null;

  // The signal of one caller must not end what others wait for.
  const make = async () => {
    const { token, lifeMs } = await mint(AbortSignal.timeout(mintTimeoutMs));
    learn(token);
    kept = { token, until: now() + lifeMs * 0.8 };
    return token;
  };

  return {
    async get(signal) {
      signal.throwIfAborted();
      if (kept && kept.until > now()) return kept.token;
      flight ??= make().finally(() => {
        flight = null;
      });
      flight.catch(() => {});
      return orAborted(flight, signal);
    },
    forget(token) {
      if (kept?.token === token) kept = null;
    },
  };
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = onAbort(signal, () => reject(signal.reason));
  });
  return Promise.race([work, aborted]).finally(() => stop());
}
