// What one request may take: its turn among those of its key, its time, its connections.

import { setTimeout as sleep } from 'node:timers/promises';
import { getIntrospectionQuery } from 'graphql';
import { expect, test } from 'vitest';
import { Semaphore } from '../../src/async/semaphore.ts';
import { serverViewer } from '../../src/auth/viewer.ts';
import { execute } from '../../src/database/rows.ts';
import { boundsOf } from '../../src/limits/bounds.ts';
import { acquireInTime } from '../../src/limits/per-key.ts';
import { openCatalog } from '../catalog.ts';
import { clientsOf, send } from './client.ts';
import { lockTable } from './locked.ts';

const tags = '{ tags(first: 1) { nodes { id } } }';
const me = '{ viewer { id } }';
const long = { REQUEST_TIMEOUT_MS: '60000', REQUEST_DATABASE_MS: '60000' };

test('each key has bounds of its own, also where two are of one person', () => {
  const viewer = serverViewer('workspace');
  expect(boundsOf({ ...viewer, keyId: 'one key' })).toBe('one key');
  expect(boundsOf({ ...viewer, keyId: 'another key' })).toBe('another key');
  expect(boundsOf(viewer)).toBe(viewer.id);
});

test('a request that takes too long is cut, and so are its statements', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, { ...long, REQUEST_TIMEOUT_MS: '1000' });
  await admin.rest('GET', '/tag');
  await using table = await lockTable(catalog.url, 'tag');
  const [graphql, rest] = await Promise.all([admin.graphql(tags), admin.rest('GET', '/tag')]);
  expect([graphql.status, graphql.code, graphql.body.data ?? null]).toEqual([200, 'TIMEOUT', null]);
  expect(graphql.body.errors[0].message).toMatch(/Timed out after 1 s/);
  expect([rest.status, rest.code]).toEqual([504, 'TIMEOUT']);
  // Both were answered while the table was locked still: without a cut they would wait for it.
  for (const { ms } of [graphql, rest]) expect(ms).toBeGreaterThan(990);
  await expect.poll(() => table.waiting()).toBe(0);
  expect(await table.running()).toBe(0);
  // Its connections can be used again.
  expect((await admin.graphql(me)).body.data.viewer.id).toBe(catalog.idOf('admin'));
  expect(catalog.unexpected).toEqual([]);
});

test('a write that is cut has no effect', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, { ...long, REQUEST_TIMEOUT_MS: '1000' });
  await admin.rest('GET', '/tag');
  {
    await using table = await lockTable(catalog.url, 'tag');
    const replies = await Promise.all([
      admin.graphql('mutation { createTag(input: { name: "cut" }) { id } }'),
      admin.rest('POST', '/tag/tags', { name: 'cut, too' }),
    ]);
    expect(replies.map(({ code }) => code)).toEqual(['TIMEOUT', 'TIMEOUT']);
    await expect.poll(() => table.waiting()).toBe(0);
  }
  await sleep(200);
  const { prisma } = catalog.database;
  expect(await prisma.tag.count()).toBe(0);
  expect(await prisma.auditLog.count({ where: { activityType: 'tag_created' } })).toBe(0);
});

test('a tool that an agent calls over REST is cut like any other request', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { viewer } = await clientsOf(catalog, { ...long, REQUEST_TIMEOUT_MS: '1000' });
  const call = () =>
    viewer.rest('POST', '/ai/mcp/tools/call/', { name: 'glossary', arguments: {} });
  expect((await call()).status).toBe(200);
  await using table = await lockTable(catalog.url, 'resource');
  const cut = await call();
  expect([cut.status, cut.code]).toEqual([504, 'TIMEOUT']);
  await expect.poll(() => table.waiting()).toBe(0);
  expect(catalog.unexpected).toEqual([]);
});

