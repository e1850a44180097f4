// Conditions of requests: what a client has is not sent again, and what it did not see is not changed.

import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { getResource } from '../../src/resources/resource.ts';
import { operations } from '../../src/rest/api.ts';
import { expectedVersions } from '../../src/rest/conditional-request.ts';
import { openCatalog } from '../catalog.ts';

const strong = /^"\d+-[\w-]{27}"$/;

test('a record has a strong tag, which HEAD has as well, and which changes with what is shown', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const path = `/table/tables/${id}`;
  const get = await catalog.rest('GET', path);
  const tag = get.headers.get('etag') ?? '';
  expect(tag).toMatch(strong);
  expect(get.body).not.toHaveProperty('version');
  expect(Object.keys(get.body).filter((name) => name.startsWith('_'))).toEqual([]);
  const head = await catalog.rest('HEAD', path);
  expect([head.status, head.text, head.headers.get('etag')]).toEqual([200, '', tag]);

  for (const known of [tag, `"x", ${tag}`, `W/${tag}`, '*']) {
    const again = await catalog.rest('GET', path, { headers: { 'if-none-match': known } });
    expect([known, again.status, again.text]).toEqual([known, 304, '']);
    expect(again.headers.get('etag')).toBe(tag);
  }
  // Another reader is shown something else of the same version: may he write?
  const caller = { as: 'viewer' } as const;
  const seen = await catalog.rest('GET', path, { caller, headers: { 'if-none-match': tag } });
  expect([seen.status, seen.headers.get('etag')?.split('-')[0]]).toEqual([200, tag.split('-')[0]]);
  expect(seen.headers.get('etag')).not.toBe(tag);

  await catalog.resource({ kind: 'column', parentId: id });
  const grown = await catalog.rest('GET', path, { headers: { 'if-none-match': tag } });
  expect([grown.status, grown.body.children_count]).toEqual([200, 1]);
  expect(grown.headers.get('etag')).not.toBe(tag);
});

test('a long record is sent as it is, so that its tag can be sent back; long answers of GraphQL are packed', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource({ definition: 'word '.repeat(5_000) });
  const base = await catalog.listen();
  const headers = {
    authorization: `Bearer ${catalog.keyOf('admin')}`,
    'accept-encoding': 'gzip',
    'content-type': 'application/json',
  };
  const path = `${base}/api/v1/table/tables/${id}`;
  const record = await fetch(path, { headers });
  expect((await record.text()).length).toBeGreaterThan(20_000);
  expect(record.headers.get('etag')).toMatch(strong);
  expect(record.headers.get('content-encoding')).toBeNull();
  const known = { ...headers, 'if-match': record.headers.get('etag') ?? '' };
  const body = JSON.stringify({ description: 'said' });
  expect((await fetch(path, { method: 'PATCH', headers: known, body })).status).toBe(200);

  const query = `{ resource(id: "${id}") { definition } }`;
  const asked = { method: 'POST', headers, body: JSON.stringify({ query }) };
  const answer = await fetch(`${base}/graphql`, asked);
  expect(answer.headers.get('content-encoding')).toBe('gzip');
  expect((await answer.json()).data.resource.definition).toHaveLength(25_000);
});

test('a change is made to the version that the client read, and its answer has the next tag', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const path = `/table/tables/${id}`;
  const read = async () => (await catalog.rest('GET', path)).headers.get('etag') ?? '';
  const change = (body: object, tag: string) =>
    catalog.rest('PATCH', path, { body, headers: { 'if-match': tag } });
  const first = await read();
  const done = await change({ description: 'one' }, first);
  expect(done.status).toBe(200);
  const second = done.headers.get('etag') ?? '';
  expect(second).toBe(await read());
  expect((await change({ pii: true }, second)).status).toBe(200);

  const refused = await change({ description: 'two' }, first);
  expect(refused.status).toBe(412);
  expect(refused.headers.get('content-type')).toBe('application/problem+json');
  expect(refused.headers.has('etag')).toBe(false);
  expect(refused.body).toMatchObject({
    title: 'Precondition Failed',
    status: 412,
    code: 'PRECONDITION_FAILED',
    current_version: 3,
    changed_by: { id: catalog.idOf('admin'), email: 'admin@example.com' },
    changed_at: expect.stringMatching(/^\d{4}-.*Z$/),
    changed_fields: ['description', 'pii'],
  });
  expect((await catalog.rest('GET', path)).body).toMatchObject({ description: 'one', pii: true });
});

