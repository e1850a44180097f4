// Named states: which there are, which may follow which, and an assertion at each change.

/** For each state those that may follow it. */
export type StateChanges<State extends string> = Readonly<Record<State, readonly State[]>>;

/** The state of one thing. */
export class States<State extends string> {
  readonly #changes: StateChanges<State>;
  #now: State;

  constructor(changes: StateChanges<State>, first: State) {
    this.#changes = changes;
    this.#now = first;
  }

  get now(): State {
    return this.#now;
  }

  /** Throws where the new state may not follow the one before, which is a fault of the caller. */
  become(next: State): void {
    if (!this.#changes[this.#now].includes(next)) {
      throw new Error(`The state ${next} may not follow ${this.#now}.`);
    }
    this.#now = next;
  }
}
