// How large a body may be: as large as the setting says with a key that works, and small without.

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
