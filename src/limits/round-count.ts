// In charge of how much was done in one round of the event loop: more of it can wait for the next.

/** Counts what is done in a round of the event loop, by who has it done. */
export class RoundCount {
  readonly #counts = new Map<string, number>();

  /** Count so much more; answers how much it was before. */
  add(owner: string, more: number): number {
    if (this.#counts.size === 0) setImmediate(() => this.#counts.clear());
    const before = this.#counts.get(owner) ?? 0;
    this.#counts.set(owner, before + more);
    return before;
  }
}
