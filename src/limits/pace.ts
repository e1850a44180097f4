// The main thread: long answers are built in pieces, between which others are served.

import { invalid } from '../errors.ts';

/** The most fields that an answer may have. */
export const maxFields = 500_000;
/** Fields of an answer that are built in one piece, which takes some milliseconds. */
const fieldsPerTurn = 1_500;

/** After a turn, others who are at work have as long as it took to get on, but no longer than this, in milliseconds. */
const maxPauseMs = 10;

/** Hands out turns on the main thread: one a round of the event loop, to all owners alike. */
export interface Turns {
  /** Resolves when it is the owner's turn. */
  next(owner: string): Promise<void>;
  /** Note that an owner is at work, until the answered function is called. */
  begin(owner: string): () => void;
}

/** The event loop, as far as turns need it. */
export interface EventLoop {
  /** The time, in milliseconds. */
  now(): number;
  /** Run something in the next round, after what has come in until then. */
  nextRound(work: () => void): void;
  /** Run something after so many milliseconds. */
  after(ms: number, work: () => void): void;
}

const ofThisProcess: EventLoop = {
  now: () => performance.now(),
  nextRound: (work) => void setImmediate(work),
  after: (ms, work) => void setTimeout(work, ms),
};

/** The turns of a process. */
export function createTurns(loop: EventLoop = ofThisProcess): Turns {
  const waiting = new Map<string, (() => void)[]>();
  const atWork = new Map<string, number>();
  let isGiving = false;

  function give(): void {
    const [first] = waiting;
    if (!first) {
      isGiving = false;
      return;
    }
    const [owner, queue] = first;
    queue.shift()?.();
    // Who still has something to do comes after all others.
    waiting.delete(owner);
    if (queue.length > 0) waiting.set(owner, queue);
    const began = loop.now();
    loop.nextRound(() => {
      if (!hasOthersAtWork()) return give();
      loop.after(Math.min(loop.now() - began, maxPauseMs), give);
    });
  }

  /** Whether somebody is served who needs no turn: each answer of the database takes a round of the event loop. */
  function hasOthersAtWork(): boolean {
    for (const owner of atWork.keys()) if (!waiting.has(owner)) return true;
    return false;
  }

  return {
    next(owner) {
      return new Promise((resolve) => {
        const queue = waiting.get(owner) ?? [];
        queue.push(resolve);
        waiting.set(owner, queue);
        if (isGiving) return;
        isGiving = true;
        loop.nextRound(give);
      });
    },
    begin(owner) {
      atWork.set(owner, (atWork.get(owner) ?? 0) + 1);
      return () => {
        const left = (atWork.get(owner) ?? 1) - 1;
        if (left > 0) atWork.set(owner, left);
        else atWork.delete(owner);
      };
    },
  };
}

/** The turns on the main thread of this process, of which it has one. */
export const mainThread: Turns = createTurns();

/** A turn that was asked for, and what is to be built in it. */
interface Turn {
  readonly comes: Promise<void>;
  fields: number;
}

/** The rows of a long list, each piece of which comes when its turn has come. */
export class Pieces<T> {
  readonly #read: () => AsyncIterable<readonly T[]>;

  constructor(read: () => AsyncIterable<readonly T[]>) {
    this.#read = read;
  }

  /** All pieces in their order. Throws the reason of the request's signal when that is aborted. */
  read(): AsyncIterable<readonly T[]> {
    return this.#read();
  }
}

/** The rows of a list: at once, when it is their turn, or piece by piece. */
export type Shared<T> = readonly (T | Promise<T>)[] | Promise<readonly T[]> | Pieces<T>;

/** What says that a request is over, such as its signal. */
type Aborting = Pick<AbortSignal, 'throwIfAborted'>;

