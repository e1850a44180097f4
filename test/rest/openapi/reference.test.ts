// The OpenAPI document against the reference: every operation, and every field of every record.

import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { openCatalog } from '../../catalog.ts';
import { additions } from './additions.ts';
import { conformance } from './conform.ts';
import {
  type Answer,
  documented,
  type FieldType,
  onDemand,
  type RecordName,
  records,
} from './reference.ts';

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
  expect([...(required as string[])].sort()).toEqual(
    names.filter((name) => !onDemand.includes(name)).sort(),
  );
  expect(additionalProperties).toBe(false);
  return Object.fromEntries(
    Object.entries(properties as Record<string, Schema>).map(([name, one]) => [name, typeOf(one)]),
  );
}

/** Check a record, and the records inside of it that the reference describes. */
function expectRecord(name: RecordName, schema: Schema): void {
  const fields: Readonly<Record<string, FieldType>> = records[name];
  // What the reference does not know is said once, below.
  const known = Object.entries(fieldsOf(schema)).filter(([field]) => field in fields);
  expect([name, Object.fromEntries(known)]).toEqual([name, fields]);
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

/** The fields of a record, and of the records inside of it, that the reference does not know. */
function unknownIn(name: RecordName, schema: Schema): string[] {
  const properties = resolve(schema).properties as Record<string, Schema>;
  return Object.entries(properties).flatMap(([field, of]) => {
    const inside = Object.keys(records).find((one) => one === `${name}.${field}`);
    if (inside) return unknownIn(inside as RecordName, (of.items as Schema) ?? of);
    return field in records[name] ? [] : [field];
  });
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

/** What an operation answers as a success; undefined where that has no body, or there is no such operation. */
function successOf(method: string, path: string, status: number): Schema | undefined {
  const operation = served.paths[`/api/v1${path}`]?.[method.toLowerCase()];
  return operation?.responses[status]?.content?.['application/json'].schema;
}

/** The name of the record that an operation answers, alone or in a list. */
const recordOf = (answer: Answer) => answer.split(' ').at(-1) as RecordName;

function recordIn(answer: Answer, schema: Schema): Schema {
  if (answer.startsWith('array ')) return schema.items as Schema;
  if (!answer.startsWith('list ')) return schema;
  const { results } = resolve(schema).properties as Record<string, Schema>;
  return results?.items as Schema;
}

test.each(documented)('%s %s succeeds with %i and answers %s', (method, path, status, answer) => {
  const operation = served.paths[`/api/v1${path}`]?.[method.toLowerCase()];
  expect(operation).toBeDefined();
  const successes = Object.keys(operation.responses).filter((one) => one.startsWith('2'));
  expect(successes).toContain(String(status));
  const schema = successOf(method, path, status);
  if (answer === 'nothing' || schema === undefined)
    return expect([answer, schema]).toEqual(['nothing', undefined]);
  if (answer.startsWith('array ')) expect(schema.type).toBe('array');
  if (answer.startsWith('list ')) {
    expect(fieldsOf(schema)).toEqual(envelope);
    const { links, meta } = resolve(schema).properties as Record<string, Schema>;
    expect(fieldsOf(links ?? {})).toEqual({ next: 'string?', previous: 'string?' });
    const totals =
      recordOf(answer) === 'auditLog' ? { count: 'integer', total_pages: 'integer' } : {};
    expect(fieldsOf(meta ?? {})).toEqual({
      ...{ page: 'integer', previous_page: 'integer?', next_page: 'integer?' },
      ...totals,
    });
  }
  expectRecord(recordOf(answer), recordIn(answer, schema));
});

test('records have no field that reference.ts does not know', () => {
  const unknown = documented.flatMap(([method, path, status, answer]) => {
    const schema = successOf(method, path, status);
    return schema ? unknownIn(recordOf(answer), recordIn(answer, schema)) : [];
  });
  expect([...new Set(unknown)], 'fields to add to reference.ts').toEqual([]);
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

test('a body lists what the server asks for in words of its own, and a null is no such value', () => {
  const { CreateMonitorBody, CreateUserBody, CreateReplyBody } = served.components.schemas;
  expect(CreateMonitorBody.required).toEqual(expect.arrayContaining(['target', 'metric_type']));
  expect(CreateMonitorBody.properties.target.type).toBe('string');
  expect(CreateUserBody.required).toEqual(['email']);
  expect(CreateReplyBody.required).toEqual(['parent']);
});

test('every example of the document fits its schema, and JSON in a parameter the schema of its content', () => {
  const { validate } = conformance(served);
  const wrong: unknown[] = [];
  let examples = 0;
  const walk = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { example, schema } = value as { example?: unknown; schema?: Schema };
    if (example !== undefined && typeof schema === 'object') {
      examples += 1;
      const content = schema.contentSchema as Schema | undefined;
      const inText = content ? validate(content, JSON.parse(String(example))) : [];
      const said = [...validate(schema, example), ...inText];
      if (said.length > 0) wrong.push([place, ...said]);
    }
    for (const [name, inner] of Object.entries(value)) walk(inner, `${place} ${name}`);
  };
  walk(served.paths, '');
  walk(served.components, '');
  expect(wrong).toEqual([]);
  expect(examples).toBeGreaterThan(300);
});
