// Values that are nested too deeply: refused with 400 before anything walks them, on both APIs.

import { expect, test } from 'vitest';
import { checkDepth } from '../../src/limits/request-size.ts';
import { openCatalog } from '../catalog.ts';
import { clientOf, clientsOf, send } from './client.ts';

test('a query of more than 20,000 lines is 400, before it is parsed', async () => {
  await using catalog = await openCatalog();
  const { admin } = await clientsOf(catalog, {});
  const comments = (lines: number, end = '\n') => `{ viewer { id } }${`#${end}`.repeat(lines)}`;
  const text = (lines: number) =>
    `mutation { setCustomProperty(id: "a", resourceId: "b", value: """${'a\n'.repeat(lines)}""") { id } }`;
  const message = 'A query must not have more than 20,000 lines: send long texts as variables.';
  for (const query of [
    comments(20_001),
    comments(300_000),
    comments(20_001, '\r'),
    text(300_000),
  ]) {
    const { status, code, body } = await admin.graphql(query);
    expect([status, code, body.errors[0].message]).toEqual([400, 'BAD_REQUEST', message]);
  }
  expect((await admin.graphql(comments(20_000))).code).toBeUndefined();
});

/** JSON of so many lists, or objects, within each other. */
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels - 1)}{}${'}'.repeat(levels - 1)}`;
/** The same as GraphQL writes it. */
const literal = (levels: number) => objects(levels).replaceAll('"', '');

const tooDeep = [65, 1_000, 100_000];

test('variables, extensions and written values of more than 64 levels are 400 over GraphQL', async () => {
  await using catalog = await openCatalog();
  const { origin } = await clientsOf(catalog, {});
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const url = `${origin}/graphql`;
  const set =
    'mutation ($v: JSON!) { setCustomProperty(id: "a", resourceId: "b", value: $v) { id } }';
  const written = (levels: number) =>
    `mutation { setCustomProperty(id: "a", resourceId: "b", value: ${literal(levels)}) { id } }`;
  const bodies = (levels: number) => [
    ...[lists(levels), objects(levels)].flatMap((value) => [
      `{"query":${JSON.stringify(set)},"variables":{"v":${value}}}`,
      `{"query":"{ viewer { id } }","extensions":{"v":${value}}}`,
    ]),
    JSON.stringify({ query: written(levels) }),
    JSON.stringify({ query: `query ($v: JSON = ${literal(levels)}) { viewer { id } }` }),
    JSON.stringify({
      query: `query ($a: Int = 1 @b(c: 1), $v: JSON = ${literal(levels)}) { viewer { id } }`,
    }),
    JSON.stringify({ query: '{ viewer '.repeat(levels) + '}'.repeat(levels) }),
    JSON.stringify({ query: '{ viewer '.repeat(levels) }),
    JSON.stringify({ query: `{ viewer { id @include(if: ${literal(levels)}) } }` }),
  ];
  for (const levels of tooDeep) {
    for (const body of bodies(levels)) {
      const { status, code, body: answer } = await send(url, { authorization, body });
      expect([status, code], body.slice(0, 80)).toEqual([400, 'BAD_REQUEST']);
      expect(answer.errors[0].extensions.request_id).toMatch(/^[\w-]{36}$/);
    }
  }
  // Neither are they read where no one showed a key.
  const [body = ''] = bodies(1_000);
  expect((await send(url, { authorization: null, body })).status).toBe(400);
  // In the address they are as deep, only shorter.
  const variables = encodeURIComponent(`{"v":${lists(1_000)}}`);
  const get = `${url}?query=${encodeURIComponent('{viewer{id}}')}&variables=${variables}`;
  expect((await send(get, { authorization, method: 'GET' })).status).toBe(400);
  expect(catalog.unexpected).toEqual([]);
});

test('64 levels are taken, and brackets that are only text count for nothing', async () => {
  await using catalog = await openCatalog();
  const { admin } = await clientsOf(catalog, {});
  const { id } = await catalog.resource();
  const set = 'mutation ($id: ID!, $v: JSON!) { updateResource(id: $id, input: $v) { id } }';
  for (const value of [JSON.parse(lists(64)), JSON.parse(objects(64))]) {
    const { status, body } = await admin.graphql(set, { id, v: value });
    // It is wrong in another way, which somebody looked at.
    expect([status, body.errors[0].message]).toEqual([200, expect.not.stringMatching(/nested/)]);
  }
  const text = '({['.repeat(200);
  const update = (title: string) =>
    `mutation { updateResource(id: "${id}", input: { description: ${title} }) { description } }`;
  for (const quoted of [`"${text}"`, `"""${text}"""`, `"\\"${text}"`, `"""\\"""${text}"""`]) {
    const { body } = await admin.graphql(update(quoted));
    expect(body.data.updateResource.description).toContain(text);
  }
  const commented = `{ viewer { id # ${text}\n } }`;
  expect((await admin.graphql(commented)).body.data.viewer.id).toBe(catalog.idOf('admin'));
});

