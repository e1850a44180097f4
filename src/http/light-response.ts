// Answers made within the process: Yoga's, which keep a text as it is where Node.js' own make a
// stream of it.

import { Response } from '@whatwg-node/fetch';

/** What an answer has besides its text. */
interface LightInit {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** An answer. Its headers are a copy: Yoga's answer takes the object that it is given for its own, and writes into it. */
export function lightResponse(
  content: string | Uint8Array<ArrayBuffer> | null,
  { status = 200, headers = {} }: LightInit,
): globalThis.Response {
  return new Response(content, { status, headers: { ...headers } });
}

/** The type of lines of JSON, which are sent as they come. */
export const linesType = 'application/x-ndjson';

/** An answer of lines that are made while it is read; where it is not read to its end, they are told to end. */
export function linesResponse(
  lines: AsyncIterable<string>,
  { status = 200, headers = {} }: LightInit,
): globalThis.Response {
  const encoder = new TextEncoder();
  const iterator = lines[Symbol.asyncIterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const next = await iterator.next();
        if (next.done) controller.close();
        else controller.enqueue(encoder.encode(next.value));
      },
      async cancel() {
        await iterator.return?.();
      },
    },
    // Nothing is read before somebody takes it.
    { highWaterMark: 0 },
  );
  return new Response(body, { status, headers: { 'content-type': linesType, ...headers } });
}
