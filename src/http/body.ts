// JSON request bodies: read within a limit, and an object or nothing.

import type { IncomingMessage } from 'node:http';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { clientLeft } from '../aborting.ts';
import { CatalogError, invalid, tooLarge } from '../errors.ts';
import { checkDepth } from '../limits/depth.ts';
import { mainThread } from '../limits/pace.ts';
import { RoundCount } from '../limits/round-count.ts';

// A client that sends its body in drips, or nothing more, is waited for so long, in milliseconds.
const patience = 10_000;

/** A longer body is parsed in a turn of its own: many may come at the same time. */
const longBytes = 50_000;

/** Of one key or session so many are gone on with in one round of the event loop; more wait for their turn, however short. */
const perRound = 4;
const begun = new RoundCount();

/** A JSON body, with the text that it was. */
export interface Body {
  readonly text: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

/**
 * Read a body of at most `maxBytes`. No body is an empty object. Its content type is not looked at:
 * old clients send JSON under any name.
 * Throws PAYLOAD_TOO_LARGE, REQUEST_TIMEOUT, and BAD_REQUEST for what is no JSON object.
 */
export async function readBody(request: Request, maxBytes: number): Promise<Body> {
  const text = await readText(request, maxBytes);
  if (text.trim() === '') return { text, fields: {} };
  const fields = parse(text);
  if (typeof fields !== 'object' || fields === null || Array.isArray(fields)) {
    throw invalid('The request body must be a JSON object.');
  }
  checkDepth(fields);
  return { text, fields: { ...fields } };
}

/** The text of a body of at most `maxBytes`; throws like `readBody`. */
export async function readText(request: Request, maxBytes: number): Promise<string> {
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLong(maxBytes);
  if (!request.body) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let giveUp: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const timer = setTimeout(() => giveUp(tooSlow()), patience);
  try {
    // A body without a length, or with a wrong one, is counted as it comes.
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next.done) {
        const { headers } = request;
        const owner = headers.get('authorization') ?? headers.get('cookie') ?? '';
        return textOf(chunks, bytes, owner);
      }
      bytes += next.value.byteLength;
      if (bytes > maxBytes) throw tooLong(maxBytes);
      chunks.push(next.value);
    }
  } catch (error) {
    // Not waited for: where nothing comes, some streams do not end for it.
    reader.cancel().catch(() => {});
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

/** The same of a body as node:http receives it. */
export async function readMessage(message: IncomingMessage, maxBytes: number): Promise<string> {
  const { headers } = message;
  if (Number(headers['content-length'] ?? 0) > maxBytes) throw tooLong(maxBytes);
  const chunks: Buffer[] = [];
  let bytes = 0;
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => end(tooSlow()), patience);
    const end = (error?: Error) => {
      clearTimeout(timer);
      message.off('data', take).off('close', left).pause();
      if (error) reject(error);
      else resolve();
    };
    const take = (chunk: Buffer) => {
      bytes += chunk.byteLength;
      if (bytes > maxBytes) end(tooLong(maxBytes));
      else chunks.push(chunk);
    };
    const left = () => end(clientLeft());
    message
      .on('data', take)
      .once('close', left)
      .once('error', end)
      .once('end', () => end());
  });
  return textOf(chunks, bytes, headers.authorization ?? headers.cookie ?? '');
}

async function textOf(
  chunks: readonly Uint8Array[],
  bytes: number,
  owner: string,
): Promise<string> {
  // Nobody has looked yet whether the key or the session works, but those with different ones take turns.
  const isOneOfMany = begun.add(owner, 1) >= perRound;
  if (bytes > longBytes || isOneOfMany) await mainThread.next(owner);
  return decode(Buffer.concat(chunks));
}

function tooLong(maxBytes: number): CatalogError {
  return tooLarge(`The request body is larger than ${maxBytes} bytes.`);
}

function tooSlow(): CatalogError {
  return new CatalogError('REQUEST_TIMEOUT', 'The request body comes too slowly.');
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw invalid('The request body is not UTF-8. Send it as text, and uncompressed.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it could not be read';
    throw invalid(`The request body is not JSON: ${why}.`);
  }
}
