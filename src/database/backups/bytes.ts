// The bytes of a file that a command is given.

import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';

/** Read a file, named as where npm was called; `-` is the standard input. */
export function bytesOf(file: string): AsyncIterable<Uint8Array> {
  if (file === '-') return process.stdin;
  // npm runs commands in the project's folder, wherever it was called.
  const path = resolve(process.env.INIT_CWD ?? '', file);
  return createReadStream(path, { highWaterMark: 1024 * 1024 });
}
