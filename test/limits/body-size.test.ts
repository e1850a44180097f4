// How large a body may be: as large as the setting says with a key that works, and small without.

import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { makeKey } from '../../src/auth/key-form.ts';
import { createApiKey, revokeApiKey } from '../../src/people/api-key.ts';
import { openCatalog } from '../catalog.ts';
import { lockTable } from './locked.ts';

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
  for (const key of [null, 'wrong', makeKey(randomUUID())]) {
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

test('a key that works no more is noted where a large body of it is not read', async () => {
  await using catalog = await openCatalog();
  const { key, apiKey } = await createApiKey(catalog.admin, { name: 'revoked' });
  await revokeApiKey(catalog.admin, apiKey.id);
  const url = `${await catalog.listen()}/graphql?of=mine`;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-request-id': 'a-large-request',
  };
  for (const bytes of [100_001, 90_000]) {
    await fetch(url, { method: 'POST', headers, body: asked(bytes) }).then((each) => each.text());
  }
  const noted = await vi.waitFor(async () => {
    const where = { workspaceId: catalog.workspaceId, activityType: 'access_refused' };
    const found = await catalog.database.prisma.auditLog.findMany({ where });
    expect(found).toHaveLength(2);
    return found;
  });
  for (const { keyId, requestId, changes } of noted) {
    expect([keyId, requestId]).toEqual([apiKey.id, 'a-large-request']);
    expect(JSON.stringify(changes)).toContain('"POST /graphql"');
  }
});

test('while other unknown keys are looked up, a large body of one is refused unread', async () => {
  await using catalog = await openCatalog({ alone: true });
  const url = `${await catalog.listen()}/graphql`;
  await fetch(url).then((each) => each.text());
  await using keys = await lockTable(catalog.url, 'api_key');
  const ask = (length: number) => {
    const headers = { authorization: `Bearer ${makeKey(randomUUID())}`, 'content-length': length };
    const asking = request(url, { method: 'POST', agent: false, headers });
    asking.on('error', () => {}).flushHeaders();
    return asking;
  };
  const others = Array.from({ length: 4 }, () => ask(100_001));
  await expect.poll(() => keys.waiting()).toBe(4);
  const last = ask(100_001);
  const [response] = await once(last, 'response');
  expect([response.statusCode, response.headers['retry-after']]).toEqual([429, '1']);
  for (const asking of [...others, last]) asking.destroy();
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