test('fields of a 412 have their documented names', async () => {
  await using catalog = await openCatalog();
  const [tag, user] = [await catalog.tag(), await catalog.user()];
  const { id } = await catalog.resource();
  await catalog.rest('PATCH', `/resource/all/${id}`, {
    body: { add_tags: [tag.id], owners: [user.id], native_type: 'view' },
  });
  const { body } = await catalog.rest('PATCH', `/resource/all/${id}`, {
    body: { pii: true },
    headers: { 'if-match': '"1"' },
  });
  expect(body.changed_fields.toSorted()).toEqual(['native_type', 'owners', 'tags']);
  expect(body.detail).toMatch(/changed native_type, owners, tags\. Reload and try again/);
});

test('of several tags one that fits is enough; a star fits any, a weak tag none', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.tag();
  const path = `/tag/${id}`;
  const status = async (tag: string) =>
    (
      await catalog.rest('PATCH', path, {
        body: { color: '#123456' },
        headers: { 'if-match': tag },
      })
    ).status;
  const current = (await catalog.rest('GET', path)).headers.get('etag') ?? '';
  const [, digits = ''] = /^"(\d+)/.exec(current) ?? [];
  const next = (by: number) => `"${Number(digits) + by}"`;
  expect(await status(`${next(7)}, "x", ${current}`)).toBe(204);
  expect(await status('*')).toBe(204);
  expect(await status(next(2))).toBe(204);
  for (const wrong of [
    `W/${next(3)}`,
    '"x"',
    'x',
    '"99999999999"',
    `${next(3).slice(0, -1)}`,
    '""',
  ]) {
    expect([wrong, await status(wrong)]).toEqual([wrong, 412]);
  }
  expect(await status(next(3))).toBe(204);
});

test('a deletion is of the version that the client read', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.team();
  const path = `/auth/teams/${id}`;
  const tag = (await catalog.rest('GET', path)).headers.get('etag') ?? '';
  await catalog.rest('PATCH', path, { body: { description: 'Needed after all' } });
  const refused = await catalog.rest('DELETE', path, { headers: { 'if-match': tag } });
  expect([refused.status, refused.body.changed_fields]).toEqual([412, ['description']]);
  const now = (await catalog.rest('GET', path)).headers.get('etag') ?? '';
  expect((await catalog.rest('DELETE', path, { headers: { 'if-match': now } })).status).toBe(204);
  expect((await catalog.rest('DELETE', path, { headers: { 'if-match': now } })).status).toBe(404);
});

test('a definition of a property is replaced at the version that the client read', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.property({ name: 'Cost' });
  const path = `/resource/all_v2/custom_properties/${id}`;
  const put = (tag: string) =>
    catalog.rest('PUT', path, { body: { name: 'Price' }, headers: { 'if-match': tag } });
  const tag = (await catalog.rest('GET', path)).headers.get('etag') ?? '';
  expect(tag).toMatch(strong);
  const done = await put(tag);
  expect(done.status).toBe(200);
  // What is stored is not what was sent, so HTTP wants no tag here.
  expect(done.headers.has('etag')).toBe(false);
  expect((await put(tag)).status).toBe(412);
});

test('permission and existence come before conditions', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  const headers = { 'if-match': '"999"' };
  const of = async (path: string, caller = { as: 'admin' } as { as: 'admin' | 'viewer' }) =>
    (await catalog.rest('PATCH', path, { body: { pii: true }, headers, caller })).status;
  expect(await of(`/table/tables/${id}`)).toBe(412);
  expect(await of(`/table/tables/${id}`, { as: 'viewer' })).toBe(403);
  expect(await of(`/table/tables/${randomUUID()}`)).toBe(404);
  expect(await of(`/dashboard/charts/${id}`)).toBe(404);
});

