// The body of an answer over HTTP: inflated, and no more of it than is allowed.

import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, createInflate, type Gunzip, type Inflate } from 'node:zlib';
import { answerTooLarge, maxAnswerBytes } from '../connectors/byte-limit.ts';
import { refused } from '../connectors/failure.ts';

/**
 * The whole body of an answer as text. Throws BAD_REQUEST where it is larger than is allowed once it is inflated, or
 * packed in a way that was not asked for.
 */
export async function readAnswer(response: IncomingMessage): Promise<string> {
  const packing = (response.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  const unpack = packings[packing];
  if (packing !== 'identity' && packing !== '' && !unpack) {
    throw refused('its answer is packed in a way that is not known here.');
  }
  return unpack ? inflated(response, unpack()) : collect(response);
}

const packings: Readonly<Record<string, (() => Gunzip | Inflate) | undefined>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
};

async function inflated(response: IncomingMessage, unpacking: Gunzip | Inflate): Promise<string> {
  response.once('error', (error) => unpacking.destroy(error));
  response.once('aborted', () => unpacking.destroy());
  response.pipe(unpacking);
  try {
    return await collect(unpacking);
  } catch (error) {
    response.unpipe(unpacking);
    unpacking.destroy();
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('Z_')) {
      throw refused('its answer cannot be unpacked.');
    }
    throw error;
  }
}

async function collect(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > maxAnswerBytes) throw answerTooLarge();
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString();
}
