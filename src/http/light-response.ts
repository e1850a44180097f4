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
  text: string | null,
  { status = 200, headers = {} }: LightInit,
): globalThis.Response {
  return new Response(text, { status, headers: { ...headers } });
}
