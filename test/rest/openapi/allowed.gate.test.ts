// What the document allows is taken: requests that are made of it alone, on the real server.

import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { openCatalog } from '../../catalog.ts';
import { seed } from '../seed.ts';
import { type Documented, operationsOf } from './conform.ts';

vi.setConfig({ testTimeout: 120_000 });

type Schema = Readonly<Record<string, unknown>>;

const catalog = await openCatalog();
const { document } = await (await catalog.app()).rest();
const stock = await seed(catalog);
const { params } = stock;

/** What no schema can say: which ids there are, and what they are of. */
const things: Readonly<Record<string, string | undefined>> = {
  ...params,
  integration: params.integration_id,
  target: params.table_id,
  entity_id: params.table_id,
  parent: params.question_id,
  from_entity: params.document_id,
  to_entity: params.table_id,
  custom_property: params.custom_property_id,
  monitors: params.monitor_id,
  monitor: params.monitor_id,
  resource: params.table_id,
};

/** Operations whose bodies depend on each other's fields, or on what else there is, beyond any schema. */
const beyondSchemas = new Map([
  ['SetCustomProperties', 'values are those of each property'],
  ['ChangeCustomProperties', 'values are those of each property'],
  ['ReplaceCustomProperty', 'options fit the type of the values'],
  ['CreateCustomProperty', 'options fit the type of the values'],
  ['UpdateCustomProperty', 'options fit the type of the values'],
  ['UpdateCustomPropertyByPut', 'options fit the type of the values'],
  ['CallAgentTool', 'what a tool refuses is in its answer'],
]);

/** Fields that depend on other fields, or on names that are not for a document to list. */
const samples: Readonly<Record<string, unknown>> = {
  metric_type: 'row_count',
  time_zone: 'Europe/Berlin',
  holiday_country: 'US',
  metric_config: {},
  // Of the week or the month: the cadence decides.
  day: 3,
  sql: 'select amount from shop.public.orders',
  // Integrations set the keys of what they bring.
  databuilder_id: null,
};

const bodies = operationsOf(document).filter(
  ({ operation }) =>
    operation.requestBody?.content['application/json'] &&
    !/Alias\d+$/.test(operation.operationId) &&
    !beyondSchemas.has(operation.operationId),
);

/** Fields that are left out unless they are needed: which ids fit is not for a schema to say. */
function isId(schema: Schema): boolean {
  const { items } = schema;
  const inner = typeof items === 'object' && items !== null ? { ...items } : schema;
  return 'format' in inner && inner.format === 'uuid';
}

function resolved(schema: Schema): Schema {
  const { $ref, anyOf } = schema;
  if (Array.isArray(anyOf)) return resolved({ ...anyOf[0] });
  if (typeof $ref !== 'string') return schema;
  return { ...document.components.schemas[$ref.split('/').at(-1) ?? ''] };
}

const word = fc.stringMatching(/^[A-Za-z][a-z0-9 ]{3,12}[a-z]$/);

function valuesOf(name: string, given: Schema): fc.Arbitrary<unknown> {
  if (name in samples) return fc.constant(samples[name]);
  const schema = resolved(given);
  const { type, format, minimum, maximum, maxLength, pattern, properties, items } = schema;
  if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
  const types = [type].flat().filter((one) => one !== 'null');
  if (format === 'uuid') return fc.constant(things[name] ?? params.table_id);
  if (format === 'email') return word.map((local) => `${local.replaceAll(' ', '')}@example.com`);
  if (format === 'uri')
    return word.map((path) => `https://example.com/${path.replaceAll(' ', '')}`);
  if (format === 'date-time') return fc.constant('2024-05-01T12:00:00.000Z');
  if (typeof pattern === 'string' && pattern.startsWith('^#')) return fc.constant('#aabbcc');
  const [only] = types;
  if (only === 'boolean') return fc.boolean();
  if (only === 'integer') {
    return fc.integer({
      min: Number(minimum ?? 0),
      max: Math.min(Number(maximum ?? 100), 100_000),
    });
  }
  if (only === 'number') return fc.integer({ min: 0, max: 9 });
  if (only === 'array') {
    return fc.array(valuesOf(name, { ...(items ?? {}) }), { minLength: 1, maxLength: 1 });
  }
  if (typeof properties === 'object' && properties !== null) return objectOf(schema);
  if (only === 'object') return fc.constant({});
  if (pattern === '^[a-z][a-z0-9_]{0,49}$') return fc.stringMatching(/^[a-z]{8}[0-9_]{3}$/);
  if (only === 'string') {
    return word.map((text) => text.slice(0, Number(maxLength ?? 100)));
  }
  throw new Error(`The document says nothing of ${name}.`);
}

