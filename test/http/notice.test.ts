// The page that says one thing to a person who could not sign in.

import { expect, test } from 'vitest';
import { sendNotice } from '../../src/site/notice.ts';
import { serveApp } from '../serve.ts';

test('a page says when to try again what may work in a moment, and of nothing else', async () => {
  await using served = await serveApp({
    handle(request, response) {
      const status = Number(request.url?.slice(1));
      sendNotice(request, response, { status, title: 'No', message: 'Not now.', requestId: null });
    },
  });
  const said = async (status: number) => {
    const answer = await fetch(`${served.base}/${status}`);
    return [answer.status, answer.headers.has('retry-after')];
  };
  expect(await said(503)).toEqual([503, true]);
  expect(await said(429)).toEqual([429, true]);
  expect(await said(403)).toEqual([403, false]);
});
