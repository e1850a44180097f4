// Ids for many rows at once: UUIDs of version 7 that rise, so that indexes grow at one end.

import { randomBytes } from 'node:crypto';

/**
 * Rising UUIDs. Random ones land all over an index, which made a million edges take a third longer to
 * write. (RFC 9562, version 7: 48 bits of milliseconds, then here 26 random bits and a 48-bit counter.)
 */
export class IdSequence {
  readonly #prefix: string;
  #count = 0;

  constructor(now: Date) {
    const time = now.getTime().toString(16).padStart(12, '0');
    const random = randomBytes(4).toString('hex');
    // Three hex digits after the version, and 14 bits behind the variant's two.
    const variant = (0x8000 | (Number.parseInt(random.slice(3, 7), 16) & 0x3fff)).toString(16);
    this.#prefix = `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}-`;
  }

  next(): string {
    this.#count += 1;
    return this.#prefix + this.#count.toString(16).padStart(12, '0');
  }

  /** The part that all ids of the sequence share, for a statement that counts by itself. */
  get prefix(): string {
    return this.#prefix;
  }
}