/** How one request gets on with its answer. */
export class Pace {
  readonly #turns: Turns;
  readonly #owner: string;
  readonly #signal: Aborting;
  /** Fields that were built in this turn, and in all. */
  #inTurn = 0;
  #total = 0;
  /** The last turn that was asked for and has not come yet. */
  #last: Turn | null = null;

  constructor(turns: Turns, owner: string, signal: Aborting) {
    this.#turns = turns;
    this.#owner = owner;
    this.#signal = signal;
  }

  /**
   * The rows of a list, each of which makes so many fields of the answer: at once where this turn has
   * room for them, else when their turn has come. Throws BAD_REQUEST when the answer has more fields
   * than it may, and the reason of the signal when that is aborted.
   *
   * An executor that doesn't know pieces (`takesPieces`) has a promise for each row, from the beginning: one that
   * waited for the next row would not notice that another one failed, and an error that nobody handles ends a
   * process.
   */
  share<T>(rows: readonly T[], fieldsEach: number, takesPieces: boolean): Shared<T> {
    this.#signal.throwIfAborted();
    const fields = rows.length * fieldsEach;
    this.#total += fields;
    if (this.#total > maxFields) throw tooMany();
    if (this.#inTurn + fields <= fieldsPerTurn) {
      this.#inTurn += fields;
      return rows;
    }
    if (fields <= fieldsPerTurn) return this.#turnFor(fields).then(() => rows);
    const pieces = this.#piecesOf(rows, fieldsEach);
    return takesPieces
      ? new Pieces(() => this.#inPieces(pieces, fieldsEach))
      : this.#asPromises(pieces, fieldsEach);
  }

  /**
   * Build so many fields more, of a work that is done in small pieces: at once, or when the answered
   * promise is kept.
   */
  spend(fields: number): Promise<void> | null {
    if (this.#inTurn + fields > fieldsPerTurn) return this.#turnFor(fields);
    this.#inTurn += fields;
    return null;
  }

  /** The next turn, for work that is not counted in fields. Throws the reason of the signal when that is aborted. */
  next(): Promise<void> {
    return this.#turnFor(fieldsPerTurn);
  }

  /** Whether the answer is so long that it takes several turns. */
  get isLong(): boolean {
    return this.#total > 4 * fieldsPerTurn;
  }

  async *#inPieces<T>(
    pieces: Iterable<readonly T[]>,
    fieldsEach: number,
  ): AsyncGenerator<readonly T[]> {
    for (const piece of pieces) {
      await this.#turnFor(piece.length * fieldsEach);
      yield piece;
    }
  }

  #asPromises<T>(pieces: Iterable<readonly T[]>, fieldsEach: number): Promise<T>[] {
    const promises: Promise<T>[] = [];
    for (const piece of pieces) {
      const comes = this.#turnFor(piece.length * fieldsEach);
      for (const row of piece) promises.push(comes.then(() => row));
    }
    return promises;
  }

  *#piecesOf<T>(rows: readonly T[], fieldsEach: number): Generator<readonly T[]> {
    const perTurn = Math.max(1, Math.floor(fieldsPerTurn / fieldsEach));
    for (let from = 0; from < rows.length; from += perTurn) yield rows.slice(from, from + perTurn);
  }

  /** The next turn that has room for so many fields. */
  #turnFor(fields: number): Promise<void> {
    if (this.#last && this.#last.fields + fields <= fieldsPerTurn) {
      this.#last.fields += fields;
      return this.#last.comes;
    }
    const turn: Turn = {
      fields,
      comes: this.#turns.next(this.#owner).then(() => {
        this.#signal.throwIfAborted();
        if (this.#last === turn) this.#last = null;
        this.#inTurn = turn.fields;
      }),
    };
    this.#last = turn;
    return turn.comes;
  }
}

function tooMany(): Error {
  return invalid(
    `The answer has more than ${maxFields.toLocaleString('en')} fields, the most that one may have: ` +
      'ask for fewer rows with `first`, or for fewer fields.',
  );
}
