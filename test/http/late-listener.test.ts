// Requests that wait for the part of the program that answers them.

import { once } from 'node:events';
import { request as ask } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { lateListener } from '../../src/http/late-listener.ts';
import { openHttpServer } from '../../src/http/server.ts';
import { listening } from './listening.ts';

test('who left in the meantime is not answered: no one would notice when that is to end', async () => {
  let load = () => {};
  const loaded = new Promise<void>((resolve) => {
    load = resolve;
  });
  const answered: (string | undefined)[] = [];
  const ended: string[] = [];
  const http = openHttpServer({ onAnswer: ({ path }) => ended.push(path) });
  http.begin(
    lateListener(
      async () => {
        await loaded;
        return ({ url }, response) => {
          answered.push(url);
          response.end('here');
        };
      },
      () => {},
    ),
  );
  await using served = await listening(http);
  const send = (path: string) => {
    const sent = ask({ port: served.port, host: '127.0.0.1', path }).end();
    sent.on('error', () => {});
    return sent;
  };
  const [left, stays] = [send('/left'), send('/stays')];
  await Promise.all([once(left, 'socket'), once(stays, 'socket')]);
  await expect.poll(() => served.connections()).toBe(2);
  left.destroy();
  await expect.poll(() => ended).toEqual(['/left']);
  load();
  const [response] = await once(stays, 'response');
  expect(await text(response)).toBe('here');
  expect(answered).toEqual(['/stays']);
});
