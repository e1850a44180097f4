// Values of variables: where there are many they are read in pieces, and are the same.

import { buildSchema, getOperationAST, getVariableValues, parse } from 'graphql';
import { expect, test } from 'vitest';
import { tooManyAtOnce, valuesOfVariables } from '../../../src/graphql/execution/variables.ts';
import { CooperativeScheduler } from '../../../src/limits/cooperative-scheduler.ts';
import { createFairQueue } from '../../../src/limits/fair-queue.ts';

const schema = buildSchema(`
  scalar Any
  input Point { at: String!, value: Float = 1, kind: Kind, names: [String!], within: [Point!] }
  input Holder { title: String!, size: Int = 5, ids: [ID!], points: [Point], holder: Holder, any: Any, grid: [[Int!]!] }
  enum Kind { HIGH LOW }
  type Query { sum(of: [Point!]!, names: [String], top: Int, in: Holder): Float }
`);
const operation = getOperationAST(
  parse(`query ($of: [Point!]!, $names: [String] = ["none"], $top: Int = 3, $in: Holder) {
    sum(of: $of, names: $names, top: $top, in: $in) }`),
);

const list = <T>(count: number, one: (n: number) => T) =>
  Array.from({ length: count }, (_, n) => one(n));
const points = (count: number) =>
  list(count, (n) => ({ at: `${n}`, ...(n % 2 === 0 && { kind: 'LOW' }) }));
const ids = (count: number) => list(count, String);

/** Read values at a scheduler of their own; answers them, and in how many turns. */
async function read(given: Record<string, unknown>) {
  if (!operation) throw new Error('There is an operation.');
  let turns = 0;
  const next = () => {
    turns += 1;
    return new Promise<void>(setImmediate);
  };
  const scheduler = new CooperativeScheduler(
    { ...createFairQueue(), next },
    'somebody',
    new AbortController().signal,
  );
  const { coerced, errors } = await valuesOfVariables(schema, operation, given, scheduler);
  const whole = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  return { values: coerced, errors: errors?.map(({ message }) => message), turns, whole };
}

test('values are what they are in one go, however many there are and wherever they lie', async () => {
  for (const given of [
    { of: points(3) },
    { of: points(4_500), top: 7 },
    { of: points(2_000), names: list(1_500, (n) => (n === 9 ? null : `${n}`)) },
    { of: [], in: { title: 'One', ids: ids(3_000), points: [null, ...points(2_000)] } },
    { of: [], in: { title: 'One', holder: { title: 'Two', size: 1, ids: ids(3_000) } } },
    { of: [], in: { title: 'One', any: { of: ids(3_000), ids: [{}] } } },
    { of: [], in: { title: 'One', grid: list(100, (n) => list(100, () => n)) } },
    { of: list(40, (n) => ({ at: `${n}`, names: ids(400) })) },
    { of: [{ at: 'now', within: [{ at: 'then', names: ids(2_500) }, { at: 'soon' }] }] },
    // A single value stands for a list of it.
    {
      of: { at: 'now', names: ids(2_500) },
      in: { title: 'One', points: { at: 'x', names: ids(9) } },
    },
  ]) {
    const { values, errors, whole } = await read(given);
    expect(errors).toBeUndefined();
    expect(values).toEqual(whole.coerced);
    expect(values).toBeDefined();
  }
});

test('many take a turn for each thousand beyond the first, few take none', async () => {
  expect((await read({ of: list(400, (n) => ({ at: `${n}` })) })).turns).toBe(0);
  const { turns } = await read({
    of: [],
    in: { title: 'One', holder: { title: 'x', ids: ids(9_500) } },
  });
  expect(turns).toBe(9);
  const spread = { of: list(40, (n) => ({ at: `${n}`, names: ids(400) })) };
  expect((await read(spread)).turns).toBeGreaterThanOrEqual(15);
});

test('what is wrong is told with its place, as it is of few', async () => {
  const wrong: [Record<string, unknown>, RegExp][] = [
    [{ of: [...points(2_500), { value: 1 }] }, /^Variable "\$of" .* "of\[2500\]"; .*"at"/],
    [{ of: [{ at: 5 }, ...points(2_500)] }, /"of\[0\]\.at"; String cannot/],
    [{ of: points(2_500), top: 'three' }, /"\$top" got invalid value "three"/],
    [{ of: points(2_500), names: list(1_500, () => ({})) }, /"names\[0\]"; String cannot/],
    [{ of: null, names: list(1_500, String) }, /"\$of" of non-null type/],
    [
      { of: [], in: { ids: ids(2_000) } },
      /"\$in" got invalid value .*Field "title" of required type/,
    ],
    [{ of: [], in: { title: 'x', idz: ids(2_000) } }, /Field "idz" is not defined/],
    [
      { of: [], in: { title: 'x', ids: [...ids(2_000), null] } },
      /"in\.ids\[2000\]"; Expected non-null/,
    ],
    [{ of: [{ at: 'x', names: [...ids(2_000), 5] }] }, /"of\[0\]\.names\[2000\]"; String cannot/],
  ];
  for (const [given, message] of wrong) {
    const { values, errors, whole } = await read(given);
    expect(values).toBeUndefined();
    expect(errors?.[0]).toMatch(message);
    expect(errors?.length).toBe(Math.min(whole.errors?.length ?? 0, 50));
  }
});

test('what can only be read in one go may have 5,000 values', () => {
  expect(tooManyAtOnce({ ids: ids(4_900) })).toBeNull();
  expect(tooManyAtOnce({ ids: ids(5_000) })?.message).toContain('at most 5,000 variable values');
});
