// The OpenAPI document against the reference: every operation, and every field of every record.

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';
import { additions, documented, type FieldType, type RecordName, records } from './reference.ts';

type Schema = Readonly<Record<string, unknown>>;

const { document } = await (await (await openCatalog()).app()).rest();
// As a client reads it.
const served = JSON.parse(JSON.stringify(document));

function resolve(schema: Schema): Schema {
  if (typeof schema.$ref === 'string') {
    return resolve(served.components.schemas[schema.$ref.split('/').at(-1) ?? '']);
  }
  // A record or null.
  const some = schema.anyOf;
  return Array.isArray(some) ? resolve(some.find((one) => '$ref' in one)) : schema;
}

/** A schema in the words of the reference. */
function typeOf(schema: Schema): string {
  if (Array.isArray(schema.anyOf)) return 'object?';
  if (typeof schema.$ref === 'string') return typeOf(resolve(schema));
  const types = [schema.type ?? 'object'].flat();
  const nullable = types.includes('null') ? '?' : '';
  const [type] = types.filter((one) => one !== 'null');
  if (type === 'array') return `${typeOf(schema.items as Schema)}[]${nullable}`;
  const forms = new Map([
    ['uuid', 'id'],
    ['date-time', 'time'],
  ]);
  return (forms.get(String(schema.format)) ?? String(type)) + nullable;
}

function fieldsOf(schema: Schema): Record<string, string> {
  const { properties = {}, required = [], additionalProperties } = resolve(schema);
  const names = Object.keys(properties as object);
  // A record has all of its fields and no others.
  expect([...(required as string[])].sort()).toEqual([...names].sort());
  expect(additionalProperties).toBe(false);
  return Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).map(([name, one]) => [name, typeOf(one)]),
  );
}

/** Check a record, and the records inside of it that the reference describes. */
function expectRecord(name: RecordName, schema: Schema): void {
  const fields: Readonly<Record<string, FieldType>> = records[name];
  expect([name, fieldsOf(schema)]).toEqual([name, fields]);
  const inside = Object.keys(records).filter(
    (one) => one.startsWith(`${name}.`) && !one.slice(name.length + 1).includes('.'),
  );
  for (const one of inside) {
    const properties = resolve(schema).properties as Record<string, Schema>;
    const field = properties[one.slice(name.length + 1)] ?? {};
    // The name was made of the keys of the records.
    expectRecord(one as RecordName, (field.items as Schema) ?? field);
  }
}

const envelope = {
  links: 'object',
  meta: 'object',
  count: 'integer',
  total_pages: 'integer',
  resource_totals: 'object',
  results: 'object[]',
};

test('the reference has 76 operations, each once', () => {
  expect(documented).toHaveLength(76);
  expect(new Set(documented.map(([method, path]) => `${method} ${path}`)).size).toBe(76);
});

test.each(documented)('%s %s succeeds with %i and answers %s', (method, path, status, answer) => {
  const operation = served.paths[`/api/v1${path}`]?.[method.toLowerCase()];
  expect(operation).toBeDefined();
  const successes = Object.keys(operation.responses).filter((one) => one.startsWith('2'));
  expect(successes).toContain(String(status));
  const schema = operation.responses[status].content?.['application/json'].schema;
  if (answer === 'nothing') return expect(schema).toBeUndefined();
  const [shape, name] = answer.includes(' ') ? answer.split(' ') : ['record', answer];
  if (shape === 'array') expect(schema.type).toBe('array');
  if (shape === 'list') {
    expect(fieldsOf(schema)).toEqual(envelope);
    const { links, meta } = resolve(schema).properties as Record<string, Schema>;
    expect(fieldsOf(links ?? {})).toEqual({ next: 'string?', previous: 'string?' });
    const totals = name === 'auditLog' ? { count: 'integer', total_pages: 'integer' } : {};
    expect(fieldsOf(meta ?? {})).toEqual({
      ...{ page: 'integer', previous_page: 'integer?', next_page: 'integer?' },
      ...totals,
    });
  }
  const results = (resolve(schema).properties as Record<string, Schema>)?.results;
  const record = shape === 'array' ? schema.items : shape === 'list' ? results?.items : schema;
  // The table of operations was written with the names of the records.
  expectRecord(name as RecordName, record);
});

test('what is served is what is documented, and no more', () => {
  const wanted = [
    ...documented.map(([method, path]) => `${method} /api/v1${path}`),
    ...Object.entries(additions).flatMap(([path, methods]) =>
      methods.split(' ').map((method) => `${method} /api/v1${path}`),
    ),
  ];
  // A record that PATCH changes is changed by PUT as well.
  const puts = wanted
    .filter((one) => /^PATCH .*\}\/?$/.test(one))
    .map((one) => one.replace('PATCH', 'PUT'));
  const found = Object.entries(served.paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(found.sort()).toEqual([...new Set([...wanted, ...puts])].sort());
});

test('the document is valid OpenAPI 3.1', async () => {
  const validator = new Validator();
  const result = await validator.validate(served);
  expect([result.valid, result.errors, validator.version]).toEqual([true, undefined, '3.1']);
});
