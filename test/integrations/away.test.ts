// What clients are told while the database is away or full, over REST, in uploads and in GraphQL.

import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openDatabase } from '../../src/database/open.ts';
import { listJobs } from '../../src/jobs/job.ts';
import { openCatalog, openCatalogOn } from '../catalog.ts';
import { openProxy } from '../database/proxy.ts';
import { openTestDatabase, seeingAll } from '../database.ts';

/** A catalog whose database can go away. */
async function openAway() {
  const opened = await openTestDatabase();
  const proxy = await openProxy(opened.url);
  const database = await seeingAll(
    await openDatabase({ databaseUrl: proxy.url, maxConnections: 5 }),
  );
  const catalog = await openCatalogOn({
    database,
    owner: opened.owner,
    surroundings: opened.surroundings,
    url: opened.url,
    async [Symbol.asyncDispose]() {
      await database.close();
      await proxy[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  });
  const { id } = await catalog.integration();
  return { catalog, proxy, id, path: `/integration/integrations/${id}/import_jsonl_metadata` };
}

/** A form of two files, the second of which ends when told so. */
function files(tables: number) {
  const lines = Array.from(
    { length: tables },
    (_, n) => `{"entity_type":"table","databuilder_id":"t${n}","title":"t${n}"}\n`,
  );
  const body = new FormData();
  body.append('resources_file', new Blob(lines), 'resources.jsonl');
  return body;
}

test('while the database is away REST, uploads and GraphQL say 503 and when to try again', async () => {
  const { catalog, proxy, path } = await openAway();
  await using _catalog = catalog;
  // The key is known by now: what fails is the work itself.
  expect((await catalog.rest('GET', '/tag')).status).toBe(200);
  const origin = await catalog.listen();
  const graphql = (query: string, accept = 'application/json') =>
    fetch(`${origin}/graphql`, {
      method: 'POST',
      headers: {
        accept,
        authorization: `Bearer ${catalog.keyOf('admin')}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ query }),
    });
  expect((await graphql('{ tags(first: 1) { nodes { id } } }')).status).toBe(200);
  proxy.stop();
  // Of this key nothing is known yet: the database is away before anybody knows who asks.
  const agent = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${catalog.keyOf('editor')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect([agent.status, (await agent.json()).code]).toEqual([503, 'UNAVAILABLE']);
  expect(Number(agent.headers.get('retry-after'))).toBeGreaterThan(0);
  for (const answer of [
    await catalog.rest('GET', '/tag'),
    await catalog.rest('POST', '/tag', { body: { name: 'mine' } }),
    await catalog.rest('POST', path, { body: files(3) }),
    await catalog.rest('POST', path, { body: files(3), headers: { prefer: 'respond-async' } }),
  ]) {
    expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  for (const accept of ['application/json', 'application/graphql-response+json']) {
    const nothing = await graphql('{ tags(first: 1) { nodes { id } } }', accept);
    expect(nothing.status).toBe(503);
    expect(Number(nothing.headers.get('retry-after'))).toBeGreaterThan(0);
    const body = await nothing.json();
    const requestId = nothing.headers.get('x-request-id');
    expect(body.errors[0].extensions).toEqual({ code: 'UNAVAILABLE', request_id: requestId });
    expect(requestId).not.toBeNull();
    expect(body.extensions).toBeUndefined();
  }
  // What can be answered is, and what is wrong with a request is said as it always was.
  const some = await graphql('{ __typename resource(id: "x") { id } }');
  expect([some.status, some.headers.get('retry-after')]).toEqual([200, null]);
  expect((await graphql('{ nothing }')).status).toBe(200);
  const ready = await fetch(`${origin}/readyz`);
  expect(ready.status).toBe(503);
  expect(Number(ready.headers.get('retry-after'))).toBeGreaterThan(0);
  await proxy.start();
  expect((await catalog.rest('GET', '/tag')).status).toBe(200);
  expect((await graphql('{ tags(first: 1) { nodes { id } } }')).status).toBe(200);
  expect(catalog.unexpected).toEqual([]);
});

test('an import whose database goes away is 503, and stands in nobody`s way after', async () => {
  const { catalog, proxy, path } = await openAway();
  await using _catalog = catalog;
  const jobs = async () => (await listJobs(catalog.admin, {}, { first: 5 })).nodes;
  const importing = catalog.rest('POST', path, { body: files(20_000) });
  while (!(await jobs())[0]?.progressStep) await sleep(5);
  proxy.stop();
  const answer = await importing;
  expect([answer.status, answer.body.code]).toEqual([503, 'UNAVAILABLE']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  const id = answer.headers.get('x-job-id');
  await sleep(500);
  await proxy.start();
  // At once, not when its lease has run out.
  const next = await catalog.rest('POST', path, { body: files(10) });
  expect([next.status, next.text]).toEqual([204, '']);
  const [, lost] = await jobs();
  expect(lost).toMatchObject({ id, state: 'failed' });
  expect(lost?.lastError).toContain('The database does not answer');
  expect(await catalog.admin.database.prisma.resource.count()).toBe(10);
  expect(catalog.unexpected).toEqual([]);
});

test.each([
  ['53100', 507, 'INSUFFICIENT_STORAGE', 'no room'],
  ['57P01', 503, 'UNAVAILABLE', 'does not answer'],
  ['40001', 409, 'CONFLICT', 'at the same time'],
  ['XX000', 500, 'INTERNAL_SERVER_ERROR', 'Something went wrong'],
])('an upload that fails with %s is %i %s', async (state, status, code, says) => {
  await using catalog = await openCatalog({ alone: true });
  const { id } = await catalog.integration();
  await catalog.owner.query(
    `create function fail() returns trigger language plpgsql as $$ begin
      raise exception 'It failed.' using errcode = '${state}'; end $$`,
  );
  await catalog.owner.query(
    `create trigger fail before insert on resource for each statement execute function fail()`,
  );
  const path = `/integration/integrations/${id}/import_jsonl_metadata`;
  const answer = await catalog.rest('POST', path, { body: files(3) });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.detail).toContain(says);
  expect(answer.headers.get('x-job-id')).not.toBeNull();
  expect(answer.headers.has('retry-after')).toBe(status === 503);
  expect(catalog.unexpected).toHaveLength(status === 500 ? 1 : 0);
  await catalog.owner.query('drop trigger fail on resource');
  expect((await catalog.rest('POST', path, { body: files(3) })).status).toBe(204);
});
