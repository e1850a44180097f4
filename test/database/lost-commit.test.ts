// A commit whose answer is lost: it was done, and the client is told that this is not known.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Catalog, openCatalogOn } from '../catalog.ts';
import { openDatabaseAt, openTestDatabase } from '../database.ts';
import { openProxy } from './proxy.ts';

async function openLossy() {
  const opened = await openTestDatabase();
  const proxy = await openProxy(opened.url);
  const through = await openDatabaseAt(proxy.url, { lineageMemory: { maxBytes: 0, waits: true } });
  const catalog = await openCatalogOn({
    ...through,
    owner: opened.owner,
    async [Symbol.asyncDispose]() {
      await through[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  });
  return { catalog, proxy };
}

const message = /It may have been done: look, or send it again with the same Idempotency-Key\.$/;

const tagsOf = async ({ owner }: Catalog, name: string) =>
  (await owner.query('select name from tag where name = $1', [name])).rows;

test.each(['cut', 'swallow'] as const)(
  'over REST a change whose answer was lost (%s) may have been done, and is not to be sent again blindly',
  async (how) => {
    const { catalog, proxy } = await openLossy();
    await using _catalog = catalog;
    const { body: tag } = await catalog.rest('POST', '/tag', { body: { name: 'first' } });
    const one = `/tag/${tag.id}`;
    const changes = [
      ['POST', '/tag', { name: 'made' }],
      ['PATCH', one, { name: 'renamed', color: '#ff0000' }],
      ['DELETE', one],
    ] as const;
    // Waiting for one that is swallowed takes seconds.
    for (const [method, path, body] of how === 'cut' ? changes : changes.slice(0, 1)) {
      const lost = proxy.loseCommit(how);
      const answer = await catalog.rest(method, path, body ? { body } : {});
      expect([answer.status, answer.body.code], answer.text).toEqual([503, 'OUTCOME_UNKNOWN']);
      expect(answer.body.detail).toMatch(message);
      expect(answer.headers.get('retry-after')).toBeNull();
      await lost;
      proxy.resume();
    }
    expect(await tagsOf(catalog, 'made')).toHaveLength(1);
    const { rows } = await catalog.owner.query('select id from tag where id = $1', [tag.id]);
    expect(rows.length).toBe(how === 'cut' ? 0 : 1);
    expect(catalog.unexpected).toEqual([]);
  },
);

test('with an Idempotency-Key it is to be sent again, and is done once', async () => {
  const { catalog, proxy } = await openLossy();
  await using _catalog = catalog;
  const headers = { 'idempotency-key': randomUUID() };
  const post = () => catalog.rest('POST', '/tag', { body: { name: 'once' }, headers });
  const lost = proxy.loseCommit('cut');
  const answer = await post();
  await lost;
  expect([answer.status, answer.body.code]).toEqual([503, 'OUTCOME_UNKNOWN']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const again = await post();
  expect([again.status, again.body.name]).toEqual([201, 'once']);
  expect(await tagsOf(catalog, 'once')).toHaveLength(1);
});

test('what is certainly not done is another code, which says when to try again', async () => {
  const { catalog, proxy } = await openLossy();
  await using _catalog = catalog;
  await catalog.rest('GET', '/tag');
  proxy.stop();
  const answer = await catalog.rest('POST', '/tag', { body: { name: 'never' } });
  expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  await proxy.start();
  expect(await tagsOf(catalog, 'never')).toEqual([]);
});

test('over GraphQL the mutation says so in its error, with 503 and without Retry-After', async () => {
  const { catalog, proxy } = await openLossy();
  await using _catalog = catalog;
  const origin = await catalog.listen();
  const lost = proxy.loseCommit('cut');
  const answer = await fetch(`${origin}/graphql`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('admin')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ query: 'mutation { createTag(input: { name: "made" }) { id } }' }),
  });
  await lost;
  const { errors } = await answer.json();
  expect(errors[0].extensions.code).toBe('OUTCOME_UNKNOWN');
  expect(errors[0].message).toMatch(message);
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, null]);
  expect(await tagsOf(catalog, 'made')).toHaveLength(1);
});
