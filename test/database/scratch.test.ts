import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../src/context.ts';
import { rows } from '../../src/database/rows.ts';
import {
  type CopiedValue,
  copyIntoScratch,
  dropScratch,
  makeScratch,
  prepare,
  scratch,
  scratchSchema,
} from '../../src/database/scratch.ts';
import { invalid } from '../../src/errors.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';

let opened: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  opened = await openTestDatabase();
  ctx = contextFor(opened.database, serverViewer('00000000-0000-4000-8000-000000000001'), {
    signal: new AbortController().signal,
  });
  await makeScratch(ctx, 'first', 'n integer');
});
afterAll(() => opened[Symbol.asyncDispose]());

const isThere = async (name: string) => {
  const found = await rows<{ there: boolean }>(
    ctx,
    `select to_regclass('${scratchSchema}.${name}') is not null as there`,
  );
  return found[0]?.there;
};

test('what is found wrong while scratch tables are made is thrown, and undoes none of them', async () => {
  const preparing = prepare(ctx, async (tx) => {
    await scratch(tx, `create unlogged table ${scratchSchema}.kept (n integer)`);
    throw invalid('resources, line 3: the parent is unknown');
  });
  await expect(preparing).rejects.toThrow('line 3');
  expect(await isThere('kept')).toBe(true);
  await dropScratch(ctx, ['kept']);
  expect(await isThere('kept')).toBe(false);
});

test('a fault undoes them, and what is found out is answered', async () => {
  const failing = prepare(ctx, async (tx) => {
    await scratch(tx, `create unlogged table ${scratchSchema}.undone (n integer)`);
    await scratch(tx, 'select 1 / 0');
  });
  await expect(failing).rejects.toThrow('division by zero');
  expect(await isThere('undone')).toBe(false);
  expect(await prepare(ctx, async () => 7)).toBe(7);
});

const texts = [
  '',
  ' ',
  '\\N',
  '\\.',
  'a\tb',
  'a\nb\r\nc',
  '\\\\t',
  '"{}",',
  "it's",
  'NULL',
  'ä 😀',
  'x'.repeat(900_000),
];
const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'];
const moment = new Date('2026-02-03T04:05:06.789Z');
const values: CopiedValue[][] = [
  ...texts.map((text, n) => [n, text]),
  [100, undefined, true, 1.5e-7, moment, ids, { a: 'b\\n"\n', c: [1, null] }],
  [101, null, false, 1e21, undefined, [], {}],
];

test.each(['alone', 'in a transaction'])(
  'what is copied in is what was given, %s',
  async (where) => {
    const table = `${scratchSchema}.copied`;
    await makeScratch(
      ctx,
      'copied',
      'n int, t text, b boolean, f float8, m timestamptz, i uuid[], j jsonb',
    );
    const copy = (on: Context) =>
      copyIntoScratch(
        on,
        table,
        ['n', 't', 'b', 'f', 'm', 'i', 'j'],
        values.map((row) => Array.from({ length: 7 }, (_, i) => row[i])),
      );
    await (where === 'alone' ? copy(ctx) : prepare(ctx, copy));
    const found = await rows(ctx, `select * from ${table} order by n`);
    const none = { t: null, b: null, f: null, m: null, i: null, j: null };
    expect(found).toEqual([
      ...texts.map((t, n) => ({ ...none, n, t })),
      { n: 100, t: null, b: true, f: 1.5e-7, m: moment, i: ids, j: { a: 'b\\n"\n', c: [1, null] } },
      { ...none, n: 101, b: false, f: 1e21, i: [], j: {} },
    ]);
    await dropScratch(ctx, ['copied']);
  },
);

test('a copy that is refused is an error, and its connection goes on', async () => {
  const table = `${scratchSchema}.first`;
  const refused = copyIntoScratch(ctx, table, ['n'], [[1], ['two']]);
  await expect(refused).rejects.toThrow('invalid input syntax for type integer: "two"');
  await expect(copyIntoScratch(ctx, 'nowhere', ['n'], [[1]])).rejects.toThrow('does not exist');
  // In a transaction nothing of it is left, and the next one is as new.
  const failing = prepare(ctx, async (tx) => {
    await copyIntoScratch(tx, table, ['n'], [[2]]);
    await copyIntoScratch(tx, table, ['n'], [['three']]);
  });
  await expect(failing).rejects.toThrow('three');
  await Promise.all([4, 5, 6].map((n) => copyIntoScratch(ctx, table, ['n'], [[n]])));
  expect(await rows(ctx, `select n from ${table} order by n`)).toEqual([
    { n: 4 },
    { n: 5 },
    { n: 6 },
  ]);
});
