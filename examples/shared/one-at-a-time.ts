// Asks again after each call, one request at a time: what is called while one is under way leads to one more.
// An answer on its way may be older than the news that has just come.

/** A function that may be called as often as there is news. */
export function oneAtATime(again: () => Promise<unknown>): () => Promise<void> {
  let isDue = false;
  let isRunning = false;
  return async () => {
    isDue = true;
    if (isRunning) return;
    isRunning = true;
    while (isDue) {
      isDue = false;
      // The view has the error as well, and says it; a view that has gone ends its request.
      await again().catch(() => undefined);
    }
    isRunning = false;
  };
}
