// Fields of a mutation are done one after the other, and none after one that failed and may not be null.

import { buildSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { executePlanned } from '../../../src/graphql/execution/execute.ts';

const schema = buildSchema(`
  type Query { none: Int }
  type Mutation { add(n: Int!): Int, mustAdd(n: Int!): Int!, made: Made }
  type Made { late: Int }
`);

/** Do a mutation; answers what it answered, and what was begun and done in which order. */
async function mutate(text: string) {
  const order: string[] = [];
  const add = async ({ n }: { n: number }) => {
    order.push(`begin ${n}`);
    // The first ones take longest.
    for (let turn = 10; turn > n; turn -= 1) await new Promise(setImmediate);
    order.push(`end ${n}`);
    if (n === 0) throw new Error('Nothing is to be added.');
    return n;
  };
  const made = () => {
    order.push('begin made');
    const late = async () => {
      await new Promise(setImmediate);
      order.push('end made');
      return 7;
    };
    return { late };
  };
  const rootValue = { add, mustAdd: add, made };
  const answer = await executePlanned({ schema, document: parse(text), rootValue });
  return { order, answer };
}

test('each is over, with all that lies in it, before the next one begins', async () => {
  const { order, answer } = await mutate(
    'mutation { a: add(n: 1) made { late } b: add(n: 2) c: mustAdd(n: 3) __proto__: add(n: 4) }',
  );
  const names = ['1', 'made', '2', '3', '4'];
  expect(order).toEqual(names.flatMap((name) => [`begin ${name}`, `end ${name}`]));
  expect(JSON.stringify(answer?.data)).toBe('{"a":1,"made":{"late":7},"b":2,"c":3,"__proto__":4}');
});

test('one that fails and may be null does not keep the next ones from being done', async () => {
  const { order, answer } = await mutate('mutation { a: add(n: 0) b: add(n: 1) }');
  expect(order).toEqual(['begin 0', 'end 0', 'begin 1', 'end 1']);
  expect(answer).toMatchObject({ data: { a: null, b: 1 }, errors: [{ path: ['a'] }] });
});

test('after one that must not be null and fails none is begun', async () => {
  const { order, answer } = await mutate('mutation { a: add(n: 1) b: mustAdd(n: 0) c: add(n: 2) }');
  expect(order).toEqual(['begin 1', 'end 1', 'begin 0', 'end 0']);
  expect(answer).toMatchObject({ data: null, errors: [{ path: ['b'] }] });
});
