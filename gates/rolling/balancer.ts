// Sending each request to a server that is ready, as a balancer does, and of which failed.

import { setTimeout as sleep } from 'node:timers/promises';

/** How often the balancer asks each server whether it is ready. */
const checkMs = 100;
/** How long it may take until a server that was started is found to be ready. */
const startMs = 120_000;
/** Who has no answer by then has failed. */
const patienceMs = 30_000;
/** How long a request is kept while no server is ready; then it has failed. */
const keptMs = 1_000;

/** Sends each request to the next server that said it was ready. Tries nothing twice. */
export class Balancer {
  readonly failures: string[] = [];
  answered = 0;
  /** Requests that found no server ready, and the longest that one of them was kept, in milliseconds. */
  readonly kept = { requests: 0, longestMs: 0 };
  readonly #bases: readonly string[];
  readonly #ready = new Set<string>();
  readonly #stopping = new AbortController();
  #next = 0;

  constructor(bases: readonly string[]) {
    this.#bases = bases;
    for (const base of bases) void this.#watch(base);
  }

  /** Wait until a server is found to be ready. */
  async readiness(base: string): Promise<void> {
    for (const until = performance.now() + startMs; performance.now() < until; ) {
      if (this.#ready.has(base)) return;
      await sleep(checkMs / 10);
    }
    throw new Error(`${base} is not ready.`);
  }

  async #watch(base: string): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const answer = await fetch(`${base}/readyz`, { signal }).catch(() => null);
      await answer?.text().catch(() => {});
      if (answer?.ok) this.#ready.add(base);
      else this.#ready.delete(base);
      await sleep(checkMs);
    }
  }

  /** Send a request, and note what came of it: a status of 400 and more has failed, and an error of GraphQL. */
  async send(path: string, init: RequestInit): Promise<void> {
    const base = await this.#choose();
    if (base === null) {
      this.failures.push(`${path}: no server was ready for ${keptMs} ms`);
      return;
    }
    try {
      const signal = AbortSignal.timeout(patienceMs);
      const answer = await fetch(base + path, { ...init, signal });
      const body = await answer.text();
      this.answered += 1;
      const isWell = answer.status < 400 && !body.includes('"errors":');
      if (!isWell) this.failures.push(`${path}: ${answer.status} ${body.slice(0, 300)}`);
    } catch (error) {
      const cause = error instanceof Error ? (error.cause ?? error) : error;
      this.failures.push(`${base}${path}: ${cause}`);
    }
  }

  /** The next server that is ready; null where there is none for too long. */
  async #choose(): Promise<string | null> {
    // On a starved machine a server may be late to say so while the other one is replaced.
    const began = performance.now();
    while (this.#ready.size === 0 && performance.now() - began < keptMs) await sleep(10);
    const ms = performance.now() - began;
    if (ms > 10) {
      this.kept.requests += 1;
      this.kept.longestMs = Math.max(this.kept.longestMs, ms);
    }
    const ready = this.#bases.filter((base) => this.#ready.has(base));
    this.#next += 1;
    return ready[this.#next % ready.length] ?? null;
  }

  stop(): void {
    this.#stopping.abort();
  }
}
