// Mutations with an Idempotency-Key: one effect and the same answer, however often they are sent.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';

const createTag = 'mutation ($name: String!) { createTag(input: { name: $name }) { id name } }';

async function senderOf(catalog: Catalog) {
  const origin = await catalog.listen();
  return async (
    key: string,
    query: string,
    variables: object = {},
    as: 'admin' | 'editor' = 'admin',
  ) => {
    const response = await fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${catalog.keyOf(as)}`,
        'content-type': 'application/json',
        'idempotency-key': key,
      },
      body: JSON.stringify({ query, variables }),
    });
    const body = await response.json();
    const isReplay = response.headers.get('idempotent-replayed') === 'true';
    const code = body.errors?.[0]?.extensions.code ?? null;
    return { status: response.status, body, code, isReplay };
  };
}

const tagsOf = async ({ owner, workspaceId }: Catalog) =>
  (
    await owner.query<{ name: string }>(
      'select name from tag where workspace_id = $1 order by name',
      [workspaceId],
    )
  ).rows.map(({ name }) => name);

test('sent again it gets the same answer, and has had one effect', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const key = randomUUID();
  const first = await send(key, createTag, { name: 'one' });
  expect(first.body.data.createTag.name).toBe('one');
  expect(first.isReplay).toBe(false);
  expect(await send(key, createTag, { name: 'one' })).toEqual({ ...first, isReplay: true });
  expect(await tagsOf(catalog)).toEqual(['one']);
  const headers = { 'idempotency-key': 'over-rest' };
  const post = () => catalog.rest('POST', '/tag', { body: { name: 'two' }, headers });
  const marks = [await post(), await post()].map((one) => one.headers.get('idempotent-replayed'));
  expect(marks).toEqual([null, 'true']);
});

test('eight at once have one effect, and one answer', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const key = randomUUID();
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => send(key, createTag, { name: 'one' })),
  );
  const bodies = new Set(answers.map(({ body }) => JSON.stringify(body)));
  expect(bodies.size).toBe(1);
  expect(answers[0]?.body.data.createTag.name).toBe('one');
  expect(await tagsOf(catalog)).toEqual(['one']);
});

test('another request with the key is refused: other variables, another document, another API; not another user', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const key = randomUUID();
  await send(key, createTag, { name: 'one' });
  const other = createTag.replace('id name', 'id');
  expect((await send(key, createTag, { name: 'two' })).code).toBe('UNPROCESSABLE');
  expect((await send(key, other, { name: 'one' })).code).toBe('UNPROCESSABLE');
  const headers = { 'idempotency-key': key };
  const rest = await catalog.rest('POST', '/tag', { body: { name: 'one' }, headers });
  expect(rest.status).toBe(422);
  expect((await send(key, createTag, { name: 'two' }, 'editor')).body.data.createTag.name).toBe(
    'two',
  );
  expect(await tagsOf(catalog)).toEqual(['one', 'two']);
});

test('one that is refused leaves nothing, and its key free', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const key = randomUUID();
  await catalog.tag({ name: 'taken' });
  const refused = await send(key, createTag, { name: 'taken' });
  expect([refused.code, refused.body.data]).toEqual(['CONFLICT', null]);
  expect((await send(key, createTag, { name: 'free' })).body.data.createTag.name).toBe('free');
  expect(await tagsOf(catalog)).toEqual(['free', 'taken']);
});

test('several mutations at once, and what is no key, are refused before anything is done', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const two = `mutation { a: createTag(input: { name: "a" }) { id } b: createTag(input: { name: "b" }) { id } }`;
  expect((await send(randomUUID(), two)).code).toBe('BAD_REQUEST');
  expect((await send('x'.repeat(256), createTag, { name: 'c' })).code).toBe('BAD_REQUEST');
  expect(await tagsOf(catalog)).toEqual([]);
});

test('a query is answered as it is now, whatever key comes with it', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const key = randomUUID();
  const count = async () => (await send(key, '{ tags(first: 1) { totalCount } }')).body.data.tags;
  expect(await count()).toEqual({ totalCount: 0 });
  await catalog.tag();
  expect(await count()).toEqual({ totalCount: 1 });
});

test('a key that is shown once is shown to the same request again, and is nowhere in the database', async () => {
  await using catalog = await openCatalog();
  const send = await senderOf(catalog);
  const make = 'mutation { createApiKey(input: { name: "mine", scopes: [READ] }) { key } }';
  const first = await send('made-once', make);
  const { key } = first.body.data.createApiKey;
  expect(key).toMatch(/^hwk_/);
  expect((await send('made-once', make)).body).toEqual(first.body);
  const kept = await catalog.owner.query<{ body: string }>(
    'select body from idempotency_key where workspace_id = $1',
    [catalog.workspaceId],
  );
  expect(kept.rows).toHaveLength(1);
  expect(JSON.stringify(kept.rows)).not.toContain(key.slice(-36));
  // Under another master key it is not made a second time either.
  await catalog.owner.query(
    `update idempotency_key set body = 'v2:other:' || split_part(body, ':', 3) || ':' || split_part(body, ':', 4)
      where workspace_id = $1`,
    [catalog.workspaceId],
  );
  const lost = await send('made-once', make);
  expect([lost.code, lost.body.errors[0].message]).toEqual([
    'CONFLICT',
    expect.stringContaining('another master key'),
  ]);
  const keys = await catalog.graphql('{ apiKeys { nodes { name } } }');
  expect(JSON.stringify(keys.data).match(/mine/g)).toHaveLength(1);
});
