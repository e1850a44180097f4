// What a client sent by mistake is not said back, whatever GraphQL says of it.

import { expect, test } from 'vitest';
import { withoutValues } from '../../src/graphql/without-values.ts';
import { openCatalog } from '../catalog.ts';

test.each([
  [
    'Variable "$input" got invalid value { a: { p: "s\\"; }" } } at "input.x"; Field "c" is not defined.',
    'Variable "$input" got invalid value an object at "input.x"; Field "c" is not defined.',
  ],
  [
    'Variable "$i" got invalid value "s; t"; String cannot represent a non string value: ["s"]',
    'Variable "$i" got invalid value a string; String cannot represent a non string value: a list',
  ],
  ['Int cannot represent non-integer value: 1.5', 'Int cannot represent non-integer value: 1.5'],
  [
    'Int cannot represent non-integer value: "s"',
    'Int cannot represent non-integer value: a string',
  ],
  [
    'Enum "Kind" cannot represent non-enum value: "s". Did you mean the enum value "so"?',
    'Enum "Kind" cannot represent non-enum value: a string. Did you mean the enum value "so"?',
  ],
  [
    'Expected value of type "IntegrationInput!", found """a \\""" b""".',
    'Expected value of type "IntegrationInput!", found a string.',
  ],
  [
    'Syntax Error: Expected Name, found String "a" b".',
    'Syntax Error: Expected Name, found String.',
  ],
  ['Syntax Error: Expected Name, found Int "5".', 'Syntax Error: Expected Name, found Int "5".'],
  [
    'String cannot represent a non string value: {a: "s',
    'String cannot represent a non string value: an object',
  ],
  ['Cannot query field "x" on type "Query".', 'Cannot query field "x" on type "Query".'],
])('%s', (message, said) => {
  expect(withoutValues(message)).toBe(said);
});

test('a wrong field besides a password does not bring it into the answer', async () => {
  await using catalog = await openCatalog();
  const query = `mutation ($input: CreateIntegrationInput!) { createIntegration(input: $input) { id } }`;
  const wrong = { credentials: { password: 'not to be told' }, colour: 'red', name: ['as well'] };
  const { errors } = await catalog.graphql(query, { input: wrong });
  expect(errors?.[0]?.message).toContain('cannot represent a non string value: a list');
  expect(JSON.stringify(errors)).not.toMatch(/not to be told|as well/);
  const inText = `mutation { createIntegration(input: [{ credentials: { p: "not to be told" } }, 5]) { id } }`;
  const refused = await catalog.graphql(inText);
  expect(refused.errors?.[0]?.message).toContain('found a list');
  expect(JSON.stringify(refused.errors)).not.toContain('not to be told');
});