test('what its statements answer together is bounded, no matter who asks', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, viewer } = await clientsOf(catalog, long);
  await execute(
    catalog.admin,
    `insert into resource (workspace_id, kind, title, title_full, definition, published)
      select $1::uuid, 'document', 'long ' || n, '', repeat('x', 1000000), true
      from generate_series(1, 100) n`,
    [catalog.workspaceId],
  );
  const list = (first: number) =>
    viewer.graphql('query ($n: Int) { resources(first: $n) { nodes { definition } } }', {
      n: first,
    });
  const [graphql, rest] = [
    await list(100),
    await admin.rest('GET', '/document/documents?page_size=100'),
  ];
  expect([graphql.code, graphql.body.data ?? null]).toEqual(['BAD_REQUEST', null]);
  expect([rest.status, rest.code]).toEqual([400, 'BAD_REQUEST']);
  for (const { body } of [graphql, rest]) {
    expect(JSON.stringify(body)).toMatch(/over 64 MiB.*fewer rows/);
  }
  // What is not read does not count, and each request starts over.
  const titles = await viewer.graphql('{ resources(first: 100) { nodes { title } } }');
  expect(titles.body.data.resources.nodes).toHaveLength(100);
  for (let n = 0; n < 3; n += 1) {
    const { body } = await list(30);
    expect(body.data.resources.nodes.map((one: { definition: string }) => one.definition)).toEqual(
      Array(30).fill('x'.repeat(1_000_000)),
    );
  }
  expect(catalog.unexpected).toEqual([]);
});

test('what its statements take together is bounded, however long it may take itself', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, { ...long, REQUEST_DATABASE_MS: '600' });
  await admin.rest('GET', '/tag');
  await using table = await lockTable(catalog.url, 'tag');
  const one = await admin.graphql(tags);
  expect([one.code, one.body.errors[0].message]).toEqual([
    'TIMEOUT',
    expect.stringMatching(/Timed out after 0.6 s of database statements/),
  ]);
  expect(one.ms).toBeGreaterThan(590);
  // Two that run at once count twice.
  const two = await admin.graphql(
    '{ a: tags(first: 1) { totalCount nodes { id } } b: tags(first: 2) { nodes { id } } }',
  );
  expect([two.code, two.ms < one.ms + 1_000]).toEqual(['TIMEOUT', true]);
  await expect.poll(() => table.waiting()).toBe(0);
});

test('of one key so many requests are worked on at once; others wait, then are refused', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin, viewer } = await clientsOf(catalog, { ...long, REQUESTS_PER_KEY: '2' });
  await Promise.all([admin.rest('GET', '/tag'), viewer.rest('GET', '/tag')]);
  const held = [];
  {
    await using table = await lockTable(catalog.url, 'tag');
    held.push(admin.graphql(tags), admin.rest('GET', '/tag'));
    await expect.poll(() => table.waiting()).toBe(2);
    const waits = [admin.graphql(me), admin.rest('GET', '/auth/teams')];
    // Somebody else does not notice.
    expect((await viewer.graphql(me)).body.data.viewer.id).toBe(catalog.idOf('viewer'));
    for (const reply of await Promise.all(waits)) {
      expect([reply.status, reply.code]).toEqual([429, 'TOO_MANY_REQUESTS']);
      expect(reply.headers.get('retry-after')).toBe('1');
      expect(reply.ms).toBeGreaterThan(4_900);
    }
    held.push(admin.graphql(me), admin.rest('GET', '/auth/teams'));
    await sleep(200);
  }
  // Those that still waited come in when the first have gone.
  const replies = await Promise.all(held);
  expect(replies.map(({ status, code }) => [status, code])).toEqual(
    Array(4).fill([200, undefined]),
  );
});

test('a key has half of the connections at most, so that others are served', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 4 });
  const { admin, viewer } = await clientsOf(catalog, long);
  await Promise.all([admin.rest('GET', '/tag'), viewer.rest('GET', '/tag')]);
  const held = [];
  {
    await using table = await lockTable(catalog.url, 'tag');
    for (let n = 0; n < 8; n += 1) held.push(admin.graphql(tags));
    await expect.poll(() => table.waiting()).toBe(2);
    const teams = await viewer.graphql('{ teams { nodes { id } } }');
    expect(teams.body.data.teams.nodes).toHaveLength(1);
    expect(await table.waiting()).toBe(2);
  }
  for (const { body } of await Promise.all(held)) expect(body.data.tags.nodes).toEqual([]);
});

test('requests that are cut at once leave their connections to the next', async () => {
  await using catalog = await openCatalog({ alone: true, maxConnections: 8 });
  const { admin, viewer } = await clientsOf(catalog, { ...long, REQUEST_TIMEOUT_MS: '1000' });
  const before = [];
  {
    await using table = await lockTable(catalog.url, 'tag');
    for (let round = 0; round < 3; round += 1) {
      const held = Array.from({ length: 8 }, () => admin.graphql(tags));
      await expect.poll(() => table.waiting()).toBe(4);
      before.push(await table.sessions());
      for (const { code } of await Promise.all(held)) expect(code).toBe('TIMEOUT');
    }
    expect((await viewer.graphql(me)).body.data.viewer.id).toBe(catalog.idOf('viewer'));
    before.push(await table.sessions());
  }
  expect(before[0]?.length).toBeGreaterThan(3);
  for (const sessions of before) expect(sessions).toEqual(expect.arrayContaining(before[0] ?? []));
  expect((await admin.graphql(tags)).body.data.tags.nodes).toEqual([]);
  expect(catalog.unexpected).toEqual([]);
});

