// Lazy parts of the program, loaded when they are first asked for.

import type { RequestListener } from 'node:http';
import { failRequest } from './problem.ts';

/**
 * Answers requests with a listener that is made at the first one. `onUnexpected` is told where it can't be
 * made; the next request tries again, since what was in the way, such as too few files, may be gone.
 */
export function lateListener(
  make: () => Promise<RequestListener>,
  onUnexpected: (error: unknown) => void,
): RequestListener {
  let making: Promise<RequestListener> | undefined;
  return (request, response) => {
    making ??= make();
    void making.then(
      (listener) => {
        // Who left in the meantime would be noticed by no one any more.
        if (!response.destroyed) listener(request, response);
      },
      (error) => {
        making = undefined;
        failRequest(response);
        onUnexpected(error);
      },
    );
  };
}
