// Values of variables: those of long lists are read in pieces, and are the same.

import { buildSchema, getOperationAST, getVariableValues, parse } from 'graphql';
import { expect, test } from 'vitest';
import { valuesOfVariables } from '../../../src/graphql/execution/variables.ts';
import { createTurns } from '../../../src/limits/main-thread.ts';
import { Pace } from '../../../src/limits/pace.ts';

const schema = buildSchema(`
  input Point { at: String!, value: Float = 1, kind: Kind }
  enum Kind { HIGH LOW }
  type Query { sum(of: [Point!]!, names: [String], top: Int): Float }
`);
const operation = getOperationAST(
  parse(`query ($of: [Point!]!, $names: [String] = ["none"], $top: Int = 3) {
    sum(of: $of, names: $names, top: $top) }`),
);

const points = (count: number) =>
  Array.from({ length: count }, (_, n) => ({ at: `${n}`, ...(n % 2 === 0 && { kind: 'LOW' }) }));

/** Read values at a pace of their own; answers them, and in how many turns. */
async function read(given: Record<string, unknown>) {
  if (!operation) throw new Error('There is an operation.');
  let rounds = 0;
  const loop = {
    now: () => 0,
    nextRound: (work: () => void) => {
      rounds += 1;
      setImmediate(work);
    },
    after: (_: number, work: () => void) => void setImmediate(work),
  };
  const pace = new Pace(createTurns(loop), 'somebody', new AbortController().signal);
  const values = await valuesOfVariables(schema, operation, given, pace);
  const whole = getVariableValues(schema, operation.variableDefinitions ?? [], given);
  return { values, rounds, whole: whole.coerced ?? null };
}

test('values are what they are in one go, however long a list is', async () => {
  for (const given of [
    { of: points(3) },
    { of: points(4_500), top: 7 },
    {
      of: points(2_000),
      names: Array.from({ length: 1_500 }, (_, n) => (n === 9 ? null : `${n}`)),
    },
  ]) {
    const { values, whole } = await read(given);
    expect(values).toEqual(whole);
    expect(values).not.toBeNull();
  }
});

test('a long list takes a turn for each 250 items beyond the first, a short one none', async () => {
  expect((await read({ of: points(250) })).rounds).toBe(0);
  // Each turn asks for the next round once more, to see whether another one waits.
  expect((await read({ of: points(4_500) })).rounds).toBeGreaterThanOrEqual(17);
});

test('what is wrong is left to who says so, wherever it stands', async () => {
  for (const given of [
    { of: [...points(2_500), { value: 1 }] },
    { of: [{ at: 5 }, ...points(2_500)] },
    { of: points(2_500), top: 'three' },
    { of: points(2_500), names: Array.from({ length: 1_500 }, () => ({})) },
    { of: null },
  ]) {
    expect(await read(given)).toMatchObject({ values: null, whole: null });
  }
});
