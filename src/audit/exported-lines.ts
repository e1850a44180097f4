// The lines of a file that was exported: plain, packed, or from the standard input.

import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { pipeline, type Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';

/** Read the lines of a file; `-` is the standard input. Throws where the file can't be read, or is not whole. */
export async function* linesOf(path: string): AsyncGenerator<string> {
  const input: Readable = path === '-' ? process.stdin : createReadStream(path);
  const unpacked: Readable = path.endsWith('.gz')
    ? pipeline(input, createGunzip(), () => {})
    : input;
  let failure: unknown;
  const lines = createInterface({ input: unpacked, crlfDelay: Number.POSITIVE_INFINITY });
  // What goes wrong with the file ends the loop over its lines by itself only where nothing was read.
  unpacked.once('error', (error) => {
    failure = error;
    lines.close();
  });
  yield* lines;
  if (failure !== undefined) throw failure;
}
