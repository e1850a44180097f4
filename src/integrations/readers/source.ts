// The bytes of an uploaded file: unpacked if they were packed, in UTF-8, and bounded.

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

/** How files begin whose bytes have to be made plain, by their first two bytes, whatever they are called. */
const marks = { gzip: [0x1f, 0x8b], 'utf-16le': [0xff, 0xfe], 'utf-16be': [0xfe, 0xff] } as const;

/**
 * The bytes of a source, unpacked where they are gzip, and in UTF-8 where they are marked as UTF-16. `maxBytes` bounds
 * what comes out, so that a small file cannot unpack without end: PAYLOAD_TOO_LARGE beyond it. BAD_REQUEST for a broken
 * archive, and for UTF-16 that is broken.
 */
export async function* plainBytes(source: FileSource, maxBytes: number): AsyncGenerator<Buffer> {
  const { file } = source;
  const packed = await headOf(source.bytes, isMarked);
  const bytes = begins(packed.head, 'gzip') ? gunzipped(file, packed.whole) : packed.whole;
  const { head, whole } = await headOf(bounded(file, bytes, maxBytes), isMarked);
  if (begins(head, 'utf-16le')) yield* inUtf8(file, whole, 'utf-16le');
  else if (begins(head, 'utf-16be')) yield* inUtf8(file, whole, 'utf-16be');
  else yield* whole;
}

const isMarked = (head: Buffer) => head.length >= 2;
const begins = (head: Buffer, as: keyof typeof marks) =>
  marks[as].every((byte, i) => head[i] === byte);

async function* bounded(
  file: string,
  bytes: AsyncIterable<Buffer>,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > maxBytes) {
      throw tooLarge(`${file}: holds more than ${maxBytes} bytes, the most that is read.`);
    }
    yield chunk;
  }
}

async function* inUtf8(
  file: string,
  bytes: AsyncIterable<Buffer>,
  encoding: 'utf-16le' | 'utf-16be',
): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decode = (chunk?: Buffer) => {
    try {
      return Buffer.from(decoder.decode(chunk, { stream: chunk !== undefined }));
    } catch {
      throw badFile(file, 'begins as UTF-16 and holds bytes that are none; save it as UTF-8.');
    }
  };
  for await (const chunk of bytes) yield decode(chunk);
  yield decode();
}

/** The beginning of a stream, once it is enough or all there is, and the whole stream. */
export async function headOf(
  bytes: AsyncIterable<Uint8Array>,
  isEnough: (head: Buffer) => boolean,
): Promise<{ head: Buffer; whole: AsyncIterable<Buffer> }> {
  const iterator = bytes[Symbol.asyncIterator]();
  let head: Buffer = Buffer.alloc(0);
  while (!isEnough(head)) {
    const { done, value } = await iterator.next();
    if (done) break;
    const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk;
  }
  return { head, whole: resumed(head, iterator) };
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
