// The elements of a JSON array, one after another, without ever keeping a long one.

import { isUtf8 } from 'node:buffer';
import { defaultMaxLineBytes, type Line } from './lines.ts';
import { badLine } from './place.ts';

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const opening: ReadonlySet<number> = new Set([0x5b, 0x7b]);
const closing: ReadonlySet<number> = new Set([0x5d, 0x7d]);
const lineFeed = 0x0a;
const isBlank = (byte: number) => byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);

const byteOrderMark: readonly number[] = [0xef, 0xbb, 0xbf];

/** The first byte of a file that says something; undefined where there is none yet. */
export function firstByte(head: Buffer): number | undefined {
  return head.find((byte) => !isBlank(byte) && !byteOrderMark.includes(byte));
}

/** Whether a file begins with an array: where JSON Lines are expected, nothing else does. */
export function beginsArray(head: Buffer): boolean {
  return firstByte(head) === 0x5b;
}

/**
 * The texts of the elements of an array, each with the line on which it begins. Throws BAD_REQUEST naming the line where
 * one is longer than `maxBytes` or not UTF-8, where a comma is missing, and where the array has no end or something after it.
 */
export async function* readElements(
  file: string,
  bytes: AsyncIterable<Buffer>,
  maxBytes = defaultMaxLineBytes,
): AsyncGenerator<Line> {
  const scan = new Scan(file, maxBytes);
  for await (const chunk of bytes) yield* scan.read(chunk);
  scan.end();
}

/** Where in the array the reading is. */
class Scan {
  readonly #file: string;
  readonly #maxBytes: number;
  #line = 1;
  /** Open brackets: none before the array and after it, 1 between elements. */
  #depth = 0;
  #state: 'before' | 'within' | 'after' = 'before';
  #inText = false;
  #isEscaped = false;
  #needsComma = false;
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #begunLine = 0;
  /** Where in the chunk the element begins that is being read; -1 where none is. */
  #start = -1;

  constructor(file: string, maxBytes: number) {
    this.#file = file;
    this.#maxBytes = maxBytes;
  }

  *read(chunk: Buffer): Generator<Line> {
    if (this.#start >= 0) this.#start = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (byte === lineFeed) this.#line += 1;
      if (this.#inText) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (byte === backslash) this.#isEscaped = true;
        else if (byte === quote) this.#inText = false;
        continue;
      }
      const ended = this.#step(byte, at);
      if (ended === null) continue;
      yield this.#element(chunk.subarray(this.#start, ended));
      this.#start = -1;
    }
    if (this.#start >= 0) this.#keep(chunk.subarray(this.#start));
  }

  /** Take a byte outside of texts; answers where the element ends that ends with it. */
  #step(byte: number, at: number): number | null {
    const isElement = this.#start >= 0;
    if (opening.has(byte)) {
      this.#depth += 1;
      if (this.#depth === 1) this.#open();
      else if (!isElement) this.#begin(at);
      return null;
    }
    if (closing.has(byte)) {
      if (this.#state !== 'within') throw this.#bad('goes on after the end of the array.');
      this.#depth -= 1;
      if (this.#depth === 1) return at + 1;
      if (this.#depth > 1) return null;
      this.#state = 'after';
      return isElement ? at : null;
    }
    if (byte === comma && this.#depth === 1) {
      if (isElement) this.#needsComma = false;
      else if (this.#needsComma) this.#needsComma = false;
      else throw this.#bad('has a comma without an element before it.');
      return isElement ? at : null;
    }
    const isMark = this.#state === 'before' && byteOrderMark.includes(byte);
    if (!isElement && !isBlank(byte) && !isMark) this.#begin(at);
    if (byte === quote) this.#inText = true;
    return null;
  }

  #open(): void {
    if (this.#state === 'after') throw this.#bad('goes on after the end of the array.');
    this.#state = 'within';
  }

  #begin(at: number): void {
    if (this.#state !== 'within') throw this.#bad('goes on after the end of the array.');
    if (this.#needsComma) throw this.#bad('needs a comma between two elements.');
    this.#start = at;
    this.#begunLine = this.#line;
  }

  #keep(piece: Buffer): void {
    this.#begun.push(piece);
    this.#begunBytes += piece.length;
    if (this.#begunBytes <= this.#maxBytes) return;
    const message = `begins an element longer than ${this.#maxBytes} bytes, the most that one may have.`;
    throw badLine({ file: this.#file, line: this.#begunLine }, message);
  }

  #element(piece: Buffer): Line {
    this.#keep(piece);
    const bytes = Buffer.concat(this.#begun.splice(0));
    this.#begunBytes = 0;
    this.#needsComma = this.#state === 'within';
    const number = this.#begunLine;
    if (!isUtf8(bytes)) throw badLine({ file: this.#file, line: number }, 'is not UTF-8 text.');
    return { number, text: bytes.toString('utf8').trimEnd() };
  }

  /** Throws where the array has not ended. */
  end(): void {
    if (this.#state !== 'after')
      throw this.#bad('is where the file ends, before the end of its array.');
  }

  #bad(message: string) {
    return badLine({ file: this.#file, line: this.#line }, message);
  }
}
