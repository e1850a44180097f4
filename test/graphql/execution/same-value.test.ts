// Many rows that wait for one value of a loader: it is built into their answers in turns.

import { buildSchema, parse } from 'graphql';
import { expect, test } from 'vitest';
import { executePlanned } from '../../../src/graphql/execution/execute.ts';
import { CooperativeScheduler } from '../../../src/limits/cooperative-scheduler.ts';
import { createFairQueue } from '../../../src/limits/fair-queue.ts';

const schema = buildSchema(`
  type Tag { id: ID name: String }
  type Row { tag: Tag }
  type Query { rows: [Row] }
`);
const document = parse('{ rows { tag { id name } } }');

test('thousands of rows that wait for one value are completed in turns, between which others are served', async () => {
  const loop = {
    now: () => 0,
    nextRound: (work: () => void) => void setImmediate(work),
    after: (_: number, work: () => void) => void setImmediate(work),
  };
  const scheduler = new CooperativeScheduler(
    createFairQueue(loop),
    'somebody',
    new AbortController().signal,
  );
  let arrive: (tag: object) => void = () => {};
  const comes = new Promise<object>((resolve) => {
    arrive = resolve;
  });
  let completed = 0;
  const tag = {
    id: 'T',
    name: () => {
      completed += 1;
      return 'gold';
    },
  };
  const rows = Array.from({ length: 6_000 }, () => ({ tag: comes }));
  const contextValue = { allowance: { scheduler } };
  const answering = executePlanned({ schema, document, rootValue: { rows }, contextValue });
  arrive(tag);
  const perRound: number[] = [];
  while (completed < rows.length) {
    const before = completed;
    await new Promise((resolve) => setImmediate(resolve));
    perRound.push(completed - before);
  }
  const { data, errors } = (await answering) ?? {};
  expect(errors).toBeUndefined();
  expect(data?.rows).toEqual(rows.map(() => ({ tag: { id: 'T', name: 'gold' } })));
  // Three fields of each, of which a turn has 1,500.
  expect(Math.max(...perRound)).toBeLessThanOrEqual(500);
});
