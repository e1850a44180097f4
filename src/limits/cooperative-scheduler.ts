// Cooperative scheduling of one request: a long answer is built in pieces, between which others are served.

import { type StateChanges, States } from '../async/states.ts';
import { invalid } from '../errors.ts';
import type { FairQueue } from './fair-queue.ts';

/** The most fields that an answer may have. */
export const maxFields = 500_000;
/** The most characters that an answer may have, as JSON. */
export const maxCharacters = 64_000_000;
/** Fields that are built in one turn, which takes a few milliseconds. */
const fieldsPerTurn = 1_500;

/** Characters that are written in one turn, which takes a few milliseconds. */
const charactersPerTurn = 500_000;

/** Answers of more fields wait for those of the same owner that began before. */
const manyFields = 20_000;

/** A turn was asked for (`waiting`), is being used or was (`begun`), or came when the request was over (`cancelled`). */
type TurnState = 'waiting' | 'begun' | 'cancelled';

const turnChanges: StateChanges<TurnState> = {
  waiting: ['begun', 'cancelled'],
  begun: [],
  cancelled: [],
};

/** A turn, and the number of fields to build in it. */
interface Turn {
  readonly state: States<TurnState>;
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

/** Decides what one request builds at once, and what in later turns. */
export class CooperativeScheduler {
  readonly #turns: FairQueue;
  readonly #owner: string;
  readonly #signal: Aborting;
  readonly #began = performance.now();
  /** Fields of this turn, and of the whole answer. */
  #inTurn = 0;
  #total = 0;
  #characters: number | null = null;
  /** The last turn that is waiting; more fields may be added to it. */
  #last: Turn | null = null;

  constructor(turns: FairQueue, owner: string, signal: Aborting) {
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
   * waited for the next row would not notice that another one failed, and an unhandled error ends a
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

  /** Note how many characters the texts of the answer have; null where they are not counted. */
  noteCharacters(characters: number | null): void {
    this.#characters = characters;
  }

  /** Whether the answer is so long that it takes several turns to write it, or may be. */
  get isLong(): boolean {
    const isWide = this.#characters === null || this.#characters > charactersPerTurn;
    return isWide || this.#total > 4 * fieldsPerTurn;
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

  /** Long answers are built one after the other: if they took turns, all would be ready when the last one is. */
  get #rank(): number {
    return this.#total > manyFields ? this.#began : 0;
  }

  /** The next turn that has room for so many fields. */
  #turnFor(fields: number): Promise<void> {
    if (this.#last && this.#last.fields + fields <= fieldsPerTurn) {
      this.#last.fields += fields;
      return this.#last.comes;
    }
    const turn: Turn = {
      state: new States<TurnState>(turnChanges, 'waiting'),
      fields,
      comes: this.#turns.next(this.#owner, this.#rank).then(() => this.#begin(turn)),
    };
    this.#last = turn;
    return turn.comes;
  }

  #begin(turn: Turn): void {
    try {
      this.#signal.throwIfAborted();
    } catch (error) {
      turn.state.become('cancelled');
      throw error;
    }
    turn.state.become('begun');
    if (this.#last === turn) this.#last = null;
    this.#inTurn = turn.fields;
  }
}

/** The refusal of an answer that has too many characters. */
export function answerTooLong(most: number): Error {
  return invalid(
    `Result too large (over ${most.toLocaleString('en')} characters). Ask for fewer rows with \`first\` or ` +
      '`page_size`, or for fewer fields.',
  );
}

function tooMany(): Error {
  return invalid(
    `Result too large (over ${maxFields.toLocaleString('en')} fields). Ask for fewer rows with \`first\`, or ` +
      'for fewer fields.',
  );
}