test('a read ends with its client, a write that has begun does not', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, long);
  await admin.rest('GET', '/tag');
  {
    await using table = await lockTable(catalog.url, 'tag');
    const leaving = new AbortController();
    const read = admin.graphql(tags, {}, leaving.signal);
    await expect.poll(() => table.waiting()).toBe(1);
    leaving.abort();
    await expect(read).rejects.toThrow();
    await expect.poll(() => table.waiting()).toBe(0);
    const alsoLeaving = new AbortController();
    const create = 'mutation { createTag(input: { name: "kept" }) { id } }';
    const write = admin.graphql(create, {}, alsoLeaving.signal);
    await expect.poll(() => table.waiting()).toBe(1);
    alsoLeaving.abort();
    await expect(write).rejects.toThrow();
    await sleep(300);
    expect(await table.waiting()).toBe(1);
  }
  await expect.poll(() => catalog.database.prisma.tag.count({ where: { name: 'kept' } })).toBe(1);
  expect(catalog.unexpected).toEqual([]);
});

test('who leaves in the middle of a long answer leaves no error that no one handles', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { admin } = await clientsOf(catalog, long);
  const query = getIntrospectionQuery();
  const unhandled: unknown[] = [];
  const onRejection = (error: unknown) => unhandled.push(error);
  process.on('unhandledRejection', onRejection);
  try {
    // The first of them prepares what the next ones find.
    await admin.graphql(query);
    const { ms } = await admin.graphql(query);
    for (let part = 1; part < 30; part += 1) {
      const leaving = new AbortController();
      setTimeout(() => leaving.abort(), (ms * part) / 30);
      await admin.graphql(query, {}, leaving.signal).catch(() => {});
    }
    await sleep(ms);
  } finally {
    process.off('unhandledRejection', onRejection);
  }
  expect(unhandled).toEqual([]);
  expect(catalog.unexpected).toEqual([]);
});

test('who shows no key may ask of the schema, within bounds that all of them share', async () => {
  await using catalog = await openCatalog({ alone: true });
  const { origin, admin } = await clientsOf(catalog, { ...long, REQUESTS_PER_KEY: '1' });
  const ask = (times: number, authorization: string | null = null) => {
    const types = '__schema { types { name fields { name args { name } } } }';
    const query = `{ ${Array.from({ length: times }, (_, n) => `s${n}: ${types}`).join(' ')} }`;
    return send(`${origin}/graphql`, { authorization, body: { query } });
  };
  const replies = await Promise.all([ask(3), ask(3), ask(1), admin.graphql(me)]);
  expect(replies.map(({ status, code }) => [status, code])).toEqual(
    Array(4).fill([200, undefined]),
  );
  const [one, two] = replies;
  expect(one?.body).toEqual(two?.body);
  expect(one?.body.data.s0).toEqual(one?.body.data.s2);
  const query = { name: 'Query', fields: expect.arrayContaining([{ name: 'viewer', args: [] }]) };
  expect(one?.body.data.s0.types).toContainEqual(query);
  // Too much of it is refused, as anything else is.
  expect((await ask(60)).code).toBe('BAD_REQUEST');
  expect((await ask(1, 'Bearer nonsense')).code).toBeUndefined();
});

test('where a thousand wait for their turn, one more is refused at once', async () => {
  const lane = new Semaphore(1);
  const leave = await lane.acquire(new AbortController().signal);
  const clients = Array.from({ length: 1_000 }, () => new AbortController());
  const waiting = clients.map(({ signal }) => acquireInTime(lane, signal));
  const ended = Promise.allSettled(waiting);
  await expect(acquireInTime(lane, new AbortController().signal)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  expect(lane.waiting).toBe(1_000);
  // Who goes away makes room, and is no one's fault.
  for (const client of clients) client.abort();
  for (const one of await ended) {
    expect(one).toMatchObject({ status: 'rejected', reason: { name: 'AbortError' } });
  }
  expect(lane.waiting).toBe(0);
  leave();
  expect(lane.isEmpty).toBe(true);
});