function objectOf(schema: Schema): fc.Arbitrary<object> {
  const { properties = {}, required = [] } = schema;
  const needed = Array.isArray(required) ? required : [];
  const fields = Object.entries(properties ?? {}).filter(
    ([name, one]) => needed.includes(name) || !isId({ ...one }),
  );
  const known = fields.filter(
    ([name, one]) => name in samples || resolved({ ...one }).type !== undefined,
  );
  return fc.record(
    Object.fromEntries(known.map(([name, one]) => [name, valuesOf(name, { ...one })])),
    { requiredKeys: needed.filter((name) => known.some(([one]) => one === name)) },
  );
}

test.each(bodies.map((one): [string, Documented] => [one.operation.operationId, one]))(
  '%s takes every body that its schema allows',
  async (_, { method, path, operation }) => {
    const schema = { ...operation.requestBody?.content['application/json']?.schema };
    await fc.assert(
      fc.asyncProperty(objectOf(resolved(schema)), async (body) => {
        // Ids are left out here, and of all kinds only a reply cannot be without its parent.
        fc.pre(!('entity_type' in body && body.entity_type === 'question_reply'));
        const filled = stock.fill(path).replace('/api/v1', '');
        const { status, text } = await catalog.rest(method, filled, { body });
        // Two things of one name are no fault of the request.
        expect([body, status, status === 409 ? '' : text.slice(0, 400)]).toEqual([
          body,
          expect.toSatisfy((one) => one < 400 || one === 409),
          expect.any(String),
        ]);
      }),
      { numRuns: 6, seed: 7 },
    );
  },
);

test('what a body needs is needed: without it the answer names it', async () => {
  const silent: string[] = [];
  for (const { method, path, operation } of bodies) {
    const schema = resolved({ ...operation.requestBody?.content['application/json']?.schema });
    const { required } = schema;
    const names: unknown[] = Array.isArray(required) ? required : [];
    for (const name of names.map(String)) {
      const [whole = {}] = fc.sample(objectOf(schema), { numRuns: 1, seed: 3 });
      const body = Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));
      const answer = await catalog.rest(method, stock.fill(path).replace('/api/v1', ''), { body });
      const fields = (answer.body.errors ?? []).map(({ field }: { field: string }) => field);
      if (answer.status !== 400 || !fields.includes(name)) {
        silent.push(`${operation.operationId} without ${name}: ${answer.status} ${fields}`);
      }
    }
  }
  expect(silent).toEqual([]);
});

test('every example of a body without ids works as it stands', async () => {
  const refused: string[] = [];
  for (const { method, path, operation } of bodies) {
    const media = operation.requestBody?.content['application/json'];
    if (JSON.stringify(media?.example ?? {}).includes('0d9f1c1e')) continue;
    const filled = stock.fill(path).replace('/api/v1', '');
    const { status, text } = await catalog.rest(method, filled, {
      body: Object(media?.example),
    });
    if (status >= 400 && status !== 409) {
      refused.push(`${operation.operationId}: ${status} ${text.slice(0, 200)}`);
    }
  }
  expect(refused).toEqual([]);
});

/** Values that are just outside of what a schema allows. */
function outside({ enum: words, format, pattern, type, ...schema }: Schema): unknown[] {
  const { minimum, maximum, maxLength, minItems, maxItems } = schema;
  const isList = [type].flat().includes('array');
  return [
    ...(Array.isArray(words) ? ['no such word'] : []),
    ...(format === 'email' || format === 'uri' || format === 'date-time' ? ['neither nor'] : []),
    ...(format === 'uri' ? ['javascript:alert(1)'] : []),
    ...(typeof pattern === 'string' ? [' '] : []),
    ...(typeof minimum === 'number' ? [minimum - 1] : []),
    ...(typeof maximum === 'number' ? [maximum + 1] : []),
    ...(typeof maxLength === 'number' ? ['x'.repeat(maxLength + 1)] : []),
    ...(isList && minItems === 1 ? [[]] : []),
    ...(isList && typeof maxItems === 'number' && maxItems <= 1_000
      ? [Array.from({ length: maxItems + 1 }, () => randomUUID())]
      : []),
  ];
}

