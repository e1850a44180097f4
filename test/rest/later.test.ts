import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { restLater } from '../../src/rest/later.ts';
import type { Rest } from '../../src/rest/server.ts';

const api: Rest = {
  fetch: async (request) => new Response(`answer to ${new URL(request.url).pathname}`),
  document: { openapi: '3.1.0' } as never,
};

/** A server with REST that is loaded as `make` says. */
async function serve(make: () => Promise<Rest>) {
  const unexpected: unknown[] = [];
  const rest = restLater(make, (error) => unexpected.push(error));
  const server = createServer(rest.handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    rest,
    unexpected,
    get: async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: response.status, text: await response.text() };
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

test('it is loaded once, by the one who needs it first, and no one who comes in the meantime is lost', async () => {
  let times = 0;
  await using served = await serve(async () => {
    times += 1;
    await sleep(50);
    return api;
  });
  expect(times).toBe(0);
  const answers = await Promise.all(['/a', '/b', '/c'].map((path) => served.get(path)));
  expect(answers.map(({ text }) => text)).toEqual(
    ['/a', '/b', '/c'].map((path) => `answer to ${path}`),
  );
  expect(await served.rest.load()).toBe(api);
  expect(times).toBe(1);
  expect(served.unexpected).toEqual([]);
});

test('a request that can not be answered for it is reported, and the next one tries again', async () => {
  let times = 0;
  await using served = await serve(async () => {
    times += 1;
    if (times === 1) throw new Error('too many open files');
    return api;
  });
  expect((await served.get('/a')).status).toBe(500);
  expect(served.unexpected).toEqual([new Error('too many open files')]);
  expect(await served.get('/a')).toEqual({ status: 200, text: 'answer to /a' });
  expect(times).toBe(2);
});
