// GraphQL over HTTP: the specification's audits against the whole server, and the status of each refusal.

import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Catalog, openCatalog } from '../../catalog.ts';
import { subscribe } from '../../limits/events.ts';
import { hasTool } from '../../tool.ts';

const newType = 'application/graphql-response+json';
const oldType = 'application/json';

let catalog: Catalog;
let url: string;
beforeAll(async () => {
  catalog = await openCatalog();
  url = `${await catalog.listen()}/graphql`;
});
afterAll(() => catalog[Symbol.asyncDispose]());

test.skipIf(!hasTool('graphql-http'))(
  'every audit of the specification passes, down to what a server may do',
  async () => {
    const fetchFn = (input: string, init: RequestInit = {}) => {
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${catalog.keyOf('admin')}`);
      return fetch(input, { ...init, headers });
    };
    const { serverAudits } = await import('../../../tools/node_modules/graphql-http/lib/index.mjs');
    const audits = serverAudits({ url, fetchFn });
    expect(audits.length).toBeGreaterThan(60);
    for (const audit of audits) {
      const result = await audit.fn();
      expect(result.status === 'ok' ? 'ok' : result.reason, audit.name).toBe('ok');
    }
  },
);

interface Sent {
  readonly accept: string;
  readonly key?: string | null;
  readonly body?: object | string;
  /** Sent in the address instead of a body. */
  readonly search?: string;
  readonly method?: string;
}

async function send({ accept, key = catalog.keyOf('admin'), body, search = '', ...rest }: Sent) {
  const { method = body === undefined ? 'GET' : 'POST' } = rest;
  const response = await fetch(`${url}${search}`, {
    method,
    headers: {
      accept,
      'content-type': 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const answer = await response.json();
  const [error] = answer.errors ?? [];
  return { response, status: response.status, answer, code: error?.extensions.code };
}

const wrongId = '00000000-0000-4000-8000-000000000000';

/** A request, the code of its error, and its status for clients of the new type and of the old. */
const refusals: readonly [what: string, sent: Omit<Sent, 'accept'>, ...expected: unknown[]][] = [
  ['no key', { key: null, body: { query: '{ viewer { id } }' } }, 'UNAUTHENTICATED', 401, 200],
  [
    'a wrong key',
    { key: 'hwk_x', body: { query: '{ viewer { id } }' } },
    'UNAUTHENTICATED',
    401,
    200,
  ],
  ['a body that is no JSON', { body: '{ bad' }, 'BAD_REQUEST', 400, 400],
  ['no query', { body: {} }, 'BAD_REQUEST', 400, 200],
  [
    'variables that are no object',
    { body: { query: '{__typename}', variables: 'x' } },
    'BAD_REQUEST',
    400,
    400,
  ],
  [
    'variables in the address that are no JSON',
    { search: '?query={__typename}&variables={' },
    'BAD_REQUEST',
    400,
    400,
  ],
  ['a document that is none', { body: { query: '{' } }, 'BAD_REQUEST', 400, 200],
  ['a field that there is not', { body: { query: '{ nope }' } }, 'BAD_REQUEST', 400, 200],
  [
    'a variable of the wrong type',
    { body: { query: 'query ($id: ID!) { tag(id: $id) { id } }' } },
    'BAD_REQUEST',
    400,
    200,
  ],
  [
    'an operation that there is not',
    { body: { query: '{__typename}', operationName: 'x' } },
    'BAD_REQUEST',
    400,
    400,
  ],
  ['what costs too much', { body: { query: dear() } }, 'BAD_REQUEST', 400, 200],
  ['a mutation by GET', { search: '?query=mutation{__typename}' }, 'METHOD_NOT_ALLOWED', 405, 405],
  ['another method', { method: 'PUT', body: {} }, 'METHOD_NOT_ALLOWED', 405, 405],
];

function dear(): string {
  const page = (inner: string) => `{ resources(first: 1000) { nodes { children { ${inner} } } } }`;
  return page('children { children { id } }');
}

test.each(refusals)('%s', async (_what, sent, code, forNew, forOld) => {
  for (const [accept, status] of [
    [newType, forNew],
    [oldType, forOld],
    ['*/*', forOld],
  ] as const) {
    const { response, answer, ...seen } = await send({ accept: String(accept), ...sent });
    expect([seen.code, seen.status], String(accept)).toEqual([code, status]);
    expect(answer.data).toBeUndefined();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    // The status is for HTTP; the body names the request by which the log knows it.
    expect(answer.errors[0].extensions).toEqual({
      code,
      request_id: response.headers.get('x-request-id'),
    });
  }
  expect(catalog.unexpected).toEqual([]);
});

test('an answer with data is 200, even if null is all of it', async () => {
  for (const accept of [newType, oldType]) {
    const query = `{ viewer { id } webhooks { nodes { id } } }`;
    const forbidden = await send({ accept, key: catalog.keyOf('viewer'), body: { query } });
    expect([forbidden.status, forbidden.code]).toEqual([200, 'FORBIDDEN']);
    const missing = await send({ accept, body: { query: `{ tag(id: "${wrongId}") { id } }` } });
    expect([missing.status, missing.code]).toEqual([200, 'NOT_FOUND']);
  }
});

test('who has no key is told how to send one, and may ask of the schema', async () => {
  const body = { query: '{ viewer { id } }' };
  const { response } = await send({ accept: newType, key: null, body });
  expect(response.headers.get('www-authenticate')).toBe('Bearer');
  const asked = await send({ accept: newType, key: null, body: { query: '{ __typename }' } });
  expect([asked.status, asked.answer]).toEqual([200, { data: { __typename: 'Query' } }]);
});

test('the same wrong document names each of its requests, not the first one', async () => {
  for (const query of ['{', '{ nope }']) {
    const [first, second] = [
      await send({ accept: newType, body: { query } }),
      await send({ accept: newType, body: { query } }),
    ];
    const ids = [first, second].map(({ answer }) => answer.errors[0].extensions.request_id);
    expect(ids).toEqual(
      [first, second].map(({ response }) => response.headers.get('x-request-id')),
    );
    expect(ids[0]).not.toBe(ids[1]);
  }
});

test('a stream names its request in the errors that it carries', async () => {
  const { status, events } = await subscribe(
    url.replace(/\/graphql$/, ''),
    catalog.keyOf('admin'),
    `subscription { resourceChanged(id: "${wrongId}") { id } }`,
  );
  const { value } = await events.next();
  expect(status).toBe(200);
  expect(value?.errors?.[0]?.extensions).toEqual({
    code: 'NOT_FOUND',
    request_id: expect.stringMatching(/^[\w-]{36}$/),
  });
});

test('a site of strangers can run nothing: neither by an address nor by a form', async () => {
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const query = 'query={__typename}';
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  for (const [address, init] of [
    [`${url}?${query}`, {}],
    [url, { method: 'POST', headers: form, body: query }],
  ] as const) {
    const refused = await fetch(address, init);
    expect([refused.status, (await refused.json()).data]).toEqual([403, undefined]);
    // What a stranger's page can't send is the header; with it the same is answered.
    const headers = { ...('headers' in init ? init.headers : {}), authorization };
    expect((await fetch(address, { ...init, headers })).status).toBe(200);
  }
});

/** What a request with headers of its own is answered with. */
async function asked(headers: Readonly<Record<string, string>>, body: string) {
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const response = await fetch(url, {
    method: 'POST',
    headers: { authorization, ...headers },
    body,
  });
  const { errors, data } = await response.json();
  const [error] = errors ?? [];
  const { status } = response;
  expect(response.headers.get('content-type')).toContain('json');
  if (error) {
    const requestId = response.headers.get('x-request-id');
    expect(error.extensions).toEqual({ code: error.extensions.code, request_id: requestId });
  }
  return { status, code: error?.extensions.code, message: String(error?.message), data };
}

test('an answer that can be sent as nothing of what is accepted is 406, and nothing is run for it', async () => {
  const json = { 'content-type': 'application/json' };
  const query = 'mutation { createTag(input: { name: "of a stranger" }) { id } }';
  const none = ['*/*;q=0', 'application/*;q=0, text/html', `${oldType}; q=0.0`];
  for (const accept of ['text/html', 'application/xml, image/*;q=0.5', ...none]) {
    const refused = await asked({ ...json, accept }, JSON.stringify({ query }));
    expect(refused).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE', data: undefined });
    for (const type of [newType, oldType, 'text/event-stream'])
      expect(refused.message).toContain(type);
  }
  expect(await catalog.database.prisma.tag.count({ where: { name: 'of a stranger' } })).toBe(0);
  const subscription = `subscription { resourceChanged(id: "${wrongId}") { id } }`;
  expect(
    await asked({ ...json, accept: oldType }, JSON.stringify({ query: subscription })),
  ).toMatchObject({ status: 406, code: 'NOT_ACCEPTABLE' });
  const some = [`${oldType};q=0.5, */*;q=0`, '*/*, text/event-stream;q=0'];
  for (const accept of [
    'application/*',
    'text/html, */*;q=0.1',
    `${oldType}; charset=utf-8`,
    ...some,
  ]) {
    const answered = await asked({ ...json, accept }, JSON.stringify({ query: '{ __typename }' }));
    expect(answered.data).toEqual({ __typename: 'Query' });
  }
});

test('a body of a type that is not read is 415, and says which are', async () => {
  for (const type of ['text/plain', 'application/xml', 'multipart/form-data; boundary=x']) {
    const headers = { accept: oldType, 'content-type': type };
    const refused = await asked(headers, '{"query":"{ __typename }"}');
    expect(refused, type).toMatchObject({ status: 415, code: 'UNSUPPORTED_MEDIA_TYPE' });
    expect(refused.message).toContain('application/json');
  }
});

test('long lists in variables are read for what is planned, and refused with the reason for what is not', async () => {
  const ids = Array.from({ length: 6_000 }, (_, n) => `none ${n}`);
  const planned = await send({
    accept: newType,
    body: {
      query:
        'query ($where: ResourceWhere) { resources(first: 1, where: $where) { nodes { id } } }',
      variables: { where: { title: { in: ids } } },
    },
  });
  expect(planned.answer.errors?.[0]?.message ?? '').not.toContain('5,000 values');
  const made = 'mutation ($input: CreateQuestionInput!) { createQuestion(input: $input) { id } }';
  const question = { title: 'Why?', tagIds: [...ids, 7, {}] };
  const wrong = await send({
    accept: newType,
    body: { query: made, variables: { input: question } },
  });
  expect([wrong.status, wrong.code]).toEqual([400, 'BAD_REQUEST']);
  expect(wrong.answer.errors[0].message).toContain('"input.tagIds[6001]"; ID cannot represent');
  const asked = `query ($where: ResourceWhere) { __schema { queryType { name } }
    resources(first: 1, where: $where) { nodes { id } } }`;
  const refused = await send({
    accept: newType,
    body: { query: asked, variables: { where: { title: { in: ids } } } },
  });
  expect([refused.code, refused.answer.errors[0].message]).toEqual([
    'BAD_REQUEST',
    expect.stringContaining('at most 5,000 variable values'),
  ]);
  const { events } = await subscribe(
    url.replace(/\/graphql$/, ''),
    catalog.keyOf('admin'),
    'subscription ($ids: [ID!]!) { resourcesChanged(ids: $ids) { id } }',
    { ids },
  );
  const { value } = await events.next();
  expect(value?.errors?.[0]).toMatchObject({
    message: expect.stringContaining('at most 5,000 variable values'),
    extensions: { code: 'BAD_REQUEST' },
  });
});
