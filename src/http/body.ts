// JSON request bodies: read within a limit, and an object or nothing.

import type { IncomingMessage } from 'node:http';
import type { ReadableStreamDefaultReader } from 'node:stream/web';
import { clientLeft } from '../async/abort.ts';
import { CatalogError, invalid } from '../errors.ts';
import { checkDepth } from '../limits/request-size.ts';
import { currentRequest } from '../tracing/request.ts';
import { checkLength, Intake, ownerOf } from './intake.ts';

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
  return noted(await take(request, maxBytes, '', (intake) => intake.text()));
}

/** The bytes of a body of at most `maxBytes`, which may be packed; throws PAYLOAD_TOO_LARGE and REQUEST_TIMEOUT. */
export async function readBytes(request: Request, maxBytes: number): Promise<Buffer> {
  const bytes = await take(request, maxBytes, Buffer.alloc(0), (intake) => intake.bytes());
  const task = currentRequest();
  if (task) task.bodyBytes = bytes.byteLength;
  return bytes;
}

/** What an intake makes of a body of at most `maxBytes`; `none` where there is no body. */
async function take<T>(
  request: Request,
  maxBytes: number,
  none: T,
  made: (intake: Intake) => Promise<T>,
): Promise<T> {
  const { headers } = request;
  // Before there is a stream of it, which would keep the rest from being passed over.
  checkLength(headers.get('content-length'), maxBytes);
  if (!request.body) return none;
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  let giveUp: (error: Error) => void = () => {};
  const late = new Promise<never>((_, reject) => {
    giveUp = reject;
  });
  const [authorization, cookie] = [headers.get('authorization'), headers.get('cookie')];
  const intake = new Intake({ maxBytes, owner: ownerOf({ authorization, cookie }), giveUp });
  try {
    for (;;) {
      const next = await Promise.race([reader.read(), late]);
      if (next.done) return await made(intake);
      await intake.take(next.value);
    }
  } catch (error) {
    const isTooLong = error instanceof CatalogError && error.code === 'PAYLOAD_TOO_LARGE';
    // Not waited for: where nothing comes, some streams do not end for it.
    (isTooLong ? passOver(reader) : reader.cancel()).catch(() => {});
    throw error;
  } finally {
    intake.end();
  }
}

/** Note how long the body of the running request was. */
function noted(text: string): string {
  const request = currentRequest();
  if (request) request.bodyBytes = Buffer.byteLength(text);
  return text;
}

/** Read what is left for no one: a connection goes on once its body has ended. Whose stream it is closes what does not end soon. */
async function passOver(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<void> {
  while (!(await reader.read()).done);
}

/** The same of a body as node:http receives it. */
export async function readMessage(message: IncomingMessage, maxBytes: number): Promise<string> {
  return noted(await readPieces(message, maxBytes));
}

async function readPieces(message: IncomingMessage, maxBytes: number): Promise<string> {
  const { headers } = message;
  checkLength(headers['content-length'], maxBytes);
  const owner = ownerOf(headers);
  return new Promise((resolve, reject) => {
    const intake = new Intake({ maxBytes, owner, giveUp: (error) => end(error) });
    const end = (error?: unknown) => {
      intake.end();
      message.off('data', take).off('close', left).pause();
      if (error) reject(error);
      else resolve(intake.text());
    };
    const take = (chunk: Buffer) => {
      try {
        const turn = intake.take(chunk);
        if (!turn) return;
        message.pause();
        void turn.then(() => message.resume());
      } catch (error) {
        end(error);
      }
    };
    const left = () => end(clientLeft());
    message
      .on('data', take)
      .once('close', left)
      .once('error', end)
      .once('end', () => end());
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const why = error instanceof SyntaxError ? error.message : 'it could not be read';
    throw invalid(`The request body is not JSON: ${why}.`);
  }
}
