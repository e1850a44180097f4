// The thread that parses Markdown: it is ended where a text takes it too long.

import { htmlOf } from './html.ts';
import type { FromThread } from './parsing.ts';

const answer = (what: FromThread) => postMessage(what);

addEventListener('message', ({ data }: MessageEvent<string>) => {
  answer({ is: 'parsed', html: htmlOf(data) });
});
answer({ is: 'ready' });
