// A provider that does not answer keeps its own people waiting, and no one else.

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCatalog } from '../catalog.ts';

/** A provider whose tokens are no tokens, or never come. */
async function startProvider(isSlow: boolean) {
  let issuer = '';
  let waiting = 0;
  const server = createServer((request, response) => {
    if (request.url === '/token' && isSlow) {
      waiting += 1;
      return;
    }
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        ...{ issuer, authorization_endpoint: `${issuer}/auth`, token_endpoint: `${issuer}/token` },
        ...{ jwks_uri: `${issuer}/jwks`, response_types_supported: ['code'], keys: [] },
      }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  issuer = `http://127.0.0.1:${port}`;
  return {
    issuer,
    waiting: () => waiting,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

test('a stranger fills the places of a slow provider, and those of a quick one stay free', async () => {
  await using catalog = await openCatalog();
  const folder = await mkdtemp(join(tmpdir(), 'headwater-slow-'));
  const [slow, quick] = [await startProvider(true), await startProvider(false)];
  const of = (id: string, issuer: string) => ({ id, name: id, issuer, clientId: 'headwater' });
  const file = join(folder, 'sign-in.yaml');
  const providers = [of('slow', slow.issuer), of('quick', quick.issuer)];
  await writeFile(file, JSON.stringify({ providers }));
  await catalog.app({ PUBLIC_URL: 'http://127.0.0.1:4000', SIGN_IN_FILE: file });
  const origin = await catalog.listen();
  const begin = async (id: string) => {
    const { headers } = await fetch(`${origin}/sign-in/${id}`, { redirect: 'manual' });
    const state = new URL(headers.get('location') ?? '').searchParams.get('state');
    const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    return () =>
      fetch(`${origin}/sign-in/${id}/callback?code=x&state=${state}`, {
        ...{ redirect: 'manual', headers: { cookie } },
      }).then(({ status }) => status);
  };
  const first = await begin('slow');
  const held = [first()];
  await expect.poll(() => slow.waiting()).toBe(1);
  expect(await first(), 'the same browser again').toBe(429);
  for (let n = 1; n < 20; n += 1) held.push((await begin('slow'))());
  await expect.poll(() => slow.waiting()).toBe(20);
  expect(await (await begin('slow'))(), 'one more').toBe(429);
  expect(await (await begin('quick'))(), 'at the quick one').toBe(403);
  slow.close();
  expect(new Set(await Promise.all(held))).toEqual(new Set([403]));
  quick.close();
  await rm(folder, { recursive: true, force: true });
});
