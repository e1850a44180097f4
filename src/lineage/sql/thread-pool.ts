// Hands texts out to the parsing threads, as many at once as there are places for threads.
import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from '../../errors.ts';
import type { Lookup, SqlLineage, SqlQuestion } from './answer.ts';
import { ThreadSlot, type Tracing } from './thread-slot.ts';

/** The parsing threads of an engine. */
export interface ThreadPool {
  /** Throws ThreadFailed where its thread ended on the text, UNAVAILABLE where too many wait. */
  ask(question: SqlQuestion, lookup: Lookup): Promise<SqlLineage>;
  close(): Promise<void>;
}

const MOST_WAITING = 1_000;

/** A pool of up to `threads` threads, started as they are needed; `timeLimit` in milliseconds. */
export function openThreadPool(threads: number, timeLimit: number): ThreadPool {
  const waiting: Tracing[] = [];
  let isClosed = false;
  const slots = Array.from(
    { length: Math.max(1, threads) },
    () => new ThreadSlot(timeLimit, handOut),
  );

  function handOut(): void {
    while (waiting.length > 0) {
      // A thread that runs already goes before one that would have to start.
      const free = slots.filter((slot) => slot.isFree);
      const slot = free.find((each) => each.hasThread) ?? free[0];
      const text = slot && waiting.shift();
      if (!text) return;
      slot.take(text);
    }
  }

  return {
    ask(question, lookup) {
      if (isClosed) return Promise.reject(unavailable('The SQL engine is closed.'));
      if (waiting.length >= MOST_WAITING) {
        const why = 'Too many queries are waiting to be traced; try again later.';
        return Promise.reject(unavailable(why));
      }
      // A thread calls back in the context of the one who started it.
      const own = AsyncLocalStorage.bind(lookup);
      return new Promise((resolve, reject) => {
        waiting.push({ question, lookup: own, resolve, reject });
        handOut();
      });
    },
    async close() {
      isClosed = true;
      const ended = unavailable('The SQL engine was closed.');
      for (const text of waiting.splice(0)) text.reject(ended);
      await Promise.all(slots.map((slot) => slot.close(ended)));
    },
  };
}
