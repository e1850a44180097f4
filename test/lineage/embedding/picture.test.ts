// Addresses of pictures of lineage: what they show, to whom, and until when.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { createApiKey, revokeApiKey } from '../../../src/people/api-key.ts';
import { deactivateUser } from '../../../src/people/user.ts';
import { updateResource } from '../../../src/resources/editing/edit.ts';
import { type Caller, type Catalog, openCatalog } from '../../catalog.ts';

let catalog: Catalog;
let base: string;
beforeAll(async () => {
  catalog = await openCatalog();
  base = await catalog.listen();
});
afterAll(() => catalog[Symbol.asyncDispose]());

const mutation = `mutation ($input: EmbedLineageInput!) { embedLineage(input: $input) { url expiresAt } }`;

async function addressOf(input: object, caller?: Caller): Promise<string> {
  const { data, errors } = await catalog.graphql(mutation, { input }, caller);
  expect(errors).toBeUndefined();
  return data.embedLineage.url;
}

async function look(address: string) {
  const response = await fetch(base + address);
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Three in a row, the last of which viewers may not see. */
async function threeInARow() {
  const made = [];
  for (const title of ['raw <b>', 'orders', 'secret']) {
    made.push(await catalog.resource({ title, published: title !== 'secret' }));
  }
  const [raw, orders, secret] = made.map(({ id }) => id);
  for (const [fromId, toId] of [
    [raw, orders],
    [orders, secret],
  ]) {
    await catalog.graphql(
      `mutation { createLineage(input: { fromId: "${fromId}", toId: "${toId}" }) { id } }`,
    );
  }
  return { raw: raw ?? '', orders: orders ?? '', secret: secret ?? '' };
}

test('a picture needs no key, runs nothing, and is the one page that shows in a frame', async () => {
  const { orders } = await threeInARow();
  const { status, headers, text } = await look(await addressOf({ resourceId: orders, depth: 1 }));
  expect(status).toBe(200);
  expect(headers.get('content-security-policy')).toBe(
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  );
  expect(headers.get('cache-control')).toBe('no-store');
  expect(text).toContain('>orders</text>');
  expect(text).toContain('raw &lt;b&gt;');
  expect(text).not.toMatch(/<b>|<script/);
  expect(text.match(/<path/g)).toHaveLength(2);
  for (const path of ['/', '/graphql', '/docs', '/lineage/x']) {
    const page = await fetch(base + path, { headers: { accept: 'text/html' } });
    expect([path, page.headers.get('content-security-policy')]).toEqual([
      path,
      expect.stringContaining("frame-ancestors 'none'"),
    ]);
  }
});

test('it shows what its maker may see when it is looked at', async () => {
  const { orders, raw } = await threeInARow();
  const address = await addressOf({ resourceId: orders }, { as: 'viewer' });
  const before = await look(address);
  expect(before.text).toContain('raw &lt;b&gt;');
  expect(before.text).not.toContain('secret');
  await updateResource(catalog.admin, raw, { published: false });
  expect((await look(address)).text).not.toContain('raw');
  await updateResource(catalog.admin, orders, { published: false });
  const gone = await look(address);
  expect(gone.status).toBe(404);
  expect(gone.text).not.toContain('orders');
});

test('it ends with its key, with its maker, and with its time', async () => {
  const { orders } = await threeInARow();
  const user = await catalog.user({ role: 'editor' });
  const make = async () =>
    createApiKey(catalog.admin, { name: 'Wiki', userId: user.id, scopes: ['WRITE'] });
  const [one, other] = [await make(), await make()];
  const first = await addressOf({ resourceId: orders }, { key: one.key });
  const second = await addressOf({ resourceId: orders }, { key: other.key });
  await revokeApiKey(catalog.admin, one.apiKey.id);
  expect([(await look(first)).status, (await look(second)).status]).toEqual([404, 200]);
  await deactivateUser(catalog.admin, user.id);
  expect((await look(second)).status).toBe(404);

  const soon = new Date(Date.now() + 1_500).toISOString();
  const brief = await addressOf({ resourceId: orders, expiresAt: soon });
  await expect.poll(async () => (await look(brief)).status).toBe(404);
});

test('an address that was changed is none, and wrong input is named', async () => {
  const { orders, secret } = await threeInARow();
  const address = await addressOf({ resourceId: orders });
  const [, payload = '', signature = ''] = /of=(.+)\.(.+)$/.exec(address) ?? [];
  const said = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...said, depth: 10 })).toString('base64url');
  for (const token of [
    `${forged}.${signature}`,
    payload,
    '',
    'x.y',
    `${payload}.${'0'.repeat(64)}`,
  ]) {
    expect([token, (await look(`/embed/lineage?of=${token}`)).status]).toEqual([token, 404]);
  }
  for (const [input, code] of [
    [{ resourceId: orders, depth: 11 }, 'BAD_REQUEST'],
    [{ resourceId: orders, expiresAt: '2020-01-01T00:00:00Z' }, 'BAD_REQUEST'],
    [{ resourceId: orders, expiresAt: '2999-01-01T00:00:00Z' }, 'BAD_REQUEST'],
    [{ resourceId: secret }, 'NOT_FOUND'],
  ] as const) {
    const { errors } = await catalog.graphql(mutation, { input }, { as: 'viewer' });
    expect(errors?.[0]?.extensions.code).toBe(code);
  }
});
