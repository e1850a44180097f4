// The schema as people read it in GraphiQL: everything explained, and printed as it is.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
  lexicographicSortSchema,
  printSchema,
} from 'graphql';
import { expect, test } from 'vitest';
import { schema } from '../../src/graphql/schema.ts';
import { root } from './sources.ts';

const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);

interface Described {
  readonly path: string;
  readonly description?: string | null | undefined;
}

/** Everything of a type that has a description, by its path. */
function* partsOf(type: GraphQLNamedType): Generator<Described> {
  const { name, description } = type;
  yield { path: name, description };
  if (isEnumType(type)) {
    for (const value of type.getValues()) {
      yield { path: `${name}.${value.name}`, description: value.description };
    }
  }
  if (isInputObjectType(type)) {
    for (const field of Object.values(type.getFields())) {
      yield { path: `${name}.${field.name}`, description: field.description };
    }
  }
  if (isObjectType(type) || isInterfaceType(type)) {
    for (const field of Object.values(type.getFields())) {
      yield { path: `${name}.${field.name}`, description: field.description };
      for (const arg of field.args) {
        yield { path: `${name}.${field.name}(${arg.name})`, description: arg.description };
      }
    }
  }
}

const parts = types.flatMap((type) => [...partsOf(type)]);

test('every type, field, argument and value is described', () => {
  expect(parts.length).toBeGreaterThan(1_000);
  const silent = parts.filter(({ description }) => !description?.trim());
  expect(silent.map(({ path }) => path)).toEqual([]);
});

test('descriptions are sentences: they begin in upper case and end', () => {
  const unfinished = parts.filter(
    ({ description }) => description && !/^[A-Z0-9`"(].*[.:)`!?]$/s.test(description.trim()),
  );
  // Values are spelled in lower case, and a sentence may begin with one.
  const wrong = unfinished.filter(
    ({ description }) => !/^([a-z_0-9]+[ ,:(].*\.|[a-z_]+\.json)$/s.test(description ?? ''),
  );
  expect(wrong.map(({ path, description }) => `${path}: ${description}`)).toEqual([]);
});

// A filter and its sort are written the same everywhere: they are passed on as JSON, too.
const shared = new Set(['ResourceSort.tie_breaker', 'AuditLogSort.tie_breaker']);

test('names are spelled as GraphQL spells them', () => {
  const wrong = types.flatMap((type) => {
    if (!/^[A-Z][A-Za-z0-9]*$/.test(type.name)) return [type.name];
    if (!isObjectType(type) && !isInterfaceType(type) && !isInputObjectType(type)) return [];
    return Object.keys(type.getFields())
      .filter((field) => !/^[a-z][A-Za-z0-9]*$/.test(field))
      .map((field) => `${type.name}.${field}`)
      .filter((path) => !shared.has(path));
  });
  expect(wrong).toEqual([]);
});

test('what is deprecated says what to use instead, and until when it works', () => {
  const reasons = [...printSchema(schema).matchAll(/@deprecated(?:\(reason: "(.*?)"\))?/g)];
  const vague = reasons.filter(
    ([, reason = '']) => !/^Use .+\. Gone after \d{4}-\d\d-\d\d\.$/.test(reason),
  );
  expect(vague.map(([text]) => text)).toEqual([]);
});

test('schema.graphql is what the schema prints', async () => {
  const printed = `${printSchema(lexicographicSortSchema(schema))}\n`;
  const file = await readFile(join(root, 'schema.graphql'), 'utf8').catch(() => '');
  expect(file === printed, 'run `npm run schema:print`').toBe(true);
});
