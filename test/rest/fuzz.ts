// Requests that no one would write by hand: valid, nearly valid and hostile ones.

import fc from 'fast-check';
import type { OpenApi } from '../../src/rest/openapi/openapi.ts';
import type { Documented } from './openapi/conform.ts';

/** A request below the origin; the body is text, because it need not be JSON. */
export interface FuzzRequest {
  readonly method: string;
  readonly path: string;
  readonly body: string | undefined;
  /** The content type, where it is not JSON or whatever a client makes of text. */
  readonly type?: string;
}

type Schema = Readonly<Record<string, unknown>>;

/** What requests are made from. */
interface Stock {
  readonly document: OpenApi;
  /** Some ids that exist, so that the requests get past the first look-up. */
  readonly ids: readonly string[];
  /** Words that mean something somewhere, such as names of fields and kinds. */
  readonly words: readonly string[];
}

/** Filters contain filters; deeper ones than this are left to the hostile bodies. */
const maxDepth = 6;

/** Requests for one operation of a document. */
export function requestsFor(
  stock: Stock,
  { method, path, operation }: Documented,
): fc.Arbitrary<FuzzRequest> {
  const { parameters = [], requestBody } = operation;
  const inPath = parameters.filter((one) => one.in === 'path');
  const inQuery = parameters.filter((one) => one.in === 'query');
  const schemaOf = ({ schema = {} }: (typeof parameters)[number]): Schema => ({
    ...('contentSchema' in schema && typeof schema.contentSchema === 'object'
      ? schema.contentSchema
      : schema),
  });
  const words = (one: (typeof parameters)[number]) =>
    fc.oneof(
      { weight: 3, arbitrary: anyValue(stock, schemaOf(one), 0).map(asText) },
      { weight: 1, arbitrary: hostileText },
    );
  const names = fc.tuple(...inPath.map((one) => words(one)));
  const query = fc.tuple(...inQuery.map((one) => fc.option(words(one), { nil: undefined })));
  const form = requestBody?.content['multipart/form-data']?.schema;
  const json = requestBody?.content['application/json']?.schema;
  const body = json ? bodyOf(stock, { ...json }) : form ? formOf({ ...form }) : nothing;
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
    const type = form ? { type: `multipart/form-data; boundary=${boundary}` } : {};
    return { method, path: `${filled}?${search}`, body: sent, ...type };
  });
}

const nothing = fc.constant(undefined);
const boundary = 'edge';

/** Forms with files that begin well and go on badly, or are not even forms. */
function formOf({ properties }: Schema): fc.Arbitrary<string> {
  const lines = fc.array(
    fc.oneof(fc.constantFrom(...hostileLines), fc.string({ unit: 'binary', maxLength: 40 })),
    { maxLength: 4 },
  );
  const parts = Object.keys(properties ?? {}).map((name) =>
    fc.option(
      lines.map((some) =>
        [
          `--${boundary}`,
          `Content-Disposition: form-data; name="${name}"; filename="a"`,
          '',
          some.join('\n'),
        ].join('\r\n'),
      ),
      { nil: undefined },
    ),
  );
  const whole = fc
    .tuple(...parts)
    .map((some) => [...some.filter((one) => one !== undefined), `--${boundary}--`].join('\r\n'));
  return fc.oneof({ weight: 6, arbitrary: whole }, { weight: 1, arbitrary: hostileText });
}

const hostileLines = [
  'database,schema,name,col_name',
  'shop,public,orders,id',
  '"shop,public',
  '{"entity_type":"table","databuilder_id":"a","title":"a"}',
  '{"entity_type":"column","databuilder_id":"b","parent_databuilder_id":"a","external_usage":1e300}',
  '{"from_identifier":{"internal_resource":{"databuilder_id":"a"}},"to_identifier":{}}',
  '{"metadata":{},"nodes":{"model.a":{"resource_type":"model","name":"a"}},"sources":{}}',
  '{"metadata":{},"results":[{"unique_id":"model.a","status":"error"}]}',
  '{"__proto__":{"polluted":true}}',
  '\0',
];

function bodyOf(stock: Stock, schema: Schema): fc.Arbitrary<string> {
  return fc.oneof(
    { weight: 6, arbitrary: anyValue(stock, schema, 0).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }).map((value) => JSON.stringify(value)) },
    { weight: 1, arbitrary: hostileText },
    { weight: 1, arbitrary: fc.constantFrom(...hostileBodies) },
  );
}

/** Values of a schema, with a wrong one here and there. */
function anyValue(stock: Stock, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  if (depth > maxDepth) return fc.constant(null);
  return fc.oneof(
    { weight: 8, arbitrary: rightValue(stock, schema, depth) },
    { weight: 1, arbitrary: fc.constantFrom<unknown>(...hostileValues) },
  );
}

function rightValue(stock: Stock, schema: Schema, depth: number): fc.Arbitrary<unknown> {
  const { document, ids, words } = stock;
  const { $ref, anyOf, type, format, items, properties } = schema;
  if (typeof $ref === 'string') {
    const found = document.components.schemas[$ref.split('/').at(-1) ?? ''];
    return rightValue(stock, found ?? {}, depth);
  }
  if (Array.isArray(anyOf)) {
    return fc.oneof(...anyOf.map((one) => rightValue(stock, { ...one }, depth)));
  }
  if (Array.isArray(schema.enum)) return fc.constantFrom<unknown>(...schema.enum);
  if (Array.isArray(type)) {
    return fc.oneof(...type.map((one) => rightValue(stock, { ...schema, type: one }, depth)));
  }
  if (type === 'null') return fc.constant(null);
  if (type === 'boolean') return fc.boolean();
  if (type === 'integer') return fc.oneof(fc.integer({ min: -2, max: 60 }), fc.integer());
  if (type === 'number') return fc.oneof(fc.double({ noNaN: true }), fc.integer());
  if (type === 'array') {
    return fc.array(anyValue(stock, { ...(items ?? {}) }, depth + 1), { maxLength: 4 });
  }
  if (type === 'object' && typeof properties === 'object' && properties !== null) {
    const fields = Object.entries(properties).map(
      ([name, inner]): [string, fc.Arbitrary<unknown>] => [name, anyValue(stock, inner, depth + 1)],
    );
    return fc.record(Object.fromEntries(fields), { requiredKeys: [] });
  }
  if (type === 'string' && format === 'uuid') return fc.oneof(fc.constantFrom(...ids), fc.uuid());
  if (type === 'string' && format === 'date-time') {
    return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (type === 'string') {
    return fc.oneof(fc.constantFrom(...words), fc.string({ maxLength: 30 }), hostileText);
  }
  return fc.oneof(fc.jsonValue({ maxDepth: 2 }), fc.constantFrom<unknown>(...words, ...ids));
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
/** Texts that mean something to a database, a parser or a file system. */
export const hostileText = fc.oneof(
  fc.constantFrom(...hostileTexts),
  fc.string({ unit: 'binary', maxLength: 20 }),
);
/** Values that are hardly ever what is wanted. */
export const hostileValues: readonly unknown[] = [
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