test('bodies of more than 64 levels are 400 over REST, and name the field', async () => {
  await using catalog = await openCatalog();
  const { origin } = await clientsOf(catalog, {});
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  for (const levels of tooDeep) {
    for (const value of [lists(levels), objects(levels)]) {
      for (const [path, field] of [
        ['/table/tables', 'title'],
        ['/integration/integrations', 'credentials'],
        ['/integration/integrations', 'nobody_knows_it'],
      ]) {
        const url = `${origin}/api/v1${path}`;
        const { status, body } = await send(url, { authorization, body: `{"${field}":${value}}` });
        expect([status, body.errors?.[0]?.field, body.detail]).toEqual([
          400,
          field,
          expect.stringMatching(/At most 64 levels of nesting/),
        ]);
      }
    }
  }
  expect(await catalog.database.prisma.integration.count()).toBe(0);
  expect(catalog.unexpected).toEqual([]);
});

test('a filter of REST, which comes in the address, may be no deeper', async () => {
  await using catalog = await openCatalog();
  const { origin } = await clientsOf(catalog, {});
  const client = clientOf(origin, catalog.keyOf('viewer'));
  const filter = (levels: number) => {
    const and = '{"operator":"and","operands":[';
    return `${and.repeat(levels)}${']}'.repeat(levels)}`;
  };
  for (const levels of [11, 65, 100]) {
    const { status, code } = await client.rest(
      'GET',
      `/resource/catalog?filter=${encodeURIComponent(filter(levels))}`,
    );
    expect([status, code]).toEqual([400, 'BAD_REQUEST']);
  }
  expect(catalog.unexpected).toEqual([]);
});

test('more than 65,000 values are refused on both APIs, and name what holds them', async () => {
  await using catalog = await openCatalog();
  const { origin, admin } = await clientsOf(catalog, {});
  const authorization = `Bearer ${catalog.keyOf('admin')}`;
  const many = (count: number) => `[${Array.from({ length: count }, () => '{}').join()}]`;
  const query = JSON.stringify(
    'query ($f: ResourceFilter) { resources(filter: $f) { totalCount } }',
  );
  const asks = (count: number) => [
    { url: `${origin}/graphql`, body: `{"query":${query},"variables":{"f":${many(count)}}}` },
    { url: `${origin}/api/v1/table/tables`, body: `{"tags":${many(count)}}` },
  ];
  for (const { url, body } of asks(65_000)) {
    const reply = await send(url, { authorization, body });
    expect([reply.status, reply.code]).toEqual([400, 'BAD_REQUEST']);
    expect(JSON.stringify(reply.body)).toMatch(/A request holds at most 65,000 values/);
  }
  // What is allowed is looked at, and refused for what it is.
  for (const { url, body } of asks(1_000)) {
    const reply = await send(url, { authorization, body });
    expect(reply.code).toBe('BAD_REQUEST');
    expect(JSON.stringify(reply.body)).not.toMatch(/65,000/);
  }
  expect((await admin.graphql('{ viewer { id } }')).status).toBe(200);
  expect(catalog.unexpected).toEqual([]);
});

test('what a list holds is counted without a text for each of its places', () => {
  let listings = 0;
  const list = new Proxy([1, [2], { a: 3 }], {
    ownKeys(target) {
      listings += 1;
      return Reflect.ownKeys(target);
    },
  });
  expect(checkDepth({ list })).toBe(6);
  expect(listings).toBe(0);
});
