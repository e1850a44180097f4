// Request bodies: limited in size and time, and read in turns.

import { CatalogError, invalid, tooLarge } from '../errors.ts';
import { mainThread, TickCounter } from '../limits/fair-queue.ts';

// A client that sends its body in drips, or nothing more, is waited for so long, in milliseconds.
const patience = 10_000;

/** A longer body is decoded, and made into values, in a turn of its own: many may come at the same time. */
export const longBytes = 50_000;

/**
 * What is read of all bodies in one round of the event loop, in bytes, before the next piece waits for its turn.
 * Without a bound a round reads as much as has come of each, and no one is served in the meantime.
 */
const bytesPerRound = 65_536;
const read = new TickCounter();

/** Of one key or session so many are gone on with in one round of the event loop; more wait for their turn, however short. */
const perRound = 4;
const begun = new TickCounter();

/** Whose a body is, and what is done where it comes too slowly. */
export interface IntakeOptions {
  readonly maxBytes: number;
  /** With whom it takes turns: `ownerOf` its headers. */
  readonly owner: string;
  readonly giveUp: (error: Error) => void;
}

/** One body that comes in. Its pieces are put into it one after the other. */
export class Intake {
  readonly #maxBytes: number;
  readonly #owner: string;
  readonly #giveUp: () => void;
  readonly #chunks: Uint8Array[] = [];
  #bytes = 0;
  /** How long the client is still waited for, in milliseconds, since when, and what ends it. */
  #left = patience;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor({ maxBytes, owner, giveUp }: IntakeOptions) {
    this.#maxBytes = maxBytes;
    this.#owner = owner;
    this.#giveUp = () => giveUp(tooSlow());
    this.#wait();
  }

  /** Take the next piece: null when the one after it can be read at once, else when that can be. Throws PAYLOAD_TOO_LARGE. */
  take(chunk: Uint8Array): Promise<void> | null {
    const { byteLength } = chunk;
    this.#bytes += byteLength;
    if (this.#bytes > this.#maxBytes) throw tooLong(this.#maxBytes);
    this.#chunks.push(chunk);
    if (read.add('all bodies', byteLength) + byteLength < bytesPerRound) return null;
    // What the server takes is not the client's time.
    clearTimeout(this.#timer);
    this.#left -= performance.now() - this.#since;
    return mainThread.next(this.#owner).then(() => this.#wait());
  }

  /** Nothing more is waited for. */
  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  /** The text of all pieces. Throws BAD_REQUEST. */
  async text(): Promise<string> {
    return decode(await this.bytes());
  }

  /** All pieces, when it is their turn to be made into values. */
  async bytes(): Promise<Buffer> {
    const isOneOfMany = begun.add(this.#owner, 1) >= perRound;
    if (this.#bytes > longBytes || isOneOfMany) await mainThread.next(this.#owner);
    return Buffer.concat(this.#chunks);
  }

  #wait(): void {
    if (this.#isOver) return;
    this.#since = performance.now();
    this.#timer = setTimeout(this.#giveUp, this.#left);
  }
}

/** Headers that say whose a request is. */
export interface OwnerHeaders {
  readonly authorization?: string | null | undefined;
  readonly cookie?: string | null | undefined;
}

/** With whom a request takes turns: no one has looked yet whether its key or session works, but different ones are apart. */
export function ownerOf({ authorization, cookie }: OwnerHeaders): string {
  return authorization ?? cookie ?? '';
}

/** Throws PAYLOAD_TOO_LARGE for what is announced as longer than it may be. */
export function checkLength(announced: string | null | undefined, maxBytes: number): void {
  if (Number(announced ?? 0) > maxBytes) throw tooLong(maxBytes);
}

function tooLong(maxBytes: number): CatalogError {
  return tooLarge(`The request body is larger than ${maxBytes} bytes.`);
}

function tooSlow(): CatalogError {
  return new CatalogError('REQUEST_TIMEOUT', 'The request body comes too slowly.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('The request body is not UTF-8. Send it as text, and uncompressed.');
  }
}
