// What REST costs the database, and what it does when it is asked twice.

import { randomUUID } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { type Catalog, openCatalog } from '../catalog.ts';
import { sayCounted } from '../gates/counted.ts';

vi.setConfig({ testTimeout: 600_000 });

/** How often fifty come at once; `npm run gates -- idempotency` lets them come 20 times. */
const rounds = Number(process.env.ROUNDS || 2);

async function countTables(catalog: Catalog, title: string): Promise<number> {
  return (await catalog.rest('GET', `/table/tables?title=${encodeURIComponent(title)}`)).body.count;
}

test('a list of tables costs one statement besides the key, and one where it is remembered how many there are and its page does not tell', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  const parent = await catalog.resource({ kind: 'schema', title: 'public' });
  const tag = await catalog.tag();
  await catalog.database.prisma.resource.createMany({
    data: Array.from({ length: 100 }, (_, n) => ({
      ...{ workspaceId, kind: 'table', title: `t${n}`, titleFull: `public.t${n}` },
      ...{ parentId: parent.id, tagIds: [tag.id] },
    })),
  });
  const isTable = JSON.stringify({ operator: 'exact', field: 'type', value: 'table' });
  // Of all tables it is remembered how many there are; those of a schema, or of a filter, are counted with the page.
  for (const [size, most] of [
    [100, { ofAll: 1, filtered: 1 }],
    [99, { ofAll: 2, filtered: 1 }],
  ] as const) {
    for (const [path, expected] of [
      [`/table/tables?page_size=${size}`, most.ofAll],
      [`/table/tables?page_size=${size}&parent_id=${parent.id}`, most.filtered],
      [`/resource/catalog?page_size=${size}&filter=${encodeURIComponent(isTable)}`, most.filtered],
    ] as const) {
      const { value, statements } = await catalog.counting(() => catalog.rest('GET', path));
      const { count, results } = value.body;
      expect([value.status, count, results.length]).toEqual([200, 100, size]);
      expect(statements.filter((text) => !/\bapi_key\b/.test(text))).toHaveLength(expected);
      expect(statements.length).toBeLessThanOrEqual(4);
    }
  }
});

test('fifty equal keys at once have one effect, and all get its answer', async () => {
  await using catalog = await openCatalog();
  // All are let in at once: none waits for its turn, and is refused when that takes long.
  await catalog.app({ REQUESTS_PER_KEY: '50' });
  let effects = 0;
  for (let round = 0; round < rounds; round += 1) {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { title: `made once ${round}` };
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => catalog.rest('POST', '/table/tables', { body, headers })),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const made = await countTables(catalog, body.title);
    expect(made).toBe(1);
    effects += made;
  }
  sayCounted(`${rounds * 50} requests with ${rounds} Idempotency-Keys, ${effects} effects`);
  expect(catalog.unexpected).toEqual([]);
});

test('a key that comes with another body, path or query is refused and does nothing', async () => {
  await using catalog = await openCatalog();
  const headers = { 'idempotency-key': randomUUID() };
  await catalog.rest('POST', '/table/tables', { body: { title: 'first' }, headers });
  const other = await catalog.rest('POST', '/table/tables', { body: { title: 'second' }, headers });
  expect([other.status, other.body.code]).toEqual([422, 'UNPROCESSABLE']);
  const elsewhere = { body: { title: 'first' }, headers };
  expect((await catalog.rest('POST', '/dashboard/charts', elsewhere)).status).toBe(422);
  expect((await catalog.rest('POST', '/table/tables?format=json', elsewhere)).status).toBe(422);
  expect(await countTables(catalog, 'second')).toBe(0);
  expect(await countTables(catalog, 'first')).toBe(1);
});

test('the same key of many users at once has an effect for each of them, and for no one two', async () => {
  await using catalog = await openCatalog();
  await using another = await catalog.another();
  const headers = { 'idempotency-key': randomUUID() };
  const ask = (of: Catalog, as: 'admin' | 'editor') =>
    of.rest('POST', '/table/tables', { body: { title: `of ${as}` }, headers, caller: { as } });
  const callers = [
    () => ask(catalog, 'admin'),
    () => ask(catalog, 'editor'),
    () => ask(another, 'admin'),
  ];
  const answers = await Promise.all(
    callers.map(async (call) => Promise.all([call(), call(), call()])),
  );
  const ids = answers.map((of) => [...new Set(of.map(({ body }) => body.id))]);
  expect(ids.map((of) => of.length)).toEqual([1, 1, 1]);
  expect(new Set(ids.flat()).size).toBe(3);
  expect(answers.flat().map(({ status }) => status)).toEqual(Array(9).fill(201));
  expect([await countTables(catalog, 'of '), await countTables(another, 'of ')]).toEqual([2, 1]);
});

test('a key belongs to its user, and a refused request leaves it free', async () => {
  await using catalog = await openCatalog();
  const headers = { 'idempotency-key': randomUUID() };
  const body = { title: 'whose' };
  const wrong = await catalog.rest('POST', '/table/tables', { body: { title: 5 }, headers });
  expect(wrong.status).toBe(400);
  const mine = await catalog.rest('POST', '/table/tables', { body, headers });
  const caller = { as: 'editor' } as const;
  const theirs = await catalog.rest('POST', '/table/tables', { body, headers, caller });
  expect([mine.status, theirs.status]).toEqual([201, 201]);
  expect(theirs.body.id).not.toBe(mine.body.id);
  // Anyone who came later took neither the key nor the answer from who came before.
  for (const _ of [1, 2]) {
    const again = await catalog.rest('POST', '/table/tables', { body, headers });
    expect([again.status, again.text]).toEqual([201, mine.text]);
    const theirsAgain = await catalog.rest('POST', '/table/tables', { body, headers, caller });
    expect([theirsAgain.status, theirsAgain.text]).toEqual([201, theirs.text]);
  }
  expect(await countTables(catalog, body.title)).toBe(2);
  const other = await catalog.rest('POST', '/table/tables', { body: {}, headers, caller });
  expect(other.status).toBe(422);
  const tooLong = { 'idempotency-key': 'x'.repeat(256) };
  const refused = await catalog.rest('POST', '/table/tables', { body, headers: tooLong });
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'Idempotency-Key']);
});
