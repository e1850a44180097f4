// Long answers in turns: each owner has one after the other, and nothing is lost or comes twice.

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonInTurns } from '../../src/graphql/json-in-turns.ts';
import {
  CooperativeScheduler,
  maxFields,
  Pieces,
  type Shared,
} from '../../src/limits/cooperative-scheduler.ts';
import { createFairQueue } from '../../src/limits/fair-queue.ts';
import { openCatalog } from '../catalog.ts';

const never = new AbortController().signal;

async function all<T>(shared: Shared<T>): Promise<T[]> {
  const rows = await shared;
  if (!(rows instanceof Pieces)) return Promise.all(rows);
  const found: T[] = [];
  for await (const piece of rows.read()) found.push(...piece);
  return found;
}

test.each([true, false])(
  'others are served between the pieces of a list, which comes whole and in its order (in pieces: %s)',
  async (takesPieces) => {
    const scheduler = new CooperativeScheduler(createFairQueue(), 'a', never);
    const rows = Array.from({ length: 10_000 }, (_, n) => n);
    let rounds = 0;
    const state = { isOver: false };
    const count = () => {
      rounds += 1;
      if (!state.isOver) setImmediate(count);
    };
    setImmediate(count);
    expect(await all(scheduler.share(rows, 15, takesPieces))).toEqual(rows);
    state.isOver = true;
    // 100 rows of 15 fields make a turn.
    expect(rounds).toBeGreaterThanOrEqual(99);
    // What is short comes at once, and as it is.
    const short = [1, 2, 3];
    expect(
      new CooperativeScheduler(createFairQueue(), 'a', never).share(short, 10, takesPieces),
    ).toBe(short);
  },
);

test.each([true, false])(
  'an answer of too many fields is refused, and one that nobody waits for ends (in pieces: %s)',
  async (takesPieces) => {
    const scheduler = new CooperativeScheduler(createFairQueue(), 'a', never);
    const rows = Array.from({ length: maxFields / 10 }, (_, n) => n);
    expect(() => scheduler.share(rows, 11, takesPieces)).toThrow(/over 500,000 fields/);
    const ending = new AbortController();
    const ended = new CooperativeScheduler(createFairQueue(), 'a', ending.signal);
    const reading = all(ended.share(rows, 5, takesPieces));
    ending.abort(new Error('The client went away.'));
    await expect(reading).rejects.toThrow('went away');
    expect(() => ended.share([1], 1, takesPieces)).toThrow('went away');
  },
);

test('JSON that is written in turns is the JSON that JSON.stringify writes', async () => {
  const short = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constant(undefined), fc.date());
  const long = fc
    .tuple(short, fc.integer({ min: 900, max: 3_000 }))
    .map(([value, times]) => Array.from({ length: times }, () => value));
  const value = fc.oneof(
    short,
    long,
    fc.record({ long, short, nested: fc.record({ long }) }),
    fc.tuple(short, fc.tuple(long, long), short).map((rows) => [...rows]),
  );
  await fc.assert(
    fc.asyncProperty(value, async (one) => {
      const written = await jsonInTurns(
        one,
        new CooperativeScheduler(createFairQueue(), 'a', never),
      );
      expect(written).toBe(JSON.stringify(one) ?? 'null');
    }),
    { seed: 1, numRuns: 60 },
  );
});

test('a long list is answered whole, in order, with all that hangs on it', async () => {
  await using catalog = await openCatalog();
  const { workspaceId } = catalog;
  const parent = await catalog.resource({ kind: 'schema', title: 'public' });
  const titles = Array.from({ length: 1_000 }, (_, n) => `t${String(n).padStart(4, '0')}`);
  await catalog.database.prisma.resource.createMany({
    data: titles.map((title) => ({
      ...{ workspaceId, kind: 'table', title, titleFull: title, parentId: parent.id },
    })),
  });
  const { data, errors } = await catalog.graphql(
    `query ($id: ID!) { resource(id: $id) { children(first: 1000) { totalCount
      nodes { title kind parent { id title } owners { id } upstream { id } } } } }`,
    { id: parent.id },
  );
  expect(errors).toBeUndefined();
  expect(data.resource.children.totalCount).toBe(1_000);
  expect(data.resource.children.nodes).toEqual(
    titles.map((title) => ({
      ...{ title, kind: 'table', owners: [], upstream: [] },
      parent: { id: parent.id, title: 'public' },
    })),
  );
});
