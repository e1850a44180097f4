// In charge of requests that nobody would write by hand: valid, nearly valid and hostile ones.

import fc from 'fast-check';
import type { OpenApi } from '../../src/rest/openapi.ts';
import type { Documented } from './conform.ts';

/** A request below the origin; the body is text, because it need not be JSON. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
}

type Schema = Readonly<Record<string, unknown>>;

/**
 * Requests for one operation of a document. `ids` are some that exist, so that the requests get past
 * the first look-up.
 */
export function requestsFor(
  document: OpenApi,
  { method, path, operation }: Documented,
  ids: readonly string[],
): fc.Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = operation;
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const schemaOf = (one: (typeof parameters)[number]): Schema => ({
    ...(one.schema ?? one.content?.['application/json']?.schema),
  });
  const words = (one: (typeof parameters)[number]) =>
    fc.oneof(
      { weight: 3, arbitrary: anyValue(document, schemaOf(one), ids).map(asText) },
      { weight: 1, arbitrary: hostileText },
    );
  const names = fc.tuple(...inPath.map((one) => words(one)));
  const query = fc.tuple(...inQuery.map((one) => fc.option(words(one), { nil: undefined })));
  const bodySchema = requestBody?.content['application/json']?.schema;
  const body = bodySchema ? bodyOf(document, { ...bodySchema }, ids) : fc.constant(undefined);
  return fc.tuple(names, query, body).map(([inside, asked, sent]) => {
    const values = new Map(inPath.map(({ name }, at) => [name, inside[at] ?? '']));
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      segment(values.get(name) ?? ''),
    );
    const search = new URLSearchParams();
    inQuery.forEach(({ name }, at) => {
      const value = asked[at];
      if (value !== undefined) search.append(name, value);
    });
    return { method, path: `${filled}?${search}`, body: sent };
  });
}

function bodyOf(document: OpenApi, schema: Schema, ids: readonly string[]): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: anyValue(document, schema, ids).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(...hostileBodies) },
  );
}

/** Values of a schema, with a wrong one here and there. */
function anyValue(
  document: OpenApi,
  schema: Schema,
  ids: readonly string[],
): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 8, arbitrary: rightValue(document, schema, ids) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...hostileValues) },
  );
}

function rightValue(
  document: OpenApi,
  schema: Schema,
  ids: readonly string[],
): fc.Arbitrary<unknown> {
  const { $ref, anyOf, type, format, items, properties } = schema;
  if (typeof $ref === 'string') {
    const found = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return rightValue(document, found ?? {}, ids);
  }
  if (Array.isArray(anyOf)) {
    return fc.oneof(...anyOf.map((one) => rightValue(document, { ...one }, ids)));
  }
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum);
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((one) => rightValue(document, { ...schema, type: one }, ids)));
  }
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.oneof(fc.integer({ min: -2, max: 60 }), fc.integer());
  if (type === 'number') return fc.oneof(fc.double({ noNaN: true }), fc.integer());
  if (type === 'array') {
    return fc.array(anyValue(document, { ...(items ?? {}) }, ids), { maxLength: 4 });
  }
  if (type === 'object' && typeof properties === 'object' && properties !== null) {
    const fields = Object.entries(properties).map(
      ([name, inner]): [string, fc.Arbitrary<unknown>] => [name, anyValue(document, inner, ids)],
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }
  if (type === 'string' && format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (type === 'string' && format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (type === 'string') return fc.oneof(fc.string({ maxLength: 30 }), hostileText);
  return fc.jsonValue({ maxDepth: 2 });
}

/** A text as one segment of a path. What would be another path, such as none or `..`, is left out. */
function segment(text: string): string {
  const whole = text.replaceAll(/\p{Cs}/gu, '\ufffd');
  return /^\.{0,2}$/.test(whole) ? 'x' : encodeURIComponent(whole);
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

const hostileTexts = [
  '',
  ' ',
  '\0',
  '\ud800',
  'null',
  'undefined',
  '..',
  '../../etc/passwd',
  '%00',
  '%',
  "'; drop table resource; --",
  '{"$ne": null}',
  '__proto__',
  'constructor',
  '\u202eright to left',
  '💥'.repeat(50),
  'x'.repeat(5_000),
  '-1',
  '0x10',
  '1e999',
  '9223372036854775808',
  '99999999999999999999999999',
  '2024-02-30T25:61:61Z',
  '+275760-09-13T00:00:00Z',
  '0001-01-01T00:00:00-23:59',
];
const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
const hostileValues: readonly unknown[] = [
  ...hostileTexts,
  null,
  [],
  {},
  [[]],
  -0,
  2 ** 31,
  -(2 ** 31) - 1,
  2 ** 63,
  1e308,
  0.1,
  JSON.parse('{"__proto__": {"a": 1}}'),
  Array.from({ length: 200 }, () => 'x'),
];
const hostileBodies = [
  '',
  '[]',
  'null',
  '{',
  '{"a":}',
  '"text"',
  `${'['.repeat(4_000)}${']'.repeat(4_000)}`,
  `${'{"a":'.repeat(1_000)}1${'}'.repeat(1_000)}`,
  '{"__proto__":{"polluted":true}}',
  '{"a":1e400}',
];
