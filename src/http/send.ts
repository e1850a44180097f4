// In charge of sending an answer over node:http: as the text that it is, or piece by piece.

import type { ServerResponse } from 'node:http';
import type { ReadableStreamDefaultReader } from 'node:stream/web';

/** Send an answer; where the client has gone, nothing. Events are sent as they come. */
export async function sendAnswer(answer: Response, response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  response.statusCode = answer.status;
  answer.headers.forEach((value, name) => {
    response.setHeader(name, value);
  });
  const type = answer.headers.get('content-type') ?? '';
  if (isOfPieces(type)) return sendPieces(answer, response);
  // What is no JSON may be a file, and compressed.
  const whole = isJson.test(type) ? await answer.text() : Buffer.from(await answer.arrayBuffer());
  if (!response.destroyed) response.end(whole);
}

const isJson = /[/+]json\b/;

/** Events come one by one; all else is whole already, and no stream has to be made of it. */
function isOfPieces(type: string): boolean {
  return type.startsWith('text/event-stream') || type.startsWith('multipart/');
}

/** Send events as they come, no faster than the client reads them, until either side ends. */
async function sendPieces({ body }: Response, response: ServerResponse): Promise<void> {
  if (!body) return void response.end();
  const reader: ReadableStreamDefaultReader<Uint8Array> = body.getReader();
  const closed = new Promise<void>((resolve) => response.once('close', resolve));
  response.once('close', () => void reader.cancel().catch(() => {}));
  response.flushHeaders();
  for (;;) {
    const next = await reader.read();
    if (next.done || response.destroyed) break;
    if (response.write(next.value)) continue;
    await Promise.race([new Promise<void>((resolve) => response.once('drain', resolve)), closed]);
  }
  response.end();
}
