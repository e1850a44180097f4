import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../src/context.ts';
import { rows } from '../../src/database/rows.ts';
import {
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
