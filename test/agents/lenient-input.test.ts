// Arguments of tools as models send them.

import { expect, test } from 'vitest';
import { argumentNames, tidied } from '../../src/agents/mcp/lenient-input.ts';
import { toolsWith } from '../../src/agents/mcp/tools.ts';

const inputOf = (name: string) => {
  const tool = toolsWith(true).get(name);
  if (!tool) throw new Error(`There is no tool ${name}.`);
  return tool.input;
};

const id = '0d9f1c1e-6f0b-4c39-9d8a-2f1f0f6b7a51';

test.each([
  ['search', { query: 'x', kinds: null, after: null }, { query: 'x' }],
  ['search', { query: 'x', first: '2' }, { query: 'x', first: 2 }],
  ['search', { query: 'x', limit: 5 }, { query: 'x', first: 5 }],
  ['search', { query: 'x', kinds: 'Table' }, { query: 'x', kinds: ['table'] }],
  [
    'lineage',
    { id, direction: 'downstream', depth: ' 3 ' },
    { id, direction: 'DOWNSTREAM', depth: 3 },
  ],
] as const)('%s takes %o', (name, given, expected) => {
  const input = inputOf(name);
  expect(tidied(input, given)).toEqual(expected);
  expect(input.safeParse(tidied(input, given)).success).toBe(true);
});

test('what can be meant in no other way stays, to be refused', () => {
  const input = inputOf('search');
  for (const given of [
    { query: 'x', first: 'many' },
    { query: 'x', first: 51 },
    { query: 'x', limit: 5, first: 6 },
    { query: 'x', kinds: 'tables' },
    { query: 'x', nothing: 1 },
    [],
    'x',
  ]) {
    expect(tidied(input, given)).toEqual(
      'kinds' in Object(given) ? { query: 'x', kinds: ['tables'] } : given,
    );
    expect(input.safeParse(tidied(input, given)).success).toBe(false);
  }
  expect(argumentNames(input)).toContain('kinds');
});
