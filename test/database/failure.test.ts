import { afterAll, beforeAll, expect, test } from 'vitest';
import { serverViewer } from '../../src/auth/viewer.ts';
import { type Context, contextFor } from '../../src/context.ts';
import { failureOf } from '../../src/database/failure.ts';
import { rows } from '../../src/database/rows.ts';
import { transaction } from '../../src/database/transaction.ts';
import { unavailable } from '../../src/errors.ts';
import { openTestDatabase, type TestDatabase } from '../database.ts';

let opened: TestDatabase;
let ctx: Context;
beforeAll(async () => {
  opened = await openTestDatabase();
  ctx = contextFor(opened.database, serverViewer('00000000-0000-4000-8000-000000000001'));
  await opened.database.prisma.setting.create({ data: { name: 'taken', value: '' } });
});
afterAll(() => opened[Symbol.asyncDispose]());

/** What a client is told of a failure: our code, or null for a fault of ours. */
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => 'it worked',
    (error) => failureOf(error)?.code ?? null,
  );

const taken = { data: { name: 'taken', value: '' } };
const noSuchUser = {
  data: {
    workspaceId: '00000000-0000-4000-8000-000000000009',
    email: 'a@example.org',
  },
};

test.each<[string, string | null, () => Promise<unknown>]>([
  [
    'a name that is taken, by Prisma',
    'CONFLICT',
    () => opened.database.prisma.setting.create(taken),
  ],
  [
    'a name that is taken, by our own SQL',
    'CONFLICT',
    () => rows(ctx, `insert into setting values ('taken', '')`),
  ],
  [
    'a name that is taken, in a transaction',
    'CONFLICT',
    () => transaction(ctx, (tx) => tx.db.setting.create(taken)),
  ],
  ['a reference to what is gone', 'CONFLICT', () => opened.database.prisma.user.create(noSuchUser)],
  [
    'a row that was deleted meanwhile',
    'CONFLICT',
    () => opened.database.prisma.setting.update({ where: { name: 'gone' }, data: { value: '' } }),
  ],
  ['a number out of range', 'BAD_REQUEST', () => rows(ctx, 'select $1::int4', ['99999999999'])],
  ['a zero character', 'BAD_REQUEST', () => rows(ctx, 'select $1::text as t', ['a\u0000b'])],
  [
    'a zero character, by Prisma',
    'BAD_REQUEST',
    () => opened.database.prisma.setting.create({ data: { name: 'a\u0000b', value: '' } }),
  ],
  ['text that is no uuid', 'BAD_REQUEST', () => rows(ctx, 'select $1::uuid', ['x'])],
  ['a mistake in a statement', null, () => rows(ctx, 'selct')],
  ['a mistake in the program', null, () => Promise.reject(new TypeError('x is undefined'))],
  ['what is not an error at all', null, () => Promise.reject('text')],
])('%s is %s to a client', async (_, code, work) => {
  expect(await codeOf(work())).toBe(code);
});

test('an error of ours is found under whatever wraps it', () => {
  const own = unavailable('Try again.');
  expect(failureOf(new Error('outer', { cause: new Error('inner', { cause: own }) }))).toBe(own);
});

test('a chain of causes without an end is not followed forever', () => {
  const error = new Error('round');
  error.cause = error;
  expect(failureOf(error)).toBeNull();
});
