// Cutting a stream of bytes into lines of text, without ever keeping a long one.

import { isUtf8 } from 'node:buffer';
import { badLine } from './place.ts';

/** One line of a file, without its line break; lines count from 1. */
export interface Line {
  readonly number: number;
  readonly text: string;
}

/** A line longer than this is refused; the longest documentation people wrote by hand is far shorter. */
export const defaultMaxLineBytes = 4 * 1024 * 1024;

const lineFeed = 0x0a;
const byteOrderMark = '\uFEFF';

/**
 * The lines of a file that are not blank. Throws BAD_REQUEST naming the line when one is longer than
 * `maxLineBytes` (as soon as that many bytes came in, so the rest is never held) or is not UTF-8.
 */
export async function* readLines(
  file: string,
  bytes: AsyncIterable<Buffer>,
  maxLineBytes = defaultMaxLineBytes,
): AsyncGenerator<Line> {
  const begun: Buffer[] = [];
  let begunBytes = 0;
  let number = 1;
  const check = (length: number) => {
    if (length <= maxLineBytes) return;
    throw badLine(
      { file, line: number },
      `is longer than ${maxLineBytes} bytes, the most a line may have.`,
    );
  };
  for await (const chunk of bytes) {
    let start = 0;
    for (;;) {
      const end = chunk.indexOf(lineFeed, start);
      if (end < 0) break;
      // Nothing but line breaks is read quickly: packed, there may be a thousand times as many.
      if (end === start && begunBytes === 0) {
        number++;
        start++;
        continue;
      }
      check(begunBytes + end - start);
      const piece = chunk.subarray(start, end);
      const text = decode(file, number, begun.length > 0 ? [...begun.splice(0), piece] : piece);
      begunBytes = 0;
      if (text !== '') yield { number, text };
      number++;
      start = end + 1;
    }
    if (start === chunk.length) continue;
    begunBytes += chunk.length - start;
    check(begunBytes);
    begun.push(chunk.subarray(start));
  }
  const text = decode(file, number, begun);
  if (text !== '') yield { number, text };
}

function decode(file: string, line: number, pieces: Buffer | Buffer[]): string {
  const bytes = Array.isArray(pieces) ? Buffer.concat(pieces) : pieces;
  if (!isUtf8(bytes)) throw badLine({ file, line }, 'is not UTF-8 text.');
  const text = bytes.toString('utf8').trim();
  return line === 1 && text.startsWith(byteOrderMark) ? text.slice(1).trim() : text;
}