test('where there is no single record with a version, a condition is refused instead of forgotten', async () => {
  await using catalog = await openCatalog();
  const [property, table] = [await catalog.property(), await catalog.resource()];
  const path = '/resource/all_v2/bulk_update/custom_properties/';
  const body = { entity_ids: [table.id], properties: { [property.id]: 'dear' } };
  const refused = await catalog.rest('PUT', path, { body, headers: { 'if-match': '"1"' } });
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'If-Match']);
  expect((await catalog.rest('PUT', path, { body, headers: { 'if-match': '*' } })).status).toBe(
    204,
  );
  // What makes something new has nothing to compare, and an upload is no record.
  const { id } = await catalog.integration();
  const form = new FormData();
  form.set('file', new Blob(['name,schema,database']), 'tables.csv');
  for (const [posted, sent] of [
    ['/tag', {}],
    [`/integration/integrations/${id}/import_metadata`, form],
  ] as const) {
    const made = await catalog.rest('POST', posted, { body: sent, headers: { 'if-match': '"1"' } });
    expect([posted, made.status, made.body.errors?.[0].field]).toEqual([posted, 400, 'If-Match']);
  }
});

test('a condition without a tag is refused: who lost theirs writes over nothing', async () => {
  await using catalog = await openCatalog();
  const { id } = await catalog.resource();
  for (const empty of ['', ' , ']) {
    const headers = { 'if-match': empty };
    const body = { description: 'lost' };
    const refused = await catalog.rest('PATCH', `/table/tables/${id}`, { body, headers });
    expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'If-Match']);
  }
  expect(await getResource(catalog.admin, id)).toMatchObject({ description: null, version: 1 });
});

test('what was made can be changed with the tag of its answer', async () => {
  await using catalog = await openCatalog();
  const body = { title: 'orders' };
  const headers = { 'idempotency-key': 'orders' };
  const made = await catalog.rest('POST', '/table/tables', { body, headers });
  const tag = made.headers.get('etag') ?? '';
  expect([made.status, tag]).toEqual([201, expect.stringMatching(strong)]);
  const path = `/table/tables/${made.body.id}`;
  expect((await catalog.rest('GET', path)).headers.get('etag')).toBe(tag);
  const change = { body: { pii: true }, headers: { 'if-match': tag } };
  expect((await catalog.rest('PATCH', path, change)).status).toBe(200);
  // The first answer is given again, but not as that of the record as it is now.
  const again = await catalog.rest('POST', '/table/tables', { body, headers });
  expect([again.status, again.body.id, again.headers.has('etag')]).toEqual([
    ...[201, made.body.id, false],
  ]);
});

test('every PATCH, PUT and DELETE of one record takes a condition, every GET of one has a tag', () => {
  const changing = operations.filter(({ method }) => method !== 'GET' && method !== 'POST');
  const without = changing.filter(({ isConditional }) => !isConditional).map(({ name }) => name);
  expect(without.sort()).toEqual([
    // Of many resources at once, and of what a query says.
    'ChangeCustomProperties',
    'ReplaceLineageFromQuery',
    // A key has nothing that people edit: it ends.
    'RevokeApiKey',
    'SetCustomProperties',
    'UpdateResources',
    'UpdateResourcesFromCsv',
  ]);
  const reading = operations.filter(
    ({ method, shape, path }) => method === 'GET' && shape === 'RECORD' && /:\w+$/.test(path),
  );
  const untagged = reading.filter(({ isVersioned }) => !isVersioned).map(({ name }) => name);
  // A job changes by itself, and no one edits it.
  expect(untagged).toEqual(['GetBackgroundJob']);
  expect(reading.length).toBeGreaterThan(20);
});

test('the tags of a request are read as HTTP spells them', () => {
  const versionsIn = (tags: string) =>
    expectedVersions(new Request('http://a.test', { headers: { 'if-match': tags } }), true);
  expect(versionsIn('"1-abc", "2-x_y-z" ,"2-other"')).toEqual([1, 2]);
  expect(versionsIn('"7"')).toEqual([7]);
  expect(versionsIn('W/"1-abc", "3-d"')).toEqual([3]);
  for (const none of ['W/"1-abc"', '"abc"', '1', '"1-a b"', '"-1"', '"1.5"', '"2147483648"']) {
    expect([none, versionsIn(none)]).toEqual([none, [0]]);
  }
  for (const any of ['*', '"1", *']) expect([any, versionsIn(any)]).toEqual([any, undefined]);
  for (const empty of ['', ' , ']) expect(() => versionsIn(empty)).toThrow(/ETag of the record/);
  const many = Array.from({ length: 21 }, (_, n) => `"${n}"`).join(',');
  expect(() => versionsIn(many)).toThrow(/at most 20/);
});
