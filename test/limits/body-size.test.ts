// How large a body may be: as large as the setting says with a key that works, and small without.

import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { makeKey } from '../../src/auth/key-form.ts';
import { openCatalog } from '../catalog.ts';

const asked = (bytes: number) => {
  const query = '{ __typename }';
  return JSON.stringify({ query: query + ' '.repeat(bytes - JSON.stringify({ query }).length) });
};

/** The body, of which nothing says how long it will be. */
const unannounced = (text: string) => new Blob([text]).stream();

test('without a key that works a large body is not read', async () => {
  await using catalog = await openCatalog();
  const url = `${await catalog.listen()}/graphql`;
  const send = async (body: string | ReadableStream, key: string | null) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      body,
      ...(typeof body === 'string' ? {} : { duplex: 'half' }),
    });
    const { data, errors } = await response.json();
    return [response.status, errors?.[0]?.extensions.code ?? data];
  };
  const known = catalog.keyOf('viewer');
  const answer = [200, { __typename: 'Query' }];
  for (const key of [null, 'wrong', makeKey()]) {
    expect(await send(asked(100_000), key)).toEqual(answer);
    expect(await send(asked(100_001), key)).toEqual([401, 'UNAUTHENTICATED']);
    expect(await send(unannounced(asked(100_000)), key)).toEqual(answer);
    expect(await send(unannounced(asked(100_001)), key)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  }
  expect(await send(asked(1_000_000), known)).toEqual(answer);
  expect(await send(unannounced(asked(1_000_000)), known)).toEqual(answer);
  expect(await send(asked(1_048_577), known)).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  expect(catalog.unexpected).toEqual([]);
});

test.each(['/graphql', '/api/v1/tag/tags', '/mcp'])(
  'a connection to %s outlives a body that was too long, or is said to be closed',
  async (path) => {
    await using catalog = await openCatalog();
    const url = `${await catalog.listen()}${path}`;
    const authorization = `Bearer ${catalog.keyOf('editor')}`;
    const headers = { authorization, accept: '*/*', 'content-type': 'application/json' };
    const body = asked(2_000_000);
    for (const length of [{ 'content-length': body.length }, { 'transfer-encoding': 'chunked' }]) {
      const agent = new Agent({ keepAlive: true });
      const asking = request(url, { method: 'POST', agent, headers: { ...headers, ...length } });
      const answered = new Promise<string>((resolve, reject) => {
        asking.on('error', reject).on('response', (response) => {
          expect(response.statusCode).toBe(413);
          const goesOn = response.headers.connection ?? '';
          response.resume().on('end', () => resolve(goesOn));
        });
      });
      asking.end(body);
      const goesOn = await answered;
      // Longer than a server waits for the rest of a body that it passes over.
      await wait(700);
      expect(asking.socket?.destroyed, Object.keys(length).join()).toBe(goesOn === 'close');
      agent.destroy();
    }
    expect(catalog.unexpected).toEqual([]);
  },
);
