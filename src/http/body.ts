// JSON request bodies: read within a limit, and an object or nothing.

import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { CatalogError, invalid, tooLarge } from '../errors.ts';
import { checkDepth } from '../limits/depth.ts';
import { mainThread } from '../limits/pace.ts';

// A client that sends its body in drips, or nothing more, is waited for so long, in milliseconds.
const patience = 10_000;

/** A longer body is parsed in a turn of its own: many may come at the same time. */
const longBytes = 50_000;

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
  const limit = `The request body is larger than ${maxBytes} bytes.`;
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(limit);
  if (!request.body) return '';
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let giveUp: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const slow = new CatalogError('REQUEST_TIMEOUT', 'The request body comes too slowly.');
  const timer = setTimeout(() => giveUp(slow), patience);
  try {
    // A body without a length, or with a wrong one, is counted as it comes.
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next.done) {
        // Nobody has looked yet whether the key works, but those with different ones take turns.
        const owner = request.headers.get('authorization') ?? '';
        if (bytes > longBytes) await mainThread.next(owner);
        return decode(Buffer.concat(chunks));
      }
      bytes += next.value.byteLength;
      if (bytes > maxBytes) throw tooLarge(limit);
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

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw invalid('The request body is not UTF-8.');
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
