// Where the lines of the log go: a file that is open, and may refuse them for a while.

import { write, writeSync } from 'node:fs';

/** Bytes that wait while no one takes them; further lines are dropped. */
const maxWaitingBytes = 16 * 1024 * 1024;
/** A file that is busy is tried again after so long, in milliseconds. */
const busyMs = 50;
/** How often the last lines of a process are tried. */
const lastTries = 20;

/**
 * Writes lines in their order, one write at a time. A line that can't be written, for want of room or of a reader, is
 * dropped and counted, and the next one is tried: what goes wrong with the log ends nothing else.
 */
export class LogOutput {
  readonly #file: number;
  #waiting: Buffer[] = [];
  #waitingBytes = 0;
  #isWriting = false;
  /** Whether what was written last is half a line. */
  #isTorn = false;
  #dropped = 0;

  constructor(file: number) {
    this.#file = file;
  }

  /** Lines that could not be written. */
  get dropped(): number {
    return this.#dropped;
  }

  /** Take a line, which ends as lines do. */
  write(line: string): void {
    const bytes = Buffer.from(line);
    if (this.#waitingBytes + bytes.length > maxWaitingBytes) {
      this.#dropped += 1;
      return;
    }
    this.#waiting.push(bytes);
    this.#waitingBytes += bytes.length;
    if (!this.#isWriting) this.#writeNext();
  }

  /** Write what waits before the process ends, which then waits for no one. */
  writeRest(): void {
    let rest = this.#takeWaiting();
    for (let tries = 0; rest.length > 0 && tries < lastTries; tries += 1) {
      try {
        rest = rest.subarray(writeSync(this.#file, rest));
      } catch (error) {
        if (!isBusy(error)) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, busyMs);
      }
    }
  }

  #writeNext(): void {
    const bytes = this.#takeWaiting();
    this.#isWriting = bytes.length > 0;
    if (this.#isWriting) this.#send(bytes);
  }

  #send(bytes: Buffer): void {
    write(this.#file, bytes, (error, written) => {
      if (isBusy(error)) return void setTimeout(() => this.#send(bytes), busyMs);
      if (error) {
        for (const byte of bytes) if (byte === newline) this.#dropped += 1;
        return this.#writeNext();
      }
      this.#isTorn = bytes[written - 1] !== newline;
      if (written < bytes.length) return this.#send(bytes.subarray(written));
      this.#writeNext();
    });
  }

  #takeWaiting(): Buffer {
    const taken = this.#waiting;
    if (taken.length === 0) return Buffer.alloc(0);
    // What comes after half a line begins one of its own.
    if (this.#isTorn) taken.unshift(Buffer.of(newline));
    this.#waiting = [];
    this.#waitingBytes = 0;
    return Buffer.concat(taken);
  }
}

const newline = 0x0a;

/** Whether a file takes nothing just now, as a pipe does that is full and waits for no one. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}
