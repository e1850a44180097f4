// Lets requests wait for the answer to a question that is asked after they came, one for all that wait.

import { setTimeout as sleep } from 'node:timers/promises';

/** Anyone who has waited for so long goes on without an answer, in milliseconds. */
const patienceMs = 100;
/** Where somebody always waits, a question is asked this often at most. */
const gapMs = 2;

/** Questions to one server, one at a time. */
export class NextAnswer {
  #waiting = new Set<(isAnswered: boolean) => void>();
  #wake = () => {};

  /** True once a question is answered that is asked after this call; false where that takes too long. */
  wait(): Promise<boolean> {
    return new Promise((resolve) => {
      const settle = (isAnswered: boolean) => {
        clearTimeout(late);
        this.#waiting.delete(settle);
        resolve(isAnswered);
      };
      const late = setTimeout(settle, patienceMs, false);
      this.#waiting.add(settle);
      this.#wake();
    });
  }

  /** Ask a question for all that wait now. Throws what goes wrong with it. */
  async ask(question: () => Promise<void>): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = new Set();
    let isAnswered = false;
    try {
      await question();
      isAnswered = true;
    } finally {
      for (const settle of waiting) settle(isAnswered);
    }
  }

  /** Settles when the next question is due: after so long, or as soon as somebody waits for it. */
  async due(ms: number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const over = new AbortController();
    const end = () => over.abort();
    signal.addEventListener('abort', end, { once: true });
    const isAwaited = this.#waiting.size > 0;
    if (!isAwaited) this.#wake = end;
    const pauseMs = isAwaited ? gapMs : ms;
    await sleep(pauseMs, undefined, { signal: over.signal, ref: false }).catch(() => {});
    this.#wake = () => {};
    signal.removeEventListener('abort', end);
  }
}
