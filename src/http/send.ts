// Sending an answer over node:http: as the text that it is, packed, or piece by piece.

import type { ServerResponse } from 'node:http';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { leastUnsent, type Unsent, unsent } from '../limits/connections.ts';
import { mainThread } from '../limits/fair-queue.ts';
import { currentRequest } from '../tracing/request.ts';
import { takesCoding } from './accept.ts';
import { ownerOf } from './intake.ts';
import { linesType } from './light-response.ts';

const pack = promisify(gzip);

/** Less than this, in characters, is sent sooner than packed. */
const leastPacked = 8_192;

/** Of a manifest of 1 MB, level 4 leaves a tenth more than the usual 6 does, for half of its time: 6 ms. */
const level = 4;

/**
 * Characters of a long text that are written at once. One write of ten megabytes, which the system copies, holds the
 * main thread for 15 ms.
 */
const perWrite = 262_144;

/**
 * Send an answer; where the client has gone, nothing. Events are sent as they come; a long text is packed for who
 * takes that, on a thread. What waits for its client for too long, or is too much with others, is cut.
 */
export async function sendAnswer(
  answer: Response,
  response: ServerResponse,
  waiting: Unsent = unsent,
): Promise<void> {
  if (response.destroyed) return;
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  const type = answer.headers.get('content-type') ?? '';
  if (isOfPieces(type)) return sendPieces(answer, response, waiting);
  const isText = /^text\/|[/+]json\b/.test(type) && !answer.headers.has('content-encoding');
  const whole = isText ? await answer.text() : Buffer.from(await answer.arrayBuffer());
  const isLong = typeof whole === 'string' && whole.length >= leastPacked;
  const sent = isLong ? await packedFor(response, whole) : whole;
  if (response.destroyed) return;
  response.once('close', wait(response, sent.length, waiting));
  if (typeof sent === 'string' && sent.length > perWrite) return sendLong(sent, response);
  response.end(sent);
}

/** Send a long text piece by piece, in turns with all that is long, between which others are served. */
async function sendLong(text: string, response: ServerResponse): Promise<void> {
  const owner = whoseIs(response);
  await mainThread.next(owner);
  response.setHeader('content-length', Buffer.byteLength(text));
  const written = writerTo(response);
  let from = 0;
  while (from < text.length && !response.destroyed) {
    const to = from + perWrite;
    // Two units that make one character stay together.
    const end = isHighSurrogate(text.charCodeAt(to - 1)) ? to - 1 : to;
    await written(text.slice(from, end));
    // What fits into the system's buffer is written at once, in this round of the event loop.
    await mainThread.next(owner);
    from = end;
  }
  response.end();
}

/** Note an answer of so many characters, or bytes, until the answered function is called. */
function wait(response: ServerResponse, length: number, waiting: Unsent): () => void {
  if (length < leastUnsent) return () => {};
  return waiting.wait(whoseIs(response), length, () => response.destroy());
}

function whoseIs(response: ServerResponse): string {
  const { keyId = null, userId = null } = currentRequest() ?? {};
  return keyId ?? userId ?? ownerOf(response.req.headers);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit < 0xdc00;
}

/**
 * A long text packed where its client takes that. One with a strong tag stays: such a tag is of these very bytes, and
 * is sent back as the version that a change expects.
 */
async function packedFor(response: ServerResponse, text: string): Promise<string | Buffer> {
  const isStrong = String(response.getHeader('etag') ?? '').startsWith('"');
  if (isStrong) return text;
  response.appendHeader('vary', 'accept-encoding');
  if (!takesCoding(response.req.headers['accept-encoding'], 'gzip')) return text;
  const packed = await pack(text, { level });
  response.setHeader('content-encoding', 'gzip');
  response.setHeader('content-length', packed.byteLength);
  return packed;
}

/** Events and lines come one by one; all else is whole already, and no stream has to be made of it. */
function isOfPieces(type: string): boolean {
  return /^(text\/event-stream|multipart\/)/.test(type) || type.startsWith(linesType);
}

/** Send events as they come, no faster than the client reads them, until either side ends. */
async function sendPieces(
  { body }: Response,
  response: ServerResponse,
  waiting: Unsent,
): Promise<void> {
  if (!body) return void response.end();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const written = writerTo(response);
  response.once('close', () => void reader.cancel().catch(() => {}));
  response.flushHeaders();
  for (;;) {
    const next = await reader.read();
    if (next.done || response.destroyed) break;
    const leave = wait(response, next.value.byteLength, waiting);
    await written(next.value);
    leave();
  }
  response.end();
}

/** What writes pieces no faster than the client reads them; once it has gone, nothing waits for it. */
function writerTo(response: ServerResponse): (piece: string | Uint8Array) => Promise<void> {
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  return async (piece) => {
    if (response.write(piece)) return;
    await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed]);
  };
}
