// Counting and summing the rows of a table as their bytes go by.

import { createHash } from 'node:crypto';
import type { Tally } from './manifest.ts';

/** Counts the rows and bytes that it is given. */
export interface Counter {
  readonly rows: number;
  readonly bytes: number;
  add(piece: Buffer): void;
  /** What was counted in all; nothing can be added after it. */
  end(): Tally;
}

/** In the text form of COPY a row ends with a newline, and a newline within a value is written \n. */
const newline = 10;

/** Begin to count the rows of one table. */
export function openCounter(): Counter {
  const hash = createHash('sha256');
  let [rows, bytes] = [0, 0];
  return {
    get rows() {
      return rows;
    },
    get bytes() {
      return bytes;
    },
    add(piece) {
      hash.update(piece);
      bytes += piece.length;
      for (let at = piece.indexOf(newline); at !== -1; at = piece.indexOf(newline, at + 1))
        rows += 1;
    },
    end: () => ({ rows, bytes, sha256: hash.digest('hex') }),
  };
}