/** What a resource of any kind is made of: the fields that its kind does not have are left alone. */
const bounded = bodies.filter(({ operation }) => operation.operationId !== 'CreateResource');

test.each(bounded.map((one): [string, Documented] => [one.operation.operationId, one]))(
  '%s refuses by name what its schema does not allow',
  async (_, { method, path, operation }) => {
    const schema = resolved({ ...operation.requestBody?.content['application/json']?.schema });
    const filled = stock.fill(path).replace('/api/v1', '');
    const taken: string[] = [];
    const needed = Array.isArray(schema.required) ? schema.required.map(String) : [];
    for (const [name, given] of Object.entries(Object(schema.properties))) {
      for (const value of outside(resolved(Object(given)))) {
        const [whole = {}] = fc.sample(objectOf(schema), { numRuns: 1, seed: 3 });
        const base = Object.entries(whole).filter(([field]) => needed.includes(field));
        const body = { ...Object.fromEntries(base), [name]: value };
        const answer = await catalog.rest(method, filled, { body });
        const fields = (answer.body?.errors ?? []).map(({ field }: { field: string }) => field);
        if (answer.status !== 400 || !fields.includes(name)) {
          taken.push(`${name} ${JSON.stringify(value).slice(0, 40)}: ${answer.status} ${fields}`);
        }
      }
    }
    expect(taken).toEqual([]);
  },
);

/** Queries of lists that need some. */
const neededIn: Readonly<Record<string, string>> = {
  ListMeasurements: `monitor=${params.monitor_id}`,
  ListResourceLogs: `resource_id=${params.table_id}`,
  PreviewLineageFromQuery: 'sql=select+1&dialect=postgres',
};

test('every query takes each word that its document lists for it, and each boolean', async () => {
  const refused: string[] = [];
  const gets = operationsOf(document).filter(({ method }) => method === 'GET');
  for (const { path, operation } of gets) {
    for (const { name, schema, in: place } of operation.parameters ?? []) {
      const { enum: listed, type }: Schema = { ...schema };
      const words: unknown[] = Array.isArray(listed)
        ? listed
        : type === 'boolean'
          ? [true, false]
          : [];
      if (place !== 'query') continue;
      for (const word of words) {
        const needs = neededIn[operation.operationId.replace(/Alias\d+$/, '')] ?? '';
        const query = `${needs}&${name}=${encodeURIComponent(String(word))}`;
        const asked = `${stock.fill(path).replace('/api/v1', '')}?${query}`;
        const { status } = await catalog.rest('GET', asked);
        if (status !== 200) refused.push(`${asked}: ${status}`);
      }
    }
  }
  expect(refused).toEqual([]);
});

test('lists take every page that they document, and no other', async () => {
  const lists = operationsOf(document).filter(({ operation }) =>
    operation.parameters?.some(({ name }) => name === 'page_size'),
  );
  expect(lists.length).toBeGreaterThan(20);
  for (const { path, operation } of lists) {
    const of = (name: string) => operation.parameters?.find((one) => one.name === name)?.schema;
    expect(of('page')).toMatchObject({ minimum: 1 });
    const size = of('page_size') ?? {};
    const most = 'maximum' in size ? Number(size.maximum) : 0;
    const filled = stock.fill(path).replace('/api/v1', '');
    const needs = neededIn[operation.operationId.replace(/Alias\d+$/, '')] ?? '';
    for (const [asked, status] of [
      [1, 200],
      [most, 200],
      [0, 400],
      [most + 1, 400],
    ]) {
      const answer = await catalog.rest('GET', `${filled}?page_size=${asked}&${needs}`);
      expect([path, asked, answer.status]).toEqual([path, asked, status]);
    }
  }
});
