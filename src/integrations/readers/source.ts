// The bytes of an uploaded file: unpacked if they were packed, and bounded.

import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { tooLarge } from '../../errors.ts';
import { badFile } from './place.ts';

/** An uploaded file: what its messages call it, and its bytes as they arrive. */
export interface FileSource {
  readonly file: string;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** A source of text that is at hand, such as the content of a mutation. */
export function textSource(file: string, content: string): FileSource {
  return { file, bytes: Readable.from([Buffer.from(content)], { objectMode: true }) };
}

const gzipMagic = [0x1f, 0x8b];

/**
 * The bytes of a source, unpacked where they are gzip (known by their first two bytes, whatever the
 * file is called). `maxBytes` bounds what comes out, so that a small file cannot unpack without end:
 * PAYLOAD_TOO_LARGE beyond it. BAD_REQUEST for a broken archive.
 */
export async function* plainBytes(source: FileSource, maxBytes: number): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of await unpacked(source)) {
    total += chunk.length;
    if (total > maxBytes) {
      throw tooLarge(`${source.file}: holds more than ${maxBytes} bytes, the most that is read.`);
    }
    yield chunk;
  }
}

async function unpacked(source: FileSource): Promise<AsyncIterable<Buffer>> {
  const iterator = source.bytes[Symbol.asyncIterator]();
  const head: Buffer[] = [];
  let length = 0;
  while (length < gzipMagic.length) {
    const { done, value } = await iterator.next();
    if (done) break;
    head.push(Buffer.from(value.buffer, value.byteOffset, value.byteLength));
    length += value.byteLength;
  }
  const start = Buffer.concat(head);
  const whole = resumed(start, iterator);
  return gzipMagic.every((byte, i) => start[i] === byte) ? gunzipped(source.file, whole) : whole;
}

async function* resumed(start: Buffer, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Buffer> {
  try {
    if (start.length > 0) yield start;
    for (;;) {
      const { done, value } = await rest.next();
      if (done) return;
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    await rest.return?.();
  }
}

async function* gunzipped(file: string, packed: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const input = Readable.from(packed);
  const gunzip = createGunzip();
  input.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of input.pipe(gunzip)) yield chunk;
  } catch (error) {
    // zlib marks its own errors; one of the source, such as a client that went away, is not ours.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw badFile(file, `is not a readable gzip archive: ${error.message}.`);
    }
    throw error;
  } finally {
    input.destroy();
  }
}
