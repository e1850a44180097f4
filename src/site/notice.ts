// Sends a page that says one thing to a person, such as why they can't sign in.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { retryAfterSeconds } from '../errors.ts';
import { strictHeaders } from '../http/strict-headers.ts';
import { escapedText } from '../text/html.ts';

/** What a page says. */
export interface Notice {
  readonly status: number;
  readonly title: string;
  readonly message: string;
  /** Names the request, for the one who looks it up in the log. */
  readonly requestId: string | null;
}

/** What may work in a moment: too many requests, or a database that is away. */
const passing = new Set([429, 503]);

/** Send the page, which is not kept and loads nothing but its style. */
export function sendNotice(
  { method }: IncomingMessage,
  response: ServerResponse,
  { status, title, message, requestId }: Notice,
): void {
  const request =
    requestId === null ? '' : `<p><small>Request ${escapedText(requestId)}</small></p>`;
  const text = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapedText(title)} · Headwater</title>
<link rel="icon" href="/site/logo.svg">
<link rel="stylesheet" href="/site/notice.css">
</head>
<body>
<main>
<img src="/site/logo.svg" alt="" width="44" height="44">
<h1>${escapedText(title)}</h1>
<p role="alert">${escapedText(message)}</p>
<p><a href="/">Back to the sign-in page</a></p>
${request}
</main>
</body>
</html>
`;
  response.writeHead(status, {
    ...strictHeaders,
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    ...(passing.has(status) ? { 'retry-after': String(retryAfterSeconds) } : {}),
  });
  response.end(method === 'HEAD' ? undefined : text);
}
